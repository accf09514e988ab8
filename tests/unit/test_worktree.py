"""The branch and the remote, as git would say them, without git; whether `.cairn` is our own."""

import os
from pathlib import Path

import pytest

from cairn.core.paths import MACHINE_FILES
from cairn.worktree import OWN_NAMES, branch, foreign_part, remote
from repository import commit, git

URL = "https://ann:pass@example.org/acme/oven.git"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "oven"
    root.mkdir()
    git(root, "init", "-q", "-b", "trunk")
    return root


def test_a_branch_is_known_before_its_first_commit(root: Path) -> None:
    assert branch(os.fspath(root)) == "trunk"
    commit(root, {"a.md": "x"})
    git(root, "checkout", "-q", "-b", "feature/über-öfen")
    assert branch(os.fspath(root)) == "feature/über-öfen"
    git(root, "checkout", "-q", "--detach")
    assert branch(os.fspath(root)) is None


def test_the_remote_that_git_would_say(root: Path) -> None:
    assert remote(os.fspath(root)) is None
    git(root, "remote", "add", "upstream", "https://example.org/other.git")
    assert remote(os.fspath(root)) is None
    git(root, "remote", "add", "origin", URL)
    git(root, "config", "remote.origin.pushurl", "https://example.org/push.git")
    git(root, "remote", "add", "zebra", "https://example.org/zebra.git")
    assert remote(os.fspath(root)) == git(root, "config", "--get", "remote.origin.url") == URL


def test_a_linked_work_tree_and_a_folder_below(root: Path) -> None:
    git(root, "remote", "add", "origin", URL)
    commit(root, {"docs/a.md": "x"})
    git(root, "worktree", "add", "-q", "-b", "other", os.fspath(root.parent / "second"))
    assert (branch(os.fspath(root.parent / "second/docs")), remote(os.fspath(root.parent / "second"))) == ("other", URL)
    assert branch(os.fspath(root / "docs")) == "trunk"


@pytest.mark.parametrize("content", ["", "gitdir: nowhere", "nonsense", "gitdir:"])
def test_a_git_file_that_leads_nowhere(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").write_text(content)
    assert (branch(os.fspath(tmp_path)), remote(os.fspath(tmp_path))) == (None, None)


def test_names_of_machine_files_are_those_that_git_is_told_to_ignore() -> None:
    assert {name.removesuffix("/") for name in MACHINE_FILES} == set(OWN_NAMES)


@pytest.mark.parametrize("name", [".CAIRN", ".Cairn"])
def test_a_folder_that_only_some_file_systems_take_for_ours_is_foreign(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".cairn").mkdir()
    assert foreign_part(os.fspath(root)) is None
    monkeypatch.setattr(os, "listdir", lambda folder: [name])
    assert (foreign_part(os.fspath(root)) or ("", ""))[0] == ".cairn"


def test_a_file_whose_letters_only_look_like_ours_is_foreign(root: Path) -> None:
    (root / ".cairn").mkdir()
    (root / ".cairn" / "ſettings.local.json").write_text("{}")
    found = foreign_part(os.fspath(root))
    assert found is not None and found[0] == ".cairn/ſettings.local.json"
