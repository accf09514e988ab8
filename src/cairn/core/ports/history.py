"""The history of a repository, read once: which commit changed which file, and the text of every version."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from cairn.core.ports.vcs import Commit

MOST_COMMITS = 2_000
"""Of the first-parent line. A limit by work, so that the answer never depends on the load of the machine."""

UNCOMMITTED = Commit("", 0, "")
"""Stands for changes of the work tree that nobody has committed."""


class FileChange(NamedTuple):
    """One file that one commit changed."""

    at: int
    """Index of the commit in `History.commits`."""
    path: str
    old: str
    """Blob id before, empty if the file did not exist."""
    new: str
    """Blob id after, empty if the commit deleted the file. Uncommitted contents have no id either."""
    deleted: bool = False


class History(Protocol):
    """First-parent commits, newest first, with uncommitted changes in front if there are any."""

    @property
    def commits(self) -> Sequence[Commit]: ...

    @property
    def number(self) -> int:
        """Commits that were read. Those that came with a merge count, too: their changes are in its difference."""
        ...

    @property
    def changes(self) -> Sequence[FileChange]:
        """In the order of their commits."""
        ...

    @property
    def missing(self) -> str:
        """Why the history is not complete, as part of a sentence; empty if it is."""
        ...

    @property
    def lacking(self) -> int:
        """How many versions were asked for so far that this clone does not have."""
        ...

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """Each id with its content, in order; None for blobs that this clone does not have or that are too large."""
        ...

    def moved(self, commit: Commit, path: str) -> str | None:
        """Where a commit moved a file to, by git's own rename detection."""
        ...

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Paths that git ignores, whether or not they exist."""
        ...

    @property
    def remote(self) -> str:
        """The address that the repository was cloned from; empty if there is none."""
        ...

    @property
    def prefix(self) -> str:
        """The folder of the workspace in the repository, with a slash at its end; empty if it is the repository."""
        ...

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty if there is none."""
        ...

    def has_on(self, branch: str, path: str) -> bool | None:
        """Whether a branch has a file or folder; None if the branch is not known here."""
        ...


class NoHistory:
    """For a folder that is not in a git repository."""

    commits: Sequence[Commit] = ()
    changes: Sequence[FileChange] = ()
    remote = ""
    prefix = ""
    branch = ""
    number = 0
    lacking = 0

    def __init__(self, missing: str = "this folder is not in a git repository") -> None:
        self.missing = missing

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        return ((id, None) for id in ids)

    def moved(self, commit: Commit, path: str) -> str | None:
        return None

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        return frozenset()

    def has_on(self, branch: str, path: str) -> bool | None:
        return None
