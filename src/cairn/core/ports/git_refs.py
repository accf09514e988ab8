"""Refs of git that are Cairn's: change requests, tickets, and the state that travels; and a search of git's objects."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

STATE_REF: Final = "refs/cairn/state"


REMOTE: Final = "origin"


RequestsOfState: TypeAlias = Mapping[str, Any]
"""Change requests by their ids, as the local forge keeps them."""


class StateContents(NamedTuple):
    """What a commit holds for this workspace."""

    commit: str
    files: Mapping[str, bytes]
    snapshots: Mapping[str, str]
    """Blob of git by the key of the snapshot."""
    changes: Mapping[str, str]
    """Tree of git by the id of the request."""


Holds = Callable[[bytes], bool]


class RefsHolding(NamedTuple):
    """Requests and tickets that hold something: by ref, the object that it points at."""

    settled: Mapping[str, str] = {}
    open: Mapping[str, str] = {}
    """Requests that people still decide about."""

    @property
    def open_ids(self) -> list[str]:
        return [ref.rpartition("/")[2] for ref in self.open]


class ObjectsHolding(NamedTuple):
    """Where objects of git hold something that only git can take away."""

    in_history: bool = False
    """Commits of people, or the index."""
    in_reflog: bool = False
    unreached: bool = False
    """Objects that nothing points at."""


class OwnRefs(Protocol):
    """Refs that are in the repository because of Cairn. Nothing is found where there is no repository."""

    def names(self) -> list[str]: ...

    def leave(self) -> None:
        """Takes all of them away, with their branches."""
        ...

    def holding(self, holds: Holds) -> RefsHolding: ...

    def drop(self, ref: str, stored: str) -> None: ...

    def objects_holding(self, holds: Holds) -> ObjectsHolding:
        """Of all objects of git, those that nothing of Cairn's points at."""
        ...


class SharedState(Protocol):
    """The state that travels, on a ref of its own."""

    def here(self) -> str | None:
        """The commit that the ref points at."""
        ...

    def read(self, commit: str) -> StateContents | None: ...

    def bytes_of(self, blobs: Sequence[str]) -> list[bytes | None]: ...

    def write(
        self,
        files: Mapping[str, bytes],
        snapshots: Mapping[str, bytes | str],
        changes: Mapping[str, str],
        *,
        parents: Sequence[str],
        at_ms: int,
    ) -> str:
        """A commit; no ref moves."""
        ...

    def contains(self, commit: str, other: str) -> bool:
        """Whether a commit is on top of another one."""
        ...

    def requests_in(self, trees: Mapping[str, str]) -> RequestsOfState:
        """What arrived; `Refused` when one of them is not what it should be, and then none is used."""
        ...

    def keep_requests(self, arriving: RequestsOfState) -> int:
        """Keeps those that are new here, or newer than what is here; how many that were."""
        ...

    def trees_of_requests(self, theirs: RequestsOfState) -> dict[str, str]:
        """Trees by the ids of requests: ours and those of others, each as it was touched last."""
        ...

    def settle(self, commit: str) -> None:
        """From now on this is the state here, provided that it is on top of what was."""
        ...

    def has_remote(self) -> bool: ...

    def there(self) -> str | None:
        """The commit at the remote, with everything that it needs; None when nobody has pushed one yet."""
        ...

    def push(self, commit: str, expected: str | None) -> bool:
        """False when somebody else was faster: the remote is not where we saw it any more."""
        ...

    def point_at(self, commit: str, expected: str, *, why: str) -> None:
        """Moves the ref from where it was, also to a commit that is not on top of that."""
        ...
