"""Version control: what the repository held at some moment, and what is different now.

All paths are relative to the workspace, which may be a folder below the top of the repository. Questions about history
need a repository; where there is none they end with one sentence that says so.
"""

from collections.abc import Sequence
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


class Vcs(Protocol):
    def root(self) -> str | None:
        """Absolute path of the work tree that holds the workspace, None when it is in no repository."""
        ...

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Which of these paths (relative to the workspace) the index holds; empty without a repository."""
        ...

    def user_name(self) -> str | None: ...

    def resolve(self, rev: str) -> str:
        """The commit that a person means; `UsageError` when there is none."""
        ...

    def common(self, one: str, other: str) -> str:
        """The commit at which two lines of history parted."""
        ...

    def files(self, rev: str | None = None) -> tuple[str, ...]:
        """Regular files at a revision, in the index, or (None) in the work tree: there also those that are new and
        not ignored. In order."""
        ...

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        """What differs between a commit and another one, the index, or (None) the work tree, in order of the paths. A
        file of the work tree may be named although only its time is new."""
        ...

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """The content of each (revision, path); None where there is nothing."""
        ...

    def last_commits(self, paths: Sequence[str]) -> dict[str, Commit]:
        """The newest commit that touched each path; paths without one are left out."""
        ...

    def versions(self, path: str, *, limit: int = 50) -> tuple[Commit, ...]:
        """The commits that touched a path, newest first; empty without a repository."""
        ...
