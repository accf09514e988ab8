"""Git through its real program, in repositories that are made here."""

import os
import subprocess
from pathlib import Path

import pytest

from cairn.adapters.vcs import program
from cairn.adapters.vcs.git import Git
from cairn.errors import EnvironmentProblem


def run(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", os.fspath(folder), *arguments], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada Example\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.fspath(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(tmp_path))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    run(root, "init", "-q")
    for path in ("a.md", "b.md", "dir/c.md", "*.md", "schön.md", "-n"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("")
    run(root, "--literal-pathspecs", "add", "--", "a.md", "dir/c.md", "*.md", "schön.md", "-n")
    return root


def test_the_root_from_a_folder_below(repository: Path) -> None:
    assert Git(repository).root() == os.fspath(repository)
    assert Git(repository / "dir").root() == os.fspath(repository)


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ((), ()),
        (("a.md", "b.md"), ("a.md",)),
        (("nowhere.md",), ()),
        (("dir", "di"), ("dir/c.md",)),
        (("A.md", "DIR"), ("a.md", "dir/c.md")),
        (("*.md",), ("*.md",)),
        (("?.md",), ()),
        (("schön.md", "-n"), ("-n", "schön.md")),
    ],
)
def test_what_the_index_holds(repository: Path, asked: tuple[str, ...], held: tuple[str, ...]) -> None:
    assert Git(repository).tracked(asked) == held


def test_paths_are_those_of_the_workspace(repository: Path) -> None:
    assert Git(repository / "dir").tracked(("c.md", "a.md")) == ("c.md",)


def test_no_repository(tmp_path: Path) -> None:
    git = Git(tmp_path)
    assert git.available()
    assert (git.root(), git.tracked(("a.md",))) == (None, ())


def test_a_bare_repository_has_no_work_tree(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    run(tmp_path / "bare", "init", "-q", "--bare")
    assert Git(tmp_path / "bare").root() is None


def test_no_git(repository: Path) -> None:
    git = Git(repository, program="no-such-git")
    assert not git.available()
    assert (git.root(), git.tracked(("a.md",))) == (None, ())


def test_variables_of_a_hook_lead_nowhere_else(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", os.fspath(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", os.fspath(tmp_path / "other-index"))
    assert Git(repository).tracked(("a.md",)) == ("a.md",)


def test_a_repository_cannot_make_us_run_its_programs(repository: Path, tmp_path: Path) -> None:
    trap = repository / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    run(repository, "config", "core.fsmonitor", os.fspath(trap))
    run(repository, "config", "core.pager", os.fspath(trap))
    git = Git(repository)
    assert git.tracked(("a.md",)) == ("a.md",)
    assert git.root() is not None
    assert not (tmp_path / "sprung").exists()


def test_a_damaged_index_is_not_taken_for_an_empty_one(repository: Path) -> None:
    (repository / ".git/index").write_bytes(b"nonsense" * 10)
    with pytest.raises(EnvironmentProblem, match="git failed"):
        Git(repository).tracked(("a.md",))


def test_git_that_never_answers(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "slow-git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr(program, "TIMEOUT_SECONDS", 0.05)
    with pytest.raises(EnvironmentProblem, match="no answer"):
        Git(repository, program=os.fspath(slow)).root()


def test_git_that_cannot_be_started(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "not-a-program").write_text("")
    with pytest.raises(EnvironmentProblem, match="cannot be started"):
        Git(repository, program=os.fspath(tmp_path / "not-a-program")).root()
