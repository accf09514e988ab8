"""Two moments, as a person names them."""

from pathlib import Path

import pytest

from cairn.adapters.files.local import LocalFiles
from cairn.adapters.vcs.git import Git
from cairn.core.ports.vcs import INDEX
from cairn.errors import UsageError
from cairn.freshness.states import RevisionState, StateSpan, WorkTree, span_of, staged_span
from repository import commit, git, make, put


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path / "repo", {"a.py": "1\n", "b.py": "2\n"})


def test_how_moments_are_written(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    git(root, "branch", "side")
    second = commit(root, {"a.py": "3\n"})
    vcs = Git(root)
    assert span_of(vcs, "HEAD") == StateSpan(second, None)
    assert span_of(vcs, "HEAD~1") == StateSpan(first, None)
    assert span_of(vcs, "side..main") == span_of(vcs, "side..") == StateSpan(first, second)
    assert span_of(vcs, "side...") == StateSpan(first, None)
    assert span_of(vcs, "side...main") == StateSpan(first, second)
    assert staged_span(vcs) == StateSpan(second, INDEX)
    with pytest.raises(UsageError, match="needs a revision"):
        span_of(vcs, " ")
    with pytest.raises(UsageError, match="no revision `nowhere`"):
        span_of(vcs, "nowhere...")


def test_the_same_files_at_three_moments(root: Path) -> None:
    put(root, {"a.py": "staged\n"})
    git(root, "add", "a.py")
    put(root, {"a.py": "work\n", "c.py": "new\n"})
    head, index, work = RevisionState(Git(root), "HEAD"), RevisionState(Git(root), INDEX), WorkTree(LocalFiles(root))
    assert [state.read(["a.py", "no.py"]) for state in (head, index, work)] == [
        {"a.py": b"1\n"},
        {"a.py": b"staged\n"},
        {"a.py": b"work\n"},
    ]
    assert [sorted(state.facts()) for state in (head, index, work)] == [
        ["a.py", "b.py"],
        ["a.py", "b.py"],
        ["a.py", "b.py", "c.py"],
    ]
