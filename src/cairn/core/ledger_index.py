"""Reading what is new in the ledger's files into the store's index, and into what is derived from it."""

import gc
import json
import marshal
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import accumulate
from typing import Any, Final, NamedTuple

from cairn.core.isolate import PASSING, item
from cairn.core.model.event import Event, IndexedLedgerEvent, moment_ms, packed_id, parse_event, short_id, unpacked_id
from cairn.core.ports.ledger import (
    COLLECTED,
    EventKey,
    IndexedEvent,
    Ledger,
    LedgerBlock,
    LedgerEventRow,
    LedgerFile,
    LedgerPosition,
)
from cairn.core.ports.runtime import Here, Workers
from cairn.core.ports.store import Store


class Projection(NamedTuple):
    """Tables that are made of certain events. `apply` gets them in batches, within the transaction that also moves the
    offset; it may get an event again or in another order, and the tables must come out the same."""

    name: str
    types: frozenset[str]
    apply: Callable[[Store, Any], None]
    """Gets what was prepared."""
    prepare: Callable[[Sequence[IndexedLedgerEvent]], Any]
    """What can be done without the store; for much at once, in other processes. Makes plain values, which `marshal`
    writes: texts, numbers, bytes, and tuples, lists and dictionaries of them."""
    collected: bool = False
    """Whether it is also about what happened elsewhere."""
    once: bool = False
    """It adds up, so it gets no event twice, however many files have it."""
    settle: Callable[[Store], None] | None = None
    """What is left to do when everything was read."""


def index_ledger(
    ledger: Ledger, store: Store, projections: Sequence[Projection], *, workers: Callable[[], Workers] = Here
) -> int:
    """From where the last time ended; how many events were new. A line that makes no sense is passed over."""
    # Before the files, which only grow: what another process reads meanwhile is not taken for a file that shrank.
    positions = store.ledger_positions()
    files = ledger.files(collected=True)
    if _was_purged(files, positions):
        store.clear_index()
    offsets = store.ledger_offsets()
    behind = [file for file in files if offsets.get(file.key) != file.size]
    with _undisturbed(), store.roomy():
        size = sum(file.size - offsets.get(file.key, 0) for file in behind)
        several = workers() if size >= WORTH_SHARING else Here()
        new = _index_files(ledger, store, [(file, offsets.get(file.key, 0)) for file in behind], projections, several)
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


def _was_purged(files: Sequence[LedgerFile], positions: Mapping[str, LedgerPosition]) -> bool:
    """Whether anything that was read is not there any more. Then all of it is read again: what was dropped from one
    file may stand in another one, too."""
    there = {file.key: file for file in files}
    return any(
        key not in there or there[key].size < position.offset or position.inode not in (0, _inode(there[key]))
        for key, position in positions.items()
    )


def _inode(file: LedgerFile) -> int:
    return file.inode & 0x7FFF_FFFF_FFFF_FFFF


WORTH_SHARING: Final = 32 * 1024 * 1024
"""Bytes from which on several processes read lines, while this one writes what they say."""


class _Read(NamedTuple):
    """What one block says."""

    file: LedgerFile
    start: int
    end: int
    said: bytes
    """Rows for the index and what was prepared, as `marshal` writes them: they may come from another process, and a
    million of them are several times as long under way otherwise."""


def _index_files(
    ledger: Ledger,
    store: Store,
    files: Sequence[tuple[LedgerFile, int]],
    projections: Sequence[Projection],
    workers: Workers,
) -> int:
    blocks = ((file, block) for file, offset in files for block in ledger.blocks(file.name, offset, inode=file.inode))
    new, elsewhere = 0, set[str]()
    with _Transactions(store) as transactions:
        for read in workers.map(lambda block: _read(*block, projections), blocks):
            transactions.next()
            added = None if read.file.key in elsewhere else _index(ledger, store, read, projections)
            if added is None:
                elsewhere.add(read.file.key)
            else:
                new += added
    return new


class _Transactions(ExitStack):
    """One for several blocks: pages that each of them changes are written once. None lasts so long that somebody who
    waits for it would give up."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._until = 0.0

    def next(self) -> None:
        if time.monotonic() >= self._until:
            self.close()
            self.enter_context(self._store.writing())
            self._until = time.monotonic() + _SECONDS


_SECONDS: Final = 1.5


def _read(file: LedgerFile, block: LedgerBlock, projections: Sequence[Projection]) -> _Read:
    events, offsets = read_events(block)
    if b"\\ud" in block.data or b"\\uD" in block.data:
        events = [event._replace(payload=_whole_letters(event.payload)) for event in events]
    rows = [(id, kind, at_ms, tree, at) for (id, kind, at_ms, _, tree), at in zip(events, offsets, strict=True)]
    return _Read(file, block.start, block.end, marshal.dumps((rows, _prepared(projections, events)), _PLAIN))


def _whole_letters(payload: Mapping[str, Any]) -> dict[str, Any]:
    """With a question mark for each half of a letter: no database holds one."""
    whole: dict[str, Any] = json.loads(json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace"))
    return whole


_PLAIN: Final = 2
"""The format of `marshal` that looks for no value that it wrote before."""


def _prepared(projections: Sequence[Projection], events: Sequence[IndexedLedgerEvent]) -> dict[str, Any]:
    return {
        projection.name: _prepare(projection, wanted)
        for projection in projections
        if (wanted := [event for event in events if event.kind in projection.types])
    }


def _prepare(projection: Projection, events: Sequence[IndexedLedgerEvent]) -> Any:
    """One event that a projection fails on is left out; it must not keep all later ones from being read."""
    try:
        return projection.prepare(events)
    except PASSING:
        raise
    except Exception:
        return projection.prepare([event for event in events if _is_good(projection, event)])


def _is_good(projection: Projection, event: IndexedLedgerEvent) -> bool:
    with item(f"event {unpacked_id(event.id, event.at_ms)} ({event.kind})"):
        projection.prepare([event])
        return True
    return False


def _index(ledger: Ledger, store: Store, read: _Read, projections: Sequence[Projection]) -> int | None:
    """None when another process has read this part in the meantime, or forgot it: then it is at work on the rest."""
    key = read.file.key
    with store.writing():
        if store.ledger_offsets().get(key, 0) != read.start:
            return None
        rows, prepared = marshal.loads(read.said)
        new = store.index_events(key, read.end, rows, inode=_inode(read.file))
        once = [each for each in projections if each.once]
        if new != len(rows):
            prepared = {
                **prepared,
                **dict.fromkeys(each.name for each in once),
                **_first_seen(ledger, store, read, rows, once),
            }
        theirs = key.startswith(COLLECTED)
        for projection in (each for each in projections if each.collected or not theirs):
            if (said := prepared.get(projection.name)) is not None:
                projection.apply(store, said)
        return new


def _first_seen(
    ledger: Ledger, store: Store, read: _Read, rows: Sequence[IndexedEvent], projections: Sequence[Projection]
) -> dict[str, Any]:
    """What is prepared without events that another file told of before, or a line above."""
    added = store.came_from(read.file.key, read.start, read.end, rows)
    events: dict[EventKey, IndexedLedgerEvent] = {}
    for block in ledger.blocks(read.file.name, read.start, inode=read.file.inode):
        for event in read_events(block)[0] if block.start < read.end else ():
            if event[:3] in added:
                events.setdefault(event[:3], event)
        if block.end >= read.end:
            break
    return _prepared(projections, list(events.values()))


# --- lines ----------------------------------------------------------------------------------------------------------


_LINE: Final = (
    r'^\{"v":1,"id":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})","type":"([a-z_]{1,64})",'
    r'"at":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2})(:[0-5][0-9]:[0-5][0-9])\.([0-9]{3})Z",'
    r'"worktree":"([a-z0-9-]{1,80})","payload":(\{.*\})\}$'
)
"""How the journal writes a line. Of many such lines all payloads are read at once, which takes half as long."""


def read_events(block: LedgerBlock) -> tuple[list[IndexedLedgerEvent], Sequence[int]]:
    """The events of some lines, and where each line begins; what is none is left out."""
    try:
        found = re.compile(_LINE, re.MULTILINE).findall(block.data.decode())
        if len(found) == block.data.count(b"\n"):
            payloads = _payloads([line[-1] for line in found])
            hours, seconds = _Hours(), _Seconds()
            events = [
                IndexedLedgerEvent(
                    short_id(bytes.fromhex(id.replace("-", "")), at_ms := hours[hour] + seconds[second] + int(ms)),
                    kind,
                    at_ms,
                    payload,
                    tree,
                )
                for (id, kind, hour, second, ms, tree, _), payload in zip(found, payloads, strict=True)
            ]
            return events, list(accumulate(map(len, block.lines), initial=block.start))[:-1]
    except (ValueError, RecursionError):
        pass
    return _read_each(block)


def _payloads(texts: Sequence[str]) -> list[dict[str, Any]]:
    """All of them as one JSON array. Between any two is a number that nobody knows, so that a text that is not one
    value, and the rest of it in the next, cannot pass for two."""
    between = int.from_bytes(os.urandom(7), "big")
    values: list[Any] = json.loads(f"[{f',{between},'.join(texts)}]")
    if len(values) != 2 * len(texts) - 1 or any(value != between for value in values[1::2]):
        raise ValueError
    return values[::2]


class _Hours(dict[str, int]):
    """Milliseconds since 1970 by the beginning of a time."""

    def __missing__(self, text: str) -> int:
        found = self[text] = int(datetime.fromisoformat(f"{text}:00:00+00:00").timestamp()) * 1000
        return found


class _Seconds(dict[str, int]):
    """Milliseconds by the minute and second behind the hour."""

    def __missing__(self, text: str) -> int:
        found = self[text] = (int(text[1:3]) * 60 + int(text[4:6])) * 1000
        return found


def _read_each(block: LedgerBlock) -> tuple[list[IndexedLedgerEvent], Sequence[int]]:
    events, offsets, offset = [], [], block.start
    for line in block.lines:
        event = parse_event(line)
        if isinstance(event, Event) and (told := _told(event)):
            events.append(told)
            offsets.append(offset)
        offset += len(line)
    return events, offsets


def _told(event: Event) -> IndexedLedgerEvent | None:
    """None for an event that no index can hold: a time that is none, or names that are no Unicode."""
    at_ms = moment_ms(event.at)
    try:
        f"{event.id}{event.type}{event.worktree}".encode()
    except ValueError:
        return None
    return (
        None
        if at_ms is None
        else IndexedLedgerEvent(packed_id(event.id, at_ms), event.type, at_ms, event.payload, event.worktree)
    )


def event_rows(key: str, block: LedgerBlock) -> list[LedgerEventRow]:
    """The events of some lines of a file, with what they say."""
    return [
        LedgerEventRow(unpacked_id(id, at_ms), kind, at_ms, tree, key, offset, json.dumps(payload))
        for (id, kind, at_ms, payload, tree), offset in zip(*read_events(block), strict=True)
    ]
