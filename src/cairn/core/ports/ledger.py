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

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path

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


class LedgerBlock(NamedTuple):
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


class LedgerSource(Protocol):
    """A file of a ledger that is somewhere else."""

    @property
    def path(self) -> "Path": ...

    @property
    def key(self) -> str:
        """The same as long as it is the same file of the same folder, also when it is rotated."""
        ...

    @property
    def size(self) -> int: ...

    @property
    def inode(self) -> int: ...

    def blocks(self, offset: int = 0) -> Iterator[LedgerBlock]: ...


class CollectPosition(NamedTuple):
    """How far a file was read, and how long the copy was then."""

    offset: int = 0
    size: int = 0
    inode: int = 0


class CollectedLedgers(Protocol):
    """What was collected from other ledgers: a copy of each of theirs, and how far it was read."""

    def read_so_far(self, source: LedgerSource) -> CollectPosition: ...

    def put(
        self, source: LedgerSource, lines: Iterable[bytes], *, start: CollectPosition, offset: int
    ) -> CollectPosition:
        """Adds lines to the copy and remembers how far that goes."""
        ...


class Ledger(Protocol):
    def files(self, *, collected: bool = False) -> list[LedgerFile]:
        """The parts of the ledger that hold at least one whole line: our own, oldest first for each work tree, then
        what an older program left, then, if asked for, what was collected elsewhere."""
        ...

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, "Event | BadLine"]]:
        """From an offset that an earlier read gave: each line, with the offset behind it. A last line without its
        newline is still being written and is not given. A file that is gone gives nothing."""
        ...

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[LedgerBlock]:
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
        """Newest first; `until_ms` itself is not part of it. For their payloads see `cairn.core.ledger_events`."""
        ...

    def event_counts(self, *, since_ms: int, without: str = "") -> dict[str, int]:
        """How many of each type there are since then; without those of files whose keys begin so."""
        ...

    def event_begins(self, *, since_ms: int) -> dict[str, int]:
        """By key of each file that has events since then: where the first of them stands."""
        ...


Holds = Callable[[bytes], bool]


class Purge(Protocol):
    """Part of the store."""

    def holding(self, holds: Holds) -> Mapping[str, int]:
        """By table, where there are any: how many rows hold it. An index of words is not looked at."""
        ...

    def outdated_texts(self) -> int:
        """Rows of the index of words that belong to earlier versions of files."""
        ...

    def total(self) -> int:
        """Rows that `holding` looks at."""
        ...

    def drop(self, holds: Holds) -> int:
        """Delete such rows of what is kept; how many. What is made of files is made anew from them."""
        ...

    def wipe(self) -> None:
        """Nothing of what was deleted is left in free space, in indexes, or in a log of writes."""
        ...


class RewrittenLines(NamedTuple):
    gone: int = 0
    changed: int = 0

    def __add__(self, other: object) -> "RewrittenLines":
        assert isinstance(other, RewrittenLines)
        return RewrittenLines(self.gone + other.gone, self.changed + other.changed)

    @property
    def anything(self) -> bool:
        return bool(self.gone or self.changed)


LineJudge = Callable[[bytes], bytes | None]
"""What a line becomes: itself, another one, or None when it goes."""


class LedgerFiles(Protocol):
    """The files of the ledger as they lie there, for whoever takes lines away."""

    def all(self) -> list[tuple[str, Path]]:
        """Every file that holds lines: by the name that the ledger knows it by, torn ends included."""
        ...

    def torn(self) -> list[Path]:
        """Ends of files that a crash left."""
        ...

    def lines(self, path: Path) -> Iterator[bytes]:
        """All of them, also a last one without its newline, and one that is far too long."""
        ...

    def rewrite(self, name: str, path: Path, judge: LineJudge) -> RewrittenLines:
        """One file. Whoever reads sees the old one or the new one; events that are appended meanwhile wait for it."""
        ...
