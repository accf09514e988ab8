"""Version control: what the repository held at some moment, and what is different now.

All paths are relative to the workspace, which may be a folder below the top of the repository. Questions about history
need a repository; where there is none they end with one sentence that says so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

INDEX = ""
"""Stands for what is staged, wherever a revision is asked for."""

ChangeStatus = Literal["added", "changed", "removed"]


class Change(NamedTuple):
    """One file that differs. What moved shows as removed here and added there."""

    status: ChangeStatus
    path: str


class Commit(NamedTuple):
    id: str
    at_ms: int
    subject: str = ""

    @property
    def short(self) -> str:
        return self.id[:9]

    @property
    def date(self) -> str:
        """As in a calendar, UTC. Git takes any number for a date; years beyond 9999 are in no calendar."""
        from datetime import UTC, datetime

        try:
            return datetime.fromtimestamp(self.at_ms / 1000, UTC).date().isoformat()
        except (ValueError, OverflowError, OSError):
            return "unknown date"

    @property
    def when(self) -> str:
        """As part of a sentence. Changes of the work tree have no id."""
        return f"in {self.short} ({self.date})" if self.id else "in the work tree, not committed yet"


class CommitSummary(NamedTuple):
    """One commit as somebody who looks back sees it."""

    subject: str
    paths: tuple[str, ...]
    """What it touched, as far as it lies in the workspace."""


class Vcs(Protocol):
    def root(self) -> str | None:
        """Absolute path of the work tree that holds the workspace, None when it is in no repository."""
        ...

    def user_name(self) -> str:
        """As git's settings have it; empty where they don't."""
        ...

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """What the index holds at or below these paths, whatever their case; empty without a repository."""
        ...

    def resolve(self, rev: str) -> str:
        """The commit that a person means; `UsageError` when there is none."""
        ...

    def start(self, rev: str) -> str:
        """The commit or tree that a comparison starts from; the empty tree for the parent of the first commit."""
        ...

    def common(self, one: str, other: str) -> str:
        """The commit at which two lines of history parted."""
        ...

    def files(self, rev: str) -> tuple[str, ...]:
        """Regular files at a revision or in the index, in order."""
        ...

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        """What differs between a commit and another one, the index, or (None) the work tree, in order of the paths. A
        file of the work tree may be named although only its time is new."""
        ...

    def begin_changed(self, old: str) -> Callable[[], tuple[Change, ...]]:
        """Starts to look for what differs in the work tree. Other work can be done until the answer is called for."""
        ...

    def stage(self, paths: Sequence[str]) -> None:
        """Put exactly these files into the index, whatever else is changed."""
        ...

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """The content of each (revision, path); None where there is nothing."""
        ...

    def grep(self, rev: str | None, words: Sequence[str]) -> Iterable[tuple[str, str]]:
        """(path, line) of every line with one of these words at a revision, in the index, or (None) in the work tree
        with files that are not tracked yet. A word may also stand beside a hyphen."""
        ...

    def versions(self, path: str, *, limit: int = 50) -> tuple[Commit, ...]:
        """The commits that touched a path, newest first; empty without a repository."""
        ...

    def recent(self, *, limit: int = 5) -> tuple[CommitSummary, ...]:
        """The last commits, newest first; empty without a repository or a commit."""
        ...


class MergedFile(NamedTuple):
    """What a merge makes of one path."""

    id: str
    """Of its content."""
    regular: bool
    """Neither a link nor a submodule."""


class Merges(Protocol):
    """Merges commits without a work tree, file by file."""

    def merged(self, base: str, ours: str, theirs: str) -> Mapping[str, MergedFile | None]:
        """What has to change in `ours` to get what `theirs` made of `base`, by path from the root of the workspace;
        None is a deletion. `Conflict` names the files where that fails."""
        ...

    def contents(self, ids: Sequence[str]) -> list[bytes | None]: ...


MOST_COMMITS = 2_000
"""Of the first-parent line. A limit by work, so that the answer never depends on the load of the machine."""

UNCOMMITTED = Commit("", 0, "")
"""Stands for changes of the work tree that nobody has committed."""


class CommittedChange(NamedTuple):
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
    def changes(self) -> Sequence[CommittedChange]:
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
    changes: Sequence[CommittedChange] = ()
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
