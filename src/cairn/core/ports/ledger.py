"""The ledger: what happened, in order, never changed afterwards. The store keeps an index of it.

How to index incrementally: remember, for each `LedgerFile.key`, the offset up to which its lines are in the index. Then

1. take `files()`; a key that is not remembered starts at 0;
2. `size` equal to the offset: nothing new, don't open it;
3. `size` smaller than the offset, another `inode`, or a key that is not there any more: something was purged; forget
   everything and start anew, because another file may hold an event that was taken from the one that is gone;
4. otherwise `read(name, offset)` (or `blocks`, which is quicker) to its end, and remember the last offset.

Insert events by their id and ignore one that is there: a ledger that was copied or collected may hold it twice. The key
stays the same when a file is rotated, so rotation costs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from cairn.core.model.event import BadLine, Event


class LedgerFile(NamedTuple):
    name: str
    """By which `read` finds it; changes once, when the file is rotated."""
    size: int
    inode: int
    key: str
    """Stays the same for the life of the file: work tree and id of the first event. Empty files have none and are not
    listed."""


COLLECTED = "collected/"
"""What name and key of a file begin with that came from elsewhere."""


class Block(NamedTuple):
    """Some whole lines of a file, one behind the other."""

    start: int
    data: bytes
    """With its newlines; no line is too long."""
    end: int
    """Where the next block begins."""
    too_long: bytes = b""
    """The beginning of a line that is too long to be read, if one stands behind the others."""

    @property
    def lines(self) -> list[bytes]:
        """With their newlines."""
        if b"\r" not in self.data:
            return self.data.splitlines(keepends=True)
        return [line + b"\n" for line in self.data[:-1].split(b"\n")]


class Ledger(Protocol):
    def files(self, *, collected: bool = False) -> list[LedgerFile]:
        """The parts of the ledger that hold at least one whole line: our own, oldest first for each work tree, then
        what an older program left, then, if asked for, what was collected elsewhere."""
        ...

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, "Event | BadLine"]]:
        """From an offset that an earlier read gave: each line, with the offset behind it. A last line without its
        newline is still being written and is not given. A file that is gone gives nothing."""
        ...

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[Block]:
        """The same lines as they stand there, many at once. None when by now the name belongs to another file than the
        one with this inode, because that was rotated since it was listed."""
        ...

    def lines_at(self, places: Sequence[tuple[str, int]]) -> Iterator[bytes]:
        """The lines that begin at these places, each a name and an offset, in this order; nothing for a place where no
        whole line is."""
        ...

    def append(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str:
        """Record that something happened and return the event's id; when this returns, the event is on disk."""
        ...

    def append_all(self, events: Sequence[tuple[str, Mapping[str, Any]]], *, now_ms: int) -> list[str]:
        """Record several (type, payload) at once, all or none; their ids, in order."""
        ...

    def mention(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str | None:
        """Record something that may as well be lost, without waiting for the disk, or for long for others. None when
        that was not possible."""
        ...
