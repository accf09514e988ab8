"""Reading what is new in the ledger's files into the store's index, and into what is derived from it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from cairn.journal import EVENT_TYPES
from cairn.kernel.model.event import Event
from cairn.kernel.ports.ledger import Ledger, LedgerFile
from cairn.kernel.ports.store import LedgerEventRow, Store

_BATCH = 5_000


class Projection(NamedTuple):
    """Tables that are made of certain events. `apply` gets them in batches, within the transaction that also moves the
    offset; it may get an event again or in another order, and the tables must come out the same."""

    name: str
    types: frozenset[str]
    apply: Callable[[Store, Sequence[LedgerEventRow]], None]


def _turns(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    from cairn.app.turn_tables import apply_turns

    apply_turns(store, rows)


_TURNS = frozenset(kind for kind in EVENT_TYPES if kind.startswith(("turn_", "alert_", "target_")))

PROJECTIONS: tuple[Projection, ...] = (Projection("turns", _TURNS, _turns),)


def index_ledger(ledger: Ledger, store: Store, projections: Sequence[Projection] = PROJECTIONS) -> int:
    """From where the last time ended; how many events were new. A line that makes no sense is passed over."""
    offsets = store.ledger_offsets()
    return sum(
        _index_file(
            ledger, store, file, 0 if offsets.get(file.key, 0) > file.size else offsets.get(file.key, 0), projections
        )
        for file in ledger.files()
        if offsets.get(file.key) != file.size
    )


def _index_file(ledger: Ledger, store: Store, file: LedgerFile, offset: int, projections: Sequence[Projection]) -> int:
    new = 0
    rows: list[LedgerEventRow] = []
    for end, event in ledger.read(file.name, offset):
        row = _row(file, offset, event) if isinstance(event, Event) else None
        if row is not None:
            rows.append(row)
        offset = end
        if len(rows) == _BATCH:
            new += _index(store, file, offset, rows, projections)
            rows = []
    return new + _index(store, file, offset, rows, projections)


def _index(
    store: Store, file: LedgerFile, offset: int, rows: Sequence[LedgerEventRow], projections: Sequence[Projection]
) -> int:
    with store.writing():
        new = store.index_events(file.key, offset, rows)
        for projection in projections:
            if wanted := [row for row in rows if row.type in projection.types]:
                projection.apply(store, wanted)
        return new


def _row(file: LedgerFile, offset: int, event: Event) -> LedgerEventRow | None:
    """None for an event that no index can hold: a time that is none, or names that are no Unicode."""
    import json

    at_ms = moment_ms(event.at)
    try:
        f"{event.id}{event.type}{event.worktree}".encode()
    except ValueError:
        return None
    if at_ms is None:
        return None
    payload = json.dumps(event.payload, sort_keys=True)
    return LedgerEventRow(event.id, event.type, at_ms, event.worktree, file.key, offset, payload)


def moment_ms(text: str) -> int | None:
    """The time of an event; None for a text that is none."""
    try:
        at = datetime.fromisoformat(text)
        return int(at.replace(tzinfo=at.tzinfo or UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
