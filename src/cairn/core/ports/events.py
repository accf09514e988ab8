"""The store's index of the ledger: events by time and type, and how far each file was read."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from cairn.core.ports.purge import Purge


EventKey = tuple[bytes, str, int]
"""Packed id, type and time of an event. Those of a copy are the same."""


class EventRow(NamedTuple):
    """One event as the index keeps it: when it happened, and where in the ledger it stands."""

    id: str
    type: str
    at_ms: int
    worktree: str
    file: str
    """Key of the file."""
    offset: int


class LedgerEventRow(NamedTuple):
    """One event of the ledger, with what it says."""

    id: str
    type: str
    at_ms: int
    worktree: str
    file: str
    offset: int
    payload: str


class LedgerPosition(NamedTuple):
    """Up to where a file of the ledger was read, and which file it was."""

    offset: int
    inode: int


IndexedEvent = tuple[bytes, str, int, str, int]
"""Packed id, type, time, work tree, and where in its file it begins."""


class LedgerIndex(Protocol):
    """Part of the store. All of it is made of the ledger's files, and can be made again."""

    def ledger_offsets(self) -> dict[str, int]:
        """By key of each file: up to where it was read."""
        ...

    def ledger_positions(self) -> dict[str, LedgerPosition]: ...

    def index_events(self, file: str, offset: int, rows: Sequence[IndexedEvent], *, inode: int = 0) -> int:
        """Add events of one file up to an offset; those that are known are passed over. How many were new."""
        ...

    def came_from(self, file: str, start: int, stop: int, rows: Collection[IndexedEvent]) -> set[EventKey]:
        """Those of these events that were added from a stretch of this file, not from another one before."""
        ...

    @property
    def purge(self) -> "Purge":
        """For what is to be forgotten."""
        ...

    def clear_index(self) -> None:
        """Forget all that was made of the ledger; it is made again when the ledger is read the next time."""
        ...

    def events(
        self,
        *,
        types: tuple[str, ...] = (),
        since_ms: int | None = None,
        until_ms: int | None = None,
        limit: int | None = None,
    ) -> Iterator[EventRow]:
        """Newest first; `until_ms` itself is not part of it. For their payloads see `cairn.core.events`."""
        ...

    def event_counts(self, *, since_ms: int, without: str = "") -> dict[str, int]:
        """How many of each type there are since then; without those of files whose keys begin so."""
        ...

    def event_begins(self, *, since_ms: int) -> dict[str, int]:
        """By key of each file that has events since then: where the first of them stands."""
        ...
