"""What git remembers: revisions, files at a moment, what changed, and content in one batch."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cairn.adapters.vcs.git import Git
from cairn.core.ports.vcs import INDEX, Change, CommitSummary
from cairn.errors import CairnError, EnvironmentProblem, UsageError


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.fspath(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(tmp_path))


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", os.fspath(folder), *arguments], check=True, capture_output=True)
    return done.stdout.decode().strip()


def commit(root: Path, **files: str) -> str:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(root, "add", "-A")
    run(root, "commit", "-qm", "a step")
    return run(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    commit(folder, a_py="one\n", sub__b_py="two\n", sub__c_py="three\n")
    return folder


def test_a_name_of_a_commit_becomes_its_id(root: Path) -> None:
    head = run(root, "rev-parse", "HEAD")
    assert Git(root).resolve("main") == Git(root / "sub").resolve("HEAD") == head


def test_where_two_branches_parted(root: Path) -> None:
    base = run(root, "rev-parse", "HEAD")
    run(root, "checkout", "-qb", "other")
    commit(root, d_py="d\n")
    run(root, "checkout", "-q", "main")
    commit(root, e_py="e\n")
    assert Git(root).common("main", "other") == base


def test_branches_without_a_common_past(root: Path) -> None:
    run(root, "checkout", "-q", "--orphan", "island")
    commit(root, d_py="d\n")
    with pytest.raises(UsageError, match="no commit in common"):
        Git(root).common("main", "island")


def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    run(tmp_path / "empty", "init", "-q")
    return tmp_path / "empty"


def nothing(tmp_path: Path) -> Path:
    (tmp_path / "plain").mkdir()
    return tmp_path / "plain"


def shallow(tmp_path: Path) -> Path:
    commit(tmp_path / "repo", a_py="newer\n")
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path}/repo", "shallow")
    return tmp_path / "shallow"


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    ("place", "rev", "error", "sentence"),
    [
        (lambda tmp: tmp / "repo", "nowhere", UsageError, "There is no revision `nowhere`"),
        (lambda tmp: tmp / "repo", "--all", UsageError, "There is no revision `--all`"),
        (lambda tmp: tmp / "repo", "", UsageError, "There is no revision ``"),
        (empty, "HEAD", UsageError, "no commit yet"),
        (nothing, "HEAD", EnvironmentProblem, "in no git repository"),
        (shallow, "HEAD~1", UsageError, "not in this shallow clone"),
    ],
)
def test_a_revision_that_is_not_there(
    tmp_path: Path, place: Callable[[Path], Path], rev: str, error: type[CairnError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        Git(place(tmp_path)).resolve(rev)


def test_history_without_git(root: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="git is not installed"):
        Git(root, program="no-such-git").resolve("HEAD")
    assert Git(root, program="no-such-git").versions("a.py") == ()


def test_files_at_a_moment(root: Path) -> None:
    (root / "new.py").write_text("")
    (root / "a.py").unlink()
    os.symlink("b.py", root / "sub/link.py")
    run(root, "add", "sub/link.py")
    git = Git(root)
    assert git.files("HEAD") == ("a.py", "sub/b.py", "sub/c.py")
    assert git.files(INDEX) == ("a.py", "sub/b.py", "sub/c.py")
    assert Git(root / "sub").files("HEAD") == ("b.py", "c.py")


def test_what_changed_in_the_work_tree(root: Path) -> None:
    (root / "a.py").write_text("changed\n")
    (root / "sub/b.py").rename(root / "sub/schön \t2.py")
    run(root, "rm", "-q", "--cached", "sub/c.py")
    git = Git(root)
    assert git.changed(git.resolve("HEAD")) == (
        Change("changed", "a.py"),
        Change("removed", "sub/b.py"),
        Change("changed", "sub/c.py"),
        Change("added", "sub/schön \t2.py"),
    )
    assert git.changed(git.resolve("HEAD"), INDEX) == (Change("removed", "sub/c.py"),)
    assert [change.path for change in Git(root / "sub").changed("HEAD")] == ["b.py", "c.py", "schön \t2.py"]


def test_what_was_only_touched_has_not_changed(root: Path) -> None:
    """As in a copy of a work tree, or behind a checkout by something else: the index has other times than the files."""
    (root / "sub/b.py").write_text("other\n")
    for path in (root / "a.py", root / "sub/c.py"):
        os.utime(path, (1, 1))
    assert Git(root).changed("HEAD") == (Change("changed", "sub/b.py"),)
    (root / "a.py").chmod(0o755)
    assert Git(root).changed("HEAD") == (Change("changed", "a.py"), Change("changed", "sub/b.py"))


def test_what_changed_between_two_commits(root: Path) -> None:
    first = run(root, "rev-parse", "HEAD")
    second = commit(root, a_py="2\n", d_py="new\n")
    assert Git(root).changed(first, second) == (Change("changed", "a.py"), Change("added", "d.py"))


def test_content_in_one_batch(root: Path) -> None:
    first = run(root, "rev-parse", "HEAD")
    (root / "a.py").write_bytes(b"\0bytes\nwithout end")
    run(root, "add", "a.py")
    wanted = [(first, "a.py"), (INDEX, "a.py"), (first, "no.py"), (first, "sub"), (first, "x\ny"), (first, "sub/b.py")]
    assert Git(root).show(wanted) == [b"one\n", b"\0bytes\nwithout end", None, None, None, b"two\n"]
    assert Git(root / "sub").show([(first, "b.py")]) == [b"two\n"]
    assert Git(root).show([]) == []


def test_who_touched_it(root: Path) -> None:
    first = run(root, "rev-parse", "HEAD")
    second = commit(root, a_py="2\n")
    git = Git(root)
    assert [found.id for found in git.versions("a.py")] == [second, first]
    assert [found.id for found in git.versions("a.py", limit=1)] == [second]
    assert git.versions("nobody.py") == ()


def test_a_filter_of_the_repository_is_not_run(root: Path, tmp_path: Path) -> None:
    (root / ".gitattributes").write_text("*.py filter=trap\n")
    run(root, "config", "filter.trap.clean", f"touch {tmp_path}/sprung; cat")
    (root / "a.py").write_text("changed\n")
    git = Git(root)
    assert Change("changed", "a.py") in git.changed(git.resolve("HEAD"))
    assert not (tmp_path / "sprung").exists()


def test_what_was_done_lately(root: Path) -> None:
    run(root, "commit", "-q", "--allow-empty", "-m", "nothing\n\nbut words")
    commit(root, a_py="2\n", sub__new_py="n\n")
    (root / "with\nbreak é.txt").write_text("x")
    run(root, "add", "-A")
    run(root, "commit", "-qm", "odd ünï")
    assert Git(root).recent(limit=3) == (
        CommitSummary("odd ünï", ("with\nbreak é.txt",)),
        CommitSummary("a step", ("a.py", "sub/new.py")),
        CommitSummary("nothing", ()),
    )
    assert Git(root / "sub").recent(limit=2)[1].paths == ("new.py",)


def test_nothing_was_done_yet(tmp_path: Path) -> None:
    assert Git(tmp_path).recent() == ()
    run(tmp_path, "init", "-q")
    assert Git(tmp_path).recent() == ()
