"""Version control: what the repository held at some moment, and what is different now.

All paths are relative to the workspace, which may be a folder below the top of the repository. Questions about history
need a repository; where there is none they end with one sentence that says so.
"""

from collections.abc import Callable, Iterable, Sequence
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


class Step(NamedTuple):
    """One commit as somebody who looks back sees it."""

    subject: str
    paths: tuple[str, ...]
    """What it touched, as far as it lies in the workspace."""


class Vcs(Protocol):
    def root(self) -> str | None:
        """Absolute path of the work tree that holds the workspace, None when it is in no repository."""
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

    def recent(self, *, limit: int = 5) -> tuple[Step, ...]:
        """The last commits, newest first; empty without a repository or a commit."""
        ...
