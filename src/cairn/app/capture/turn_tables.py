"""The tables of turns, notes and alerts, brought up to date with a batch of the ledger's events."""

from collections.abc import Sequence

from cairn.capture.fold import (
    ALERT_TYPES,
    CLEARED_TYPES,
    TURN_TYPES,
    Told,
    by_turn,
    fold_alert,
    fold_note,
    fold_turn,
    told,
)
from cairn.kernel.ports.events import LedgerEventRow
from cairn.kernel.ports.store import Store
from cairn.kernel.ports.turns import AlertRow, NoteRow, TurnRow, TurnStore


def apply_turns(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    """Again or in another order, with the same result."""
    events = told(rows)
    _apply_turns(store.turns, [event for event in events if event.kind in TURN_TYPES])
    _apply_alerts(store.turns, [event for event in events if event.kind in ALERT_TYPES])
    _apply_cleared(store.turns, [event for event in events if event.kind in CLEARED_TYPES])


def _apply_turns(tables: TurnStore, events: list[Told]) -> None:
    grouped = by_turn(events)
    if not grouped:
        return
    turns, notes = tables.turn_rows(list(grouped)), tables.note_rows(list(grouped))
    folded: list[TurnRow] = []
    written: list[NoteRow] = []
    for turn, told_of_it in grouped.items():
        row, note = turns.get(turn, TurnRow(turn)), notes.get(turn)
        for event in told_of_it:
            row, note = fold_turn(row, event), fold_note(note, event)
        folded.append(row)
        if note is not None:
            written.append(note)
    tables.keep(folded, written)


def _apply_alerts(tables: TurnStore, events: list[Told]) -> None:
    known: dict[str, AlertRow] = {row.key: row for row in tables.alerts()} if events else {}
    changed: dict[str, AlertRow] = {}
    for event in events:
        if key := event.text("key"):
            changed[key] = fold_alert(changed.get(key) or known.get(key), event)
    if changed:
        tables.keep_alerts(list(changed.values()))


def _apply_cleared(tables: TurnStore, events: list[Told]) -> None:
    known = tables.cleared() if events else {}
    changed: dict[str, int] = {}
    for event in events:
        if target := event.text("target", 200):
            changed[target] = max(known.get(target, 0), changed.get(target, 0), event.at_ms)
    if changed:
        tables.keep_cleared(changed)
