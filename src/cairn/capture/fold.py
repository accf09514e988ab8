"""Turns, notes and alerts out of events. Whatever order they come in, and however often, the rows are the same.

For each part of a row there is an order of the events that could tell it, and the first in that order does. So nothing
has to be counted, and an event that is seen again changes nothing.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from cairn.capture.fingerprint import gist, note_number
from cairn.kernel.model.turn import TurnOutcome
from cairn.kernel.ports.events import LedgerEventRow
from cairn.kernel.ports.turns import BEGUN, AlertRow, NoteRow, TurnRow

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
_ENDS: Final = {
    "turn_completed": (0, TurnOutcome.COMPLETED),
    "turn_skipped": (1, TurnOutcome.SKIPPED),
    "turn_failed": (2, TurnOutcome.FAILED),
    "turn_interrupted": (3, TurnOutcome.INTERRUPTED),
}
"""A note outlives a skip, both outlive a failure, and all of them an interruption."""
_LARGEST: Final = 2**53
_LONGEST: Final = 4_096


class Told(NamedTuple):
    """An event, with its payload read."""

    id: str
    kind: str
    at_ms: int
    payload: Mapping[str, Any]
    worktree: str = ""

    def key(self, rank: int) -> str:
        return f"{rank:02d}{max(0, self.at_ms):015d}{self.id}"

    def text(self, name: str, longest: int = 300) -> str:
        value = self.payload.get(name)
        return value[:longest] if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        value = self.payload.get(name)
        return value if type(value) is int and 0 <= value <= _LARGEST else None

    def packed(self, name: str, empty: list[Any] | dict[str, Any]) -> str:
        """A list or an object, as JSON; the empty one where there is something else."""
        value = self.payload.get(name)
        return json.dumps(value if isinstance(value, type(empty)) else empty, ensure_ascii=False)


def told(rows: Iterable[LedgerEventRow]) -> list[Told]:
    found = [Told(row.id, row.type, row.at_ms, json.loads(row.payload), row.worktree) for row in rows]
    return [one for one in found if isinstance(one.payload, Mapping)]


def by_turn(events: Iterable[Told]) -> dict[str, list[Told]]:
    """An event without a turn that could be named belongs nowhere."""
    found: dict[str, list[Told]] = {}
    for event in events:
        turn = event.payload.get("turn_id")
        if isinstance(turn, str) and 0 < len(turn) <= 300:
            found.setdefault(turn, []).append(event)
    return found


# --- turns ----------------------------------------------------------------------------------------------------------


def fold_turn(row: TurnRow, event: Told) -> TurnRow:
    for step in (_facts, _eligibility, _outcome, _attempt):
        row = step(row, event)
    return row


def _facts(row: TurnRow, event: Told) -> TurnRow:
    key = event.key(_TELLS[event.kind])
    # A hook does not know the project, and whoever settles the turn does.
    row = row._replace(project=max(row.project, event.text("project")))
    if row.told_by and row.told_by <= key:
        return row
    return row._replace(
        told_by=key,
        worktree=event.worktree,
        source=event.text("source") or "unknown",
        agent=event.text("agent") or "unknown",
        channel=event.text("channel"),
        session=event.text("session"),
        turn_number=event.number("turn_number"),
        host=event.text("host"),
        stage=event.text("stage"),
        internal=int(event.payload.get("internal") is True),
        message_id=event.text("message_id"),
        transcript=event.text("transcript", _LONGEST),
        start=event.number("start"),
        stop=event.number("end"),
        hash=event.text("hash"),
        tools=event.packed("tools", []),
        tool_errors=event.number("tool_errors") or 0,
    )


def _eligibility(row: TurnRow, event: Told) -> TurnRow:
    if event.kind not in ("turn_eligible", "turn_begun"):
        return row
    known = row.eligible_at_ms
    return row._replace(eligible_at_ms=event.at_ms if known is None else min(known, event.at_ms))


def _outcome(row: TurnRow, event: Told) -> TurnRow:
    if event.kind not in _ENDS:
        return row
    rank, outcome = _ENDS[event.kind]
    key = event.key(rank)
    if row.ended_by and row.ended_by <= key:
        return row
    return row._replace(
        ended_by=key,
        outcome=outcome.value,
        ended_at_ms=event.at_ms,
        reason=event.text("skip_reason") or event.text("error"),
        fingerprint=event.text("fingerprint"),
        duplicate_of=event.text("duplicate_of"),
    )


def _attempt(row: TurnRow, event: Told) -> TurnRow:
    number = event.number("attempt")
    if number is None:
        return row
    row = row._replace(attempts=max(row.attempts, number))
    key = event.key(min(number, 99))
    if event.kind not in ("turn_retrying", "turn_failed", "turn_interrupted") or key <= row.tried_by:
        return row
    return row._replace(tried_by=key, error=event.text("error"))


# --- notes ----------------------------------------------------------------------------------------------------------


def fold_note(row: NoteRow | None, event: Told) -> NoteRow | None:
    """The highest revision is what the note says; when it was first written stays."""
    if event.kind != "turn_completed":
        return row
    fresh = _note(event)
    if row is None:
        return fresh
    created = min(row.created_at_ms, fresh.created_at_ms)
    return max(row, fresh, key=lambda one: one.said_by)._replace(created_at_ms=created)


def _note(event: Told) -> NoteRow:
    revision = event.number("revision") or 1
    summary, decision = event.text("summary", _LONGEST), event.text("decision", _LONGEST)
    context = event.payload.get("context")
    target = context.get("target") if isinstance(context, Mapping) else None
    turn = str(event.payload["turn_id"])
    return NoteRow(
        id=note_number(turn),
        turn_id=turn,
        said_by=f"{min(revision, 999_999):06d}{event.key(0)}",
        source=event.text("source") or "unknown",
        agent=event.text("agent") or "unknown",
        channel=event.text("channel"),
        session=event.text("session"),
        turn_number=event.number("turn_number"),
        host=event.text("host"),
        stage=event.text("stage"),
        project=event.text("project"),
        title=event.text("title") or summary[:100],
        summary=summary,
        decision=decision,
        evidence=event.packed("evidence", []),
        tags=event.packed("tags", []),
        type=event.text("type") or "turn_note",
        context=event.packed("context", {}),
        target=target[:200] if isinstance(target, str) else "",
        occurred_at=event.text("occurred_at"),
        score=min(100, event.number("score") or 0),
        low=int(event.payload.get("visibility") == "low"),
        expires_at_ms=_moment(event.text("expires_at")),
        fingerprint=event.text("fingerprint"),
        gist=gist(summary, decision),
        created_at_ms=event.at_ms,
        updated_at_ms=event.at_ms,
        revision=revision,
        taint=event.text("taint"),
    )


def _moment(text: str) -> int | None:
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


# --- alerts ---------------------------------------------------------------------------------------------------------

_NEVER: Final = -1


def fold_alert(row: AlertRow | None, event: Told) -> AlertRow:
    row = row or AlertRow(event.text("key"), "", "", "", "", 0, "", _NEVER, None)
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
