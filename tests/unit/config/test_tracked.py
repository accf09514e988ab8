import subprocess

import pytest

from cairn.config.tracked import by_git, may_be_tracked

LOCAL = ".cairn/settings.local.json"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repo"
    (root / ".cairn").mkdir(parents=True)
    for name in (".cairn/settings.json", LOCAL):
        (root / name).write_text("{}")
    git(root, "init", "-q")
    return root


def git(root, *args):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


def test_an_untracked_file_is_fine_and_git_is_not_started(repository, monkeypatch):
    git(repository, "add", ".cairn/settings.json")
    monkeypatch.setenv("PATH", "/nowhere")
    assert may_be_tracked(repository) is False
    assert by_git(repository)([LOCAL]) == ()


def test_a_tracked_file_is_found(repository):
    git(repository, "add", "-f", LOCAL)
    assert by_git(repository)([LOCAL, ".cairn/cairn.db"]) == (LOCAL,)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_understood(repository, version):
    git(repository, "add", "-f", LOCAL)
    git(repository, "update-index", "--index-version", version)
    assert by_git(repository)([LOCAL]) == (LOCAL,)


def test_a_split_index_is_understood(repository):
    git(repository, "add", "-f", LOCAL)
    git(repository, "update-index", "--split-index")
    assert by_git(repository)([LOCAL]) == (LOCAL,)


def test_another_spelling_of_the_folder_does_not_help(repository):
    (repository / ".Cairn").mkdir()
    (repository / ".Cairn" / "cairn.db").write_text("")
    git(repository, "add", "-f", ".Cairn/cairn.db")
    assert by_git(repository)([".cairn/cairn.db"]) == (".Cairn/cairn.db",)


def test_a_workspace_below_the_repository(repository):
    inner = repository / "packages" / "inner"
    (inner / ".cairn").mkdir(parents=True)
    (inner / LOCAL).write_text("{}")
    assert by_git(inner)([LOCAL]) == ()
    git(repository, "add", "-f", f"packages/inner/{LOCAL}")
    assert by_git(inner)([LOCAL]) == (LOCAL,)
    assert by_git(repository)([LOCAL]) == ()


def test_a_second_work_tree_has_an_index_of_its_own(repository, tmp_path):
    git(repository, "add", "-f", LOCAL)
    git(repository, "commit", "-qm", "x")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    git(repository, "rm", "-q", "--cached", LOCAL)
    assert by_git(tmp_path / "tree")([LOCAL]) == (LOCAL,)
    assert by_git(repository)([LOCAL]) == ()


def test_outside_of_any_repository_nothing_is_tracked(tmp_path):
    assert may_be_tracked(tmp_path) is False
    assert by_git(tmp_path)([LOCAL]) == ()
