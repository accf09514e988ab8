"""The tables of turns, notes and alerts, brought up to date with a batch of the ledger's events."""

from collections.abc import Sequence
from itertools import starmap
from typing import Any, NamedTuple

from cairn.capture.turn_rows import (
    ALERT_TYPES,
    CLEARED_TYPES,
    TURN_TYPES,
    by_turn,
    fold_alert,
    merge_notes,
    merge_turns,
    note_values,
    told,
    turn_values,
)
from cairn.core.model.event import IndexedLedgerEvent
from cairn.core.ports.ledger import LedgerEventRow
from cairn.core.ports.store import Store
from cairn.core.ports.turns import AlertRow, TurnBatch, TurnStore, turn_batch


class Folded(NamedTuple):
    """What a batch of events says, each turn by itself. All of it is plain, since it may come from another process."""

    facts: dict[int, tuple[Any, ...]]
    turns: list[tuple[Any, ...]]
    notes: list[tuple[Any, ...]]
    """As in a `TurnBatch`."""
    others: list[tuple[Any, ...]]
    """About alerts, and about what was cleared: the values of a `IndexedLedgerEvent` each."""


def fold_events(events: Sequence[IndexedLedgerEvent]) -> Folded:
    turns = by_turn(event for event in events if event.kind in TURN_TYPES)
    notes = starmap(note_values, turns.items())
    batch = turn_batch(starmap(turn_values, turns.items()), (note for note in notes if note is not None))
    return Folded(*batch, [tuple(event) for event in events if event.kind not in TURN_TYPES])


def apply_turns(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    """Again or in another order, with the same result."""
    apply_folded(store, fold_events(told(rows)))


def apply_folded(store: Store, folded: Folded) -> None:
    if folded.turns:
        _apply_turns(store.turns, TurnBatch(*folded[:3]))
    others = [IndexedLedgerEvent._make(event) for event in folded.others]
    _apply_alerts(store.turns, [event for event in others if event.kind in ALERT_TYPES])
    _apply_cleared(store.turns, [event for event in others if event.kind in CLEARED_TYPES])


def _apply_turns(tables: TurnStore, batch: TurnBatch) -> None:
    known, noted = tables.known([row[0] for row in batch.turns])
    if known:
        turns = [merge_turns(known[row[0]], batch.turn(row)) for row in batch.turns if row[0] in known]
        notes = [batch.note(row) for row in batch.notes if row[0] in known]
        tables.keep(turns, [merge_notes(noted[row.id], row) if row.id in noted else row for row in notes])
        batch = batch._replace(
            turns=[row for row in batch.turns if row[0] not in known],
            notes=[row for row in batch.notes if row[0] not in known],
        )
    tables.add(batch)


def _apply_alerts(tables: TurnStore, events: list[IndexedLedgerEvent]) -> None:
    known: dict[str, AlertRow] = {row.key: row for row in tables.alerts()} if events else {}
    changed: dict[str, AlertRow] = {}
    for event in events:
        if key := event.text("key"):
            changed[key] = fold_alert(changed.get(key) or known.get(key), event)
    if changed:
        tables.keep_alerts(list(changed.values()))


def _apply_cleared(tables: TurnStore, events: list[IndexedLedgerEvent]) -> None:
    known = tables.cleared() if events else {}
    changed: dict[str, int] = {}
    for event in events:
        if target := event.text("target", 200):
            changed[target] = max(known.get(target, 0), changed.get(target, 0), event.at_ms)
    if changed:
        tables.keep_cleared(changed)
