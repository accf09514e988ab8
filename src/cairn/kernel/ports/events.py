"""The store's index of the ledger: events by time and type, and how far each file was read."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from cairn.kernel.ports.purge import Purge


class LedgerEventRow(NamedTuple):
    """One event of the ledger, as the index keeps it."""

    id: str
    type: str
    at_ms: int
    worktree: str
    file: str
    offset: int
    payload: str


class LedgerIndex(Protocol):
    """Part of the store. All of it is made of the ledger's files, and can be made again."""

    def ledger_offsets(self) -> dict[str, int]:
        """By key of each file: up to where it was read."""
        ...

    def ledger_inodes(self) -> dict[str, int]: ...
    def index_events(self, file: str, offset: int, rows: Sequence[tuple[Any, ...]], *, inode: int = 0) -> int:
        """Add events of one file up to an offset; events known by id are passed over; how many were new."""
        ...

    def came_from(self, file: str, start: int, stop: int, ids: Collection[str]) -> set[str]:
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
        self, *, types: tuple[str, ...] = (), since_ms: int | None = None, limit: int | None = None
    ) -> Iterator[LedgerEventRow]:
        """Newest first."""
        ...
