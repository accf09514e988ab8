"""A work tree is put back exactly, whatever was done to it."""

import os
from pathlib import Path

import pytest

from cairn.adapters.vcs.kept_tree import kept_tree
from cairn.errors import EnvironmentProblem
from repository import commit, git, make


def state(root: Path) -> dict[str, object]:
    """Every file with its content and mode, and what is staged."""
    files: dict[str, object] = {"index": git(root, "diff", "--cached"), "status": git(root, "status", "--porcelain")}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            files[name] = os.readlink(path)
        elif path.is_file() and not name.startswith(".git/"):
            files[name] = (path.read_bytes(), path.stat().st_mode)
    return files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path / "repo", {"a.md": "a\n", "b/c.md": "c\n", "run.sh": "#!/bin/sh\n", ".gitignore": "*.tmp\n"})
    (root / "a.md").write_text("staged\n")
    git(root, "add", "a.md")
    (root / "a.md").write_text("staged, and more\n")
    (root / "new.md").write_text("untracked\n")
    (root / "ä ü\n.md").write_text("a name\n")
    (root / "link").symlink_to("a.md")
    (root / "run.sh").chmod(0o755)
    return root


def nothing(root: Path) -> None:
    pass


def edit(root: Path) -> None:
    (root / "a.md").write_text("other\n")
    (root / "new.md").write_text("other\n")
    (root / "run.sh").chmod(0o644)


def delete(root: Path) -> None:
    for name in ("a.md", "b/c.md", "new.md", "ä ü\n.md", "link"):
        (root / name).unlink()


def add(root: Path) -> None:
    (root / "deep/er").mkdir(parents=True)
    (root / "deep/er/x.md").write_text("x\n")
    (root / "deep/y.md").symlink_to("/etc/passwd")


def stage(root: Path) -> None:
    edit(root)
    add(root)
    git(root, "add", "-A")


def file_becomes_folder(root: Path) -> None:
    (root / "a.md").unlink()
    (root / "a.md").mkdir()
    (root / "a.md/x.md").write_text("x\n")


def folder_becomes_link(root: Path) -> None:
    (root / "b/c.md").unlink()
    (root / "b").rmdir()
    (root / "b").symlink_to("/tmp")


@pytest.mark.parametrize("harm", [nothing, edit, delete, add, stage, file_becomes_folder, folder_becomes_link])
def test_everything_is_as_it_was(root: Path, harm) -> None:
    before = state(root)
    with kept_tree(root) as tree:
        harm(root)
        changed = tree.changed()
        assert tree.put_back() == changed
        assert tree.changed() == []
    assert state(root) == before
    assert bool(changed) == (harm is not nothing)


def test_a_program_that_does_nothing_changes_nothing(root: Path) -> None:
    before = state(root)
    with kept_tree(root) as tree:
        assert tree.changed() == []
    assert state(root) == before


def test_before_the_first_commit(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a.md").write_text("a\n")
    with kept_tree(root) as tree:
        edit_text = (root / "a.md").write_text("b\n")
        assert edit_text and tree.put_back() == ["a.md"]
    assert (root / "a.md").read_text() == "a\n"


def test_what_git_ignores_is_nobodys_business(root: Path) -> None:
    with kept_tree(root) as tree:
        (root / "x.tmp").write_text("x")
        tree.put_back()
    assert (root / "x.tmp").exists()


def test_without_a_repository_it_is_an_error_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="git cannot keep"), kept_tree(tmp_path):
        raise AssertionError("not reached")


def test_a_commit_of_somebody_else_is_left(root: Path) -> None:
    with kept_tree(root) as tree:
        head = commit(root, {"a.md": "committed\n"})
        tree.put_back()
    assert git(root, "rev-parse", "HEAD") == head
    assert (root / "a.md").read_text() == "staged, and more\n"
