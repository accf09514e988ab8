"""Turns, notes and alerts out of events. Whatever order they come in, and however often, the rows are the same.

For each part of a row there is an order of the events that could tell it, and the first in that order does. So nothing
has to be counted, and an event that is seen again changes nothing.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import reduce
from itertools import starmap
from operator import itemgetter
from typing import Any, Final, NamedTuple

from cairn.core.fingerprint import gist
from cairn.core.model.event import LARGEST_COUNT, LONG_TEXT, IndexedLedgerEvent, encode_payload, packed_id
from cairn.core.model.session import TurnOutcome
from cairn.core.ports.ledger import LedgerEventRow
from cairn.core.ports.store import Store
from cairn.core.ports.turns import BEGUN, AlertRow, NoteRow, TurnBatch, TurnRow, TurnStore, turn_batch, turn_number

TURN_TYPES: Final = frozenset(
    {
        "turn_begun",
        "turn_eligible",
        "turn_dispatched",
        "turn_started",
        "turn_retrying",
        "turn_completed",
        "turn_skipped",
        "turn_failed",
        "turn_interrupted",
    }
)
ALERT_TYPES: Final = frozenset({"alert_raised", "alert_resolved"})
CLEARED_TYPES: Final = frozenset({"target_cleared"})

_TELLS: Final = {
    "turn_eligible": 0,
    "turn_completed": 1,
    "turn_skipped": 2,
    "turn_failed": 3,
    "turn_retrying": 4,
    "turn_started": 5,
    "turn_dispatched": 6,
    "turn_interrupted": 3,
    "turn_begun": BEGUN,
}
"""Who knows best whose turn it was."""
_ENDS: Final = {"turn_completed": 0, "turn_skipped": 1, "turn_failed": 2, "turn_interrupted": 3}
"""A note outlives a skip, both outlive a failure, and all of them an interruption."""
_OUTCOMES: Final = {
    "turn_completed": TurnOutcome.COMPLETED.value,
    "turn_skipped": TurnOutcome.SKIPPED.value,
    "turn_failed": TurnOutcome.FAILED.value,
    "turn_interrupted": TurnOutcome.INTERRUPTED.value,
}
_BEGINS: Final = ("turn_eligible", "turn_begun")
_TRIES: Final = ("turn_retrying", "turn_failed", "turn_interrupted")
_LARGEST: Final = 2**53
_LONGEST: Final = 4_096


def told(rows: Iterable[LedgerEventRow]) -> list[IndexedLedgerEvent]:
    return [
        IndexedLedgerEvent(packed_id(row.id, row.at_ms), row.type, row.at_ms, json.loads(row.payload), row.worktree)
        for row in rows
    ]


def by_turn(events: Iterable[IndexedLedgerEvent]) -> dict[str, list[IndexedLedgerEvent]]:
    """An event without a turn that could be named belongs nowhere."""
    found: dict[str, list[IndexedLedgerEvent]] = {}
    for event in events:
        turn = event.payload.get("turn_id")
        if isinstance(turn, str) and 0 < len(turn) <= LONG_TEXT:
            found.setdefault(turn, []).append(event)
    return found


# --- turns ----------------------------------------------------------------------------------------------------------

_FACTS: Final = ("source", "agent", "channel", "session", "host", "stage")
"""Of a turn, and of a note."""
_TOLD: Final = (*_FACTS, "message_id", "hash")
_COUNTED: Final = (
    ("turn_number", LARGEST_COUNT),
    ("start", _LARGEST),
    ("end", _LARGEST),
    ("tool_errors", LARGEST_COUNT),
)
_ENDED: Final = ("skip_reason", "error", "fingerprint", "duplicate_of")
_SILENT: Final = ("",) * len(_ENDED)


def fold_turn(turn: str, events: Sequence[IndexedLedgerEvent]) -> TurnRow:
    """What became of a turn, as these of its events tell."""
    return TurnRow._make(turn_values(turn, events))


def turn_values(turn: str, events: Sequence[IndexedLedgerEvent]) -> tuple[Any, ...]:
    """Of a `TurnRow`. Hundreds of thousands are made at once, so each is made in one go."""
    told_by, teller = _first(events, _TELLS)
    ended_by, ender = _first(events, _ENDS)
    source, agent, channel, session, host, stage, message, hashed = teller.texts(_TOLD)
    skipped, error, fingerprint, original = ender.texts(_ENDED) if ended_by else _SILENT
    number, start, stop, errors = teller.numbers(_COUNTED)
    attempts, tried_by, failure = _attempts(events)
    return (
        turn,
        told_by,
        teller.worktree,
        source or "unknown",
        agent or "unknown",
        channel,
        session,
        host,
        stage,
        _project(events),
        int(teller.payload.get("internal") is True),
        teller.text("transcript", _LONGEST),
        number,
        message,
        start,
        stop,
        hashed,
        teller.list_of("tools"),
        errors or 0,
        min([event.at_ms for event in events if event.kind in _BEGINS], default=None),
        ended_by,
        _OUTCOMES[ender.kind] if ended_by else "",
        ender.at_ms if ended_by else None,
        skipped or error,
        fingerprint,
        original,
        tried_by,
        attempts,
        failure,
    )


_NOTHING: Final = IndexedLedgerEvent(b"", "", 0, {})


def _project(events: Sequence[IndexedLedgerEvent]) -> str:
    """A hook does not know it, and whoever settles the turn does."""
    return max([event.text("project") for event in events if "project" in event.payload], default="")


def _first(events: Sequence[IndexedLedgerEvent], ranks: Mapping[str, int]) -> tuple[bytes, IndexedLedgerEvent]:
    """Of the events that have a rank."""
    first, least, again = _NOTHING, _UNRANKED, False
    for event in events:
        rank = ranks.get(event.kind, _UNRANKED)
        if rank < least:
            first, least, again = event, rank, False
        elif rank == least < _UNRANKED:
            again = True
    if least == _UNRANKED:
        return b"", _NOTHING
    if not again:
        return first.key(least), first
    return min([(event.key(least), event) for event in events if ranks.get(event.kind) == least], key=itemgetter(0))


_UNRANKED: Final = 99


def _attempts(events: Sequence[IndexedLedgerEvent]) -> tuple[int, bytes, str]:
    """How many there were, the key of the last that did not succeed, and what it failed with."""
    counted = [event for event in events if "attempt" in event.payload]
    tried = [(number, event) for event in counted if (number := event.number("attempt")) is not None]
    if not tried:
        return 0, b"", ""
    keys = [(event.key(min(number, 99)), event.text("error")) for number, event in tried if event.kind in _TRIES]
    return max(number for number, _ in tried), *max(keys, default=(b"", ""))


def merge_turns(one: TurnRow, other: TurnRow) -> TurnRow:
    """Of two rows of one turn, each made of some of its events: the row that all of them make."""
    first, second = (one, other) if _least(one.told_by, other.told_by) else (other, one)
    ended = one if _least(one.ended_by, other.ended_by) else other
    tried = max(one, other, key=lambda row: row.tried_by)
    began = [row.eligible_at_ms for row in (one, other) if row.eligible_at_ms is not None]
    return first._replace(
        project=max(first.project, second.project),
        eligible_at_ms=min(began, default=None),
        **{name: getattr(ended, name) for name in _ENDING},
        attempts=max(one.attempts, other.attempts),
        tried_by=tried.tried_by,
        error=tried.error,
    )


_ENDING: Final = ("ended_by", "outcome", "ended_at_ms", "reason", "fingerprint", "duplicate_of")


def _least(one: bytes, other: bytes) -> bool:
    """Of two keys of events; an empty one says that there was none."""
    return bool(one) and (not other or one <= other)


# --- notes ----------------------------------------------------------------------------------------------------------


def fold_note(turn: str, events: Sequence[IndexedLedgerEvent]) -> NoteRow | None:
    """The highest revision is what the note says; when it was first written stays."""
    values = note_values(turn, events)
    return None if values is None else NoteRow._make(values)


def note_values(turn: str, events: Sequence[IndexedLedgerEvent]) -> tuple[Any, ...] | None:
    """Of a `NoteRow`."""
    notes = [_note(turn, event) for event in events if event.kind == "turn_completed"]
    if len(notes) > 1:
        return reduce(merge_notes, map(NoteRow._make, notes))
    return notes[0] if notes else None


def merge_notes(one: NoteRow, other: NoteRow) -> NoteRow:
    created = min(one.created_at_ms, other.created_at_ms)
    return max(one, other, key=lambda row: row.said_by)._replace(created_at_ms=created)


_TEXTS: Final = (*_FACTS, "project", "title", "type", "occurred_at", "expires_at", "taint")


def _note(turn: str, event: IndexedLedgerEvent) -> tuple[Any, ...]:
    source, agent, channel, session, host, stage, project, title, kind, occurred, expires, taint = event.texts(_TEXTS)
    revision = event.number("revision") or 1
    summary, decision = event.text("summary", _LONGEST), event.text("decision", _LONGEST)
    context = event.payload.get("context")
    target = context.get("target") if isinstance(context, dict) else None
    return (
        turn_number(turn),
        turn,
        min(revision, 999_999).to_bytes(3, "big") + event.key(0),
        source or "unknown",
        agent or "unknown",
        channel,
        session,
        host,
        stage,
        project,
        event.number("turn_number"),
        title or summary[:100],
        summary,
        decision,
        event.list_of("evidence"),
        event.list_of("tags"),
        kind or "turn_note",
        encode_payload(context) if isinstance(context, dict) else "{}",
        target[:200] if isinstance(target, str) else "",
        occurred,
        min(100, event.number("score") or 0),
        int(event.payload.get("visibility") == "low"),
        _moment(expires) if expires else None,
        gist(summary, decision),
        event.at_ms,
        event.at_ms,
        revision,
        taint,
    )


def _moment(text: str) -> int | None:
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


# --- alerts ---------------------------------------------------------------------------------------------------------

_NEVER: Final = -1


def fold_alert(row: AlertRow | None, event: IndexedLedgerEvent) -> AlertRow:
    row = row or AlertRow(event.text("key"), "", "", "", "", 0, b"", _NEVER, None)
    if event.kind == "alert_resolved":
        return row._replace(resolved_at_ms=max(row.resolved_at_ms or _NEVER, event.at_ms))
    key = event.key(0)
    if key <= row.raised_by:
        return row
    return AlertRow(
        row.key,
        event.text("kind"),
        event.text("source"),
        event.text("severity"),
        event.text("text", 500),
        event.number("count") or 0,
        key,
        event.at_ms,
        row.resolved_at_ms,
    )


class TurnRowBatch(NamedTuple):
    """What a batch of events says, each turn by itself. All of it is plain, since it may come from another process."""

    facts: dict[int, tuple[Any, ...]]
    turns: list[tuple[Any, ...]]
    notes: list[tuple[Any, ...]]
    """As in a `TurnBatch`."""
    others: list[tuple[Any, ...]]
    """About alerts, and about what was cleared: the values of a `IndexedLedgerEvent` each."""


def fold_events(events: Sequence[IndexedLedgerEvent]) -> TurnRowBatch:
    turns = by_turn(event for event in events if event.kind in TURN_TYPES)
    notes = starmap(note_values, turns.items())
    batch = turn_batch(starmap(turn_values, turns.items()), (note for note in notes if note is not None))
    return TurnRowBatch(*batch, [tuple(event) for event in events if event.kind not in TURN_TYPES])


def apply_turns(store: Store, rows: Sequence[LedgerEventRow]) -> None:
    """Again or in another order, with the same result."""
    apply_folded(store, fold_events(told(rows)))


def apply_folded(store: Store, folded: TurnRowBatch) -> None:
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
