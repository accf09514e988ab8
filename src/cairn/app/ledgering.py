"""Reading what is new in the ledger's files into the store's index, and into what is derived from it."""

import gc
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from cairn.journal import EVENT_TYPES
from cairn.kernel.model.event import Event, moment_ms, parse_event
from cairn.kernel.ports.events import LedgerEventRow
from cairn.kernel.ports.ledger import COLLECTED, Block, Ledger, LedgerFile
from cairn.kernel.ports.store import Store


class Projection(NamedTuple):
    """Tables that are made of certain events. `apply` gets them in batches, within the transaction that also moves the
    offset; it may get an event again or in another order, and the tables must come out the same."""

    name: str
    types: frozenset[str]
    apply: "Callable[[Store, Sequence[LedgerEventRow], Payloads], None]"
    collected: bool = False
    """Whether it is also about what happened elsewhere."""
    once: bool = False
    """It adds up, so it gets no event twice, however many files have it."""
    settle: Callable[[Store], None] | None = None
    """What is left to do when everything was read."""


Payloads = Mapping[str, Mapping[str, Any]]
"""What events say, by their ids: reading a line takes it apart anyway, and twice would take twice as long."""


def _turns(store: Store, rows: Sequence[LedgerEventRow], _: Payloads) -> None:
    from cairn.app.turn_tables import apply_turns

    apply_turns(store, rows)


def _gaps(store: Store, rows: Sequence[LedgerEventRow], payloads: Payloads) -> None:
    from cairn.observe.tally import tally

    gaps = store.gaps
    ids, times, worktrees = (map(itemgetter(place), rows) for place in (0, 2, 3))
    signals = zip(times, worktrees, map(payloads.__getitem__, ids), strict=True)
    gaps.add(tally(signals, gaps.names("project"), gaps.names("worktree")))


def _settle_gaps(store: Store) -> None:
    store.gaps.settle()


_TURNS = frozenset(kind for kind in EVENT_TYPES if kind.startswith(("turn_", "alert_", "target_")))

PROJECTIONS: tuple[Projection, ...] = (
    Projection("turns", _TURNS, _turns),
    Projection("gaps", frozenset({"knowledge_gap_signal"}), _gaps, collected=True, once=True, settle=_settle_gaps),
)


def index_ledger(ledger: Ledger, store: Store, projections: Sequence[Projection] = PROJECTIONS) -> int:
    """From where the last time ended; how many events were new. A line that makes no sense is passed over."""
    files = ledger.files(collected=True)
    if _was_purged(files, store):
        store.clear_index()
    offsets = store.ledger_offsets()
    behind = [file for file in files if offsets.get(file.key) != file.size]
    with _undisturbed():
        new = sum(_index_file(ledger, store, file, offsets.get(file.key, 0), projections) for file in behind)
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


def _index_file(ledger: Ledger, store: Store, file: LedgerFile, offset: int, projections: Sequence[Projection]) -> int:
    new = 0
    for block in ledger.blocks(file.name, offset):
        added = _index(store, file, block, projections)
        if added is None:
            break
        new += added
    return new


def _index(store: Store, file: LedgerFile, block: Block, projections: Sequence[Projection]) -> int | None:
    """None when another process has read this part in the meantime, or forgot it: then it is at work on the rest."""
    payloads: dict[str, Mapping[str, Any]] = {}
    rows = event_rows(file.key, block, payloads)
    with store.writing():
        if store.ledger_offsets().get(file.key, 0) != block.start:
            return None
        new = store.index_events(file.key, block.end, rows, inode=_inode(file))
        fresh = rows if new == len(rows) else _first_seen(store, file.key, block, rows)
        theirs = file.key.startswith(COLLECTED)
        for projection in (each for each in projections if each.collected or not theirs):
            known = fresh if projection.once else rows
            if wanted := [row for row in known if row.type in projection.types]:
                projection.apply(store, wanted, payloads)
        return new


def _first_seen(store: Store, key: str, block: Block, rows: Sequence[LedgerEventRow]) -> list[LedgerEventRow]:
    """Without events that another file told of before, or a line above."""
    added = store.came_from(key, block.start, block.end, [row.id for row in rows])
    return list({row.id: row for row in reversed(rows) if row.id in added}.values())[::-1]


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
