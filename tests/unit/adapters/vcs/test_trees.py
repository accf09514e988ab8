"""Reading trees of a repository, bare or not, and finding words in them."""

from pathlib import Path

import pytest

from cairn.adapters.vcs.git import Git
from cairn.adapters.vcs.trees import GitTrees
from cairn.core.ports.vcs import INDEX
from cairn.errors import EnvironmentProblem
from repository import commit, git, make, put

FILES = {"a.py": "fetch_page = 1\n", "sub/b.py": "x = fetch_page_all\n", "c.md": "`fetch-page` and --dry-run\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", FILES)


def test_trees_reads_files_and_changes_of_a_bare_repository(root: Path, tmp_path: Path) -> None:
    commit(root, {"a.py": "fetch_page = 2\n", "sub/b.py": None, "d.py": "new\n"})
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    trees = GitTrees(tmp_path / "bare.git")
    changes = [(change.status, change.path) for change in trees.changed("HEAD~", "HEAD")]
    assert changes == [("changed", "a.py"), ("added", "d.py"), ("removed", "sub/b.py")]
    assert trees.files("HEAD") == ("a.py", "c.md", "d.py")
    wanted = [("HEAD~", "a.py"), ("HEAD", "a.py"), ("HEAD", "sub/b.py"), ("HEAD", "c.md")]
    assert trees.show(wanted) == [b"fetch_page = 1\n", b"fetch_page = 2\n", None, FILES["c.md"].encode()]
    assert trees.lacking == 0


def test_trees_of_a_folder_of_the_repository(root: Path) -> None:
    trees = GitTrees(root / "sub")
    assert trees.files("HEAD") == ("b.py",)
    assert trees.show([("HEAD", "b.py")]) == [b"x = fetch_page_all\n"]
    assert list(trees.grep("HEAD", ["fetch_page_all"])) == [("b.py", "x = fetch_page_all")]


def test_trees_reports_a_revision_that_does_not_exist(root: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="git cannot read `nowhere`"):
        GitTrees(root).files("nowhere")


def test_grep_finds_whole_words_at_a_revision_in_the_index_and_in_the_work_tree(root: Path) -> None:
    put(root, {"a.py": "other = 1\n", "new.py": "fetch_page()\n"})
    git(root, "add", "a.py")
    vcs = Git(root)
    assert list(vcs.grep("HEAD", ["fetch_page"])) == [("a.py", "fetch_page = 1")]
    assert list(vcs.grep(INDEX, ["fetch_page"])) == []
    assert list(vcs.grep(None, ["fetch_page", "--dry-run"])) == [
        ("c.md", "`fetch-page` and --dry-run"),
        ("new.py", "fetch_page()"),
    ]
