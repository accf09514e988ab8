"""Reading what is new in the ledger's files into the store's index, and into what is derived from it."""

import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.journal import EVENT_TYPES
from cairn.kernel.isolate import PASSING, item
from cairn.kernel.model.event import Event, moment_ms, parse_event
from cairn.kernel.ports.events import LedgerEventRow
from cairn.kernel.ports.ledger import COLLECTED, Block, Ledger, LedgerFile
from cairn.kernel.ports.store import Store
from cairn.kernel.ports.workers import Here, Workers

if TYPE_CHECKING:
    from cairn.kernel.ports.gaps import Tally


class Projection(NamedTuple):
    """Tables that are made of certain events. `apply` gets them in batches, within the transaction that also moves the
    offset; it may get an event again or in another order, and the tables must come out the same."""

    name: str
    types: frozenset[str]
    apply: Callable[[Store, Any], None]
    """Gets the rows of those types, or what was prepared of them."""
    prepare: "Callable[[Sequence[LedgerEventRow], Payloads], Any] | None" = None
    """What can be done without the store; for much at once, in other processes."""
    collected: bool = False
    """Whether it is also about what happened elsewhere."""
    once: bool = False
    """It adds up, so it gets no event twice, however many files have it."""
    settle: Callable[[Store], None] | None = None
    """What is left to do when everything was read."""


Payloads = Mapping[str, Mapping[str, Any]]
"""What events say, by their ids: reading a line takes it apart anyway, and twice would take twice as long."""


def _turns(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    from cairn.app.capture.turn_tables import apply_turns

    apply_turns(store, rows)


def _count_gaps(rows: Sequence[LedgerEventRow], payloads: Payloads) -> "Tally":
    from cairn.observe.tally import tally

    return tally((row[2], row[3], payloads[row[0]]) for row in rows)


def _add_gaps(store: Store, counted: "Tally") -> None:
    store.gaps.add(counted)


def _settle_gaps(store: Store) -> None:
    store.gaps.settle()


def _readings(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    from cairn.app.retrieve.asking import readings_of

    store.usage.add(readings_of(rows))


_TURNS = frozenset(kind for kind in EVENT_TYPES if kind.startswith(("turn_", "alert_", "target_")))

PROJECTIONS: tuple[Projection, ...] = (
    Projection("turns", _TURNS, _turns),
    Projection(
        "gaps",
        frozenset({"knowledge_gap_signal"}),
        _add_gaps,
        _count_gaps,
        collected=True,
        once=True,
        settle=_settle_gaps,
    ),
    Projection("readings", frozenset({"page_read"}), _readings),
)


def index_ledger(ledger: Ledger, store: Store, projections: Sequence[Projection] = PROJECTIONS) -> int:
    """From where the last time ended; how many events were new. A line that makes no sense is passed over."""
    files = ledger.files(collected=True)
    if _was_purged(files, store):
        store.clear_index()
    offsets = store.ledger_offsets()
    behind = [file for file in files if offsets.get(file.key) != file.size]
    with _undisturbed():
        new = _index_files(ledger, store, [(file, offsets.get(file.key, 0)) for file in behind], projections)
        for projection in projections if new else ():
            if projection.settle is not None:
                projection.settle(store)
        return new


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without looking for circles among many small objects that form none: that would take as long as reading them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _was_purged(files: Sequence[LedgerFile], store: Store) -> bool:
    """Whether anything that was read is not there any more. Then all of it is read again: what was dropped from one
    file may stand in another one, too."""
    known, there = store.ledger_offsets(), {file.key: file for file in files}
    inodes = store.ledger_inodes()
    return any(
        key not in there or there[key].size < offset or inodes[key] not in (0, _inode(there[key]))
        for key, offset in known.items()
    )


def _inode(file: LedgerFile) -> int:
    return file.inode & 0x7FFF_FFFF_FFFF_FFFF


WORTH_SHARING: Final = 32 * 1024 * 1024
"""Bytes from which on several processes read lines, while this one writes what they say."""


class _Read(NamedTuple):
    """What one block says; plain, since it may come from another process."""

    file: LedgerFile
    start: int
    end: int
    rows: list[tuple[Any, ...]]
    """The values of a `LedgerEventRow` each."""
    prepared: dict[str, Any]


def _index_files(
    ledger: Ledger, store: Store, files: Sequence[tuple[LedgerFile, int]], projections: Sequence[Projection]
) -> int:
    blocks = ((file, block) for file, offset in files for block in ledger.blocks(file.name, offset, inode=file.inode))
    workers = _workers(sum(file.size - offset for file, offset in files))
    new, elsewhere = 0, set[str]()
    for read in workers.map(lambda block: _read(*block, projections), blocks):
        added = None if read.file.key in elsewhere else _index(store, read, projections)
        if added is None:
            elsewhere.add(read.file.key)
        else:
            new += added
    return new


def _workers(size: int) -> Workers:
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if size < WORTH_SHARING or cores < 2:
        return Here()
    from cairn.adapters.process.workers import ForkWorkers

    return ForkWorkers(min(cores, 4))


def _read(file: LedgerFile, block: Block, projections: Sequence[Projection]) -> _Read:
    payloads: dict[str, Mapping[str, Any]] = {}
    rows = event_rows(file.key, block, payloads)
    return _Read(file, block.start, block.end, [tuple(row) for row in rows], _prepared(projections, rows, payloads))


def _prepared(projections: Sequence[Projection], rows: Sequence[LedgerEventRow], payloads: Payloads) -> dict[str, Any]:
    return {
        projection.name: _prepare(projection, wanted, payloads)
        for projection in projections
        if projection.prepare is not None and (wanted := [row for row in rows if row.type in projection.types])
    }


def _prepare(projection: Projection, rows: Sequence[LedgerEventRow], payloads: Payloads) -> Any:
    """One event that a projection fails on is left out; it must not keep all later ones from being read."""
    assert projection.prepare is not None
    try:
        return projection.prepare(rows, payloads)
    except PASSING:
        raise
    except Exception:
        good = [row for row in rows if _is_good(projection, row, payloads)]
        return projection.prepare(good, payloads)


def _is_good(projection: Projection, row: LedgerEventRow, payloads: Payloads) -> bool:
    assert projection.prepare is not None
    with item(f"event {row.id} ({row.type})"):
        projection.prepare([row], payloads)
        return True
    return False


def _index(store: Store, read: _Read, projections: Sequence[Projection]) -> int | None:
    """None when another process has read this part in the meantime, or forgot it: then it is at work on the rest."""
    key = read.file.key
    with store.writing():
        if store.ledger_offsets().get(key, 0) != read.start:
            return None
        new = store.index_events(key, read.end, read.rows, inode=_inode(read.file))
        fresh = read if new == len(read.rows) else _first_seen(store, read, projections)
        theirs = key.startswith(COLLECTED)
        for projection in (each for each in projections if each.collected or not theirs):
            _apply(store, projection, fresh if projection.once else read)
        return new


def _apply(store: Store, projection: Projection, read: _Read) -> None:
    if projection.prepare is not None:
        if projection.name in read.prepared:
            projection.apply(store, read.prepared[projection.name])
        return
    rows = [LedgerEventRow._make(row) for row in read.rows if row[1] in projection.types]
    if rows:
        projection.apply(store, rows)


def _first_seen(store: Store, read: _Read, projections: Sequence[Projection]) -> _Read:
    """Without events that another file told of before, or a line above."""
    added = store.came_from(read.file.key, read.start, read.end, [row[0] for row in read.rows])
    rows = {row[0]: LedgerEventRow._make(row) for row in reversed(read.rows) if row[0] in added}
    prepared = _prepared(projections, list(rows.values()), {id: json.loads(row.payload) for id, row in rows.items()})
    return read._replace(rows=[tuple(row) for row in rows.values()], prepared=prepared)


# --- lines ----------------------------------------------------------------------------------------------------------


_HEAD = (
    r'\{"v":1,"id":"([0-9A-Za-z-]{1,64})","type":"([a-z_]{1,64})",'
    r'"at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})\.([0-9]{3})Z",'
    r'"worktree":"([a-z0-9-]{1,80})","payload":(?=\{)'
)
"""How the journal begins a line. Such a line needs not be taken apart and put together again: that one JSON object
follows, and then the end, is all that is left to find out."""


def event_rows(key: str, block: Block, payloads: dict[str, Mapping[str, Any]] | None = None) -> list[LedgerEventRow]:
    """The events of some lines; what is none is left out. What they say is put beside, where that is wanted."""
    head, scan = re.compile(_HEAD).match, json.JSONDecoder().raw_decode
    said: dict[str, Mapping[str, Any]] = {} if payloads is None else payloads
    rows, offset, second, second_ms = [], block.start, "", 0
    for line in block.lines:
        try:
            text = line.decode()
            match = head(text)
            start = match.end() if match else 0
            payload, end = scan(text, start) if match else ({}, 0)
            if match is not None and text[end:] == "}\n":
                event_id, kind, at, ms, worktree = match.groups()
                if at != second:
                    second, second_ms = at, int(datetime.fromisoformat(f"{at}+00:00").timestamp()) * 1000
                rows.append(LedgerEventRow(event_id, kind, second_ms + int(ms), worktree, key, offset, text[start:end]))
                said[event_id] = payload
                offset += len(line)
                continue
        except (ValueError, RecursionError):
            pass
        event = parse_event(line)
        if isinstance(event, Event) and (row := _row(key, offset, event)):
            rows.append(row)
            said[row.id] = event.payload
        offset += len(line)
    return rows


def _row(key: str, offset: int, event: Event) -> LedgerEventRow | None:
    """None for an event that no index can hold: a time that is none, or names that are no Unicode."""
    at_ms = moment_ms(event.at)
    try:
        f"{event.id}{event.type}{event.worktree}".encode()
    except ValueError:
        return None
    if at_ms is None:
        return None
    return LedgerEventRow(event.id, event.type, at_ms, event.worktree, key, offset, json.dumps(event.payload))
