"""Turns as people look at them: each with its note, and how they ended day by day."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from cairn.capture.watchdog import Counts, count
from cairn.core.ports.turns import NoteFilter, NoteRow, TurnFilter, TurnRow
from cairn.errors import NotFound, UsageError

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts


class ListTurnsOptions(NamedTuple):
    source: str = ""
    agent: str = ""
    session: str = ""
    stage: str = ""
    project: str = ""
    type: str = ""
    outcome: str = ""
    words: tuple[str, ...] = ()
    low: bool = False
    since_ms: int = 0
    limit: int = 50
    offset: int = 0


class ListedTurn(NamedTuple):
    turn: TurnRow
    note: NoteRow | None = None
    seen_count: int = 0


class TurnPage(NamedTuple):
    turns: list[ListedTurn]
    more: int
    """How many follow, counted up to `COUNTED`."""


COUNTED: Final = 1_000


def list_turns(ports: "CapturePorts", wanted: ListTurnsOptions) -> TurnPage:
    """Newest first; with words, best first. Notes of low visibility only when asked for, expired ones never."""
    ports.index_ledger()
    if wanted.type or wanted.words:
        if wanted.outcome not in ("", "completed"):
            raise UsageError(f"a turn that is {wanted.outcome} has no note; leave --type and the words out")
        return _by_notes(ports, wanted)
    return _by_turns(ports, wanted)


def _by_notes(ports: "CapturePorts", wanted: ListTurnsOptions) -> TurnPage:
    fields = {name: getattr(wanted, name) for name in ("source", "agent", "session", "stage", "project", "type")}
    filters = NoteFilter(**fields, since_ms=wanted.since_ms, now_ms=ports.clock.now_ms(), low=wanted.low)
    filters = filters._replace(words=wanted.words, limit=wanted.limit + COUNTED, offset=wanted.offset)
    found = ports.store.turns.notes(filters)
    shown = found[: wanted.limit]
    turns = ports.store.turns.turn_rows([seen.note.turn_id for seen in shown])
    return TurnPage(
        [ListedTurn(turns[seen.note.turn_id], seen.note, seen.seen_count) for seen in shown], _more(found, shown)
    )


def _by_turns(ports: "CapturePorts", wanted: ListTurnsOptions) -> TurnPage:
    fields = {name: getattr(wanted, name) for name in ("source", "agent", "session", "stage", "project", "outcome")}
    filters = TurnFilter(**fields, since_ms=wanted.since_ms, limit=wanted.limit + COUNTED, offset=wanted.offset)
    tables = ports.store.turns
    found = tables.listed(filters, now_ms=ports.clock.now_ms(), low=wanted.low)
    shown = found[: wanted.limit]
    noted = [turn for turn, has_note in shown if has_note]
    turns, notes, seen = (
        tables.turn_rows([turn for turn, _ in shown]),
        tables.note_rows(noted),
        tables.seen_counts(noted),
    )
    return TurnPage([ListedTurn(turns[id], notes.get(id), seen.get(id, 0)) for id, _ in shown], _more(found, shown))


def _more(found: Sequence[object], shown: Sequence[object]) -> int:
    return len(found) - len(shown)


def show_turn(ports: "CapturePorts", name: str) -> ListedTurn:
    """By its id, or by that of its note."""
    ports.index_ledger()
    tables = ports.store.turns
    for turn_id in (name, name.removeprefix("turn:"), name.removeprefix("note:")):
        if turn := tables.turn_rows([turn_id]).get(turn_id):
            note = tables.note_rows([turn_id]).get(turn_id)
            if note is None:
                return ListedTurn(turn)
            return ListedTurn(turn, note, tables.seen_counts([turn_id])[turn_id])
    raise NotFound(f"there is no turn `{name}`; `cairn turns list` shows their ids")


def clear_target(ports: "CapturePorts", target: str, *, by: str) -> int:
    """Say that failed attempts at something are history; how many notes that is."""
    ports.index_ledger()
    now_ms = ports.clock.now_ms()
    notes = ports.store.turns.notes(NoteFilter(type="failed_target", now_ms=now_ms, low=True))
    own = [seen for seen in notes if seen.note.target == target[:200]]
    if not own:
        names = sorted({seen.note.target for seen in notes if seen.note.target})
        known = f"; there are {', '.join(names[:5])}" if names else "; there is none at all"
        raise NotFound(f"no failed attempt at `{target}` is known{known}")
    ports.ledger.append("target_cleared", {"target": target[:200], "by": by}, now_ms=now_ms)
    ports.index_ledger()
    return len(own)


def turn_json(listed: ListedTurn) -> dict[str, Any]:
    from cairn.journal import iso_utc

    turn = listed.turn

    def at(ms: int | None) -> str | None:
        return None if ms is None else iso_utc(ms)

    return {
        "turnId": turn.turn_id,
        "source": turn.source,
        "agent": turn.agent,
        "channel": turn.channel or None,
        "session": turn.session or None,
        "turnNumber": turn.turn_number,
        "host": turn.host or None,
        "stage": turn.stage or None,
        "project": turn.project or None,
        "internal": bool(turn.internal),
        "eligibleAt": at(turn.eligible_at_ms),
        "outcome": turn.outcome or None,
        "endedAt": at(turn.ended_at_ms),
        "reason": turn.reason or None,
        "duplicateOf": turn.duplicate_of or None,
        "attempts": turn.attempts,
        "note": None if listed.note is None else note_json(listed.note, listed.seen_count),
    }


def note_json(note: NoteRow, seen_count: int) -> dict[str, Any]:
    import json

    from cairn.journal import iso_utc

    return {
        "id": f"turn:{note.turn_id}",
        "type": note.type,
        "title": note.title,
        "summary": note.summary,
        "decision": note.decision or None,
        "evidence": json.loads(note.evidence),
        "tags": json.loads(note.tags),
        "context": json.loads(note.context),
        "occurredAt": note.occurred_at or None,
        "score": note.score,
        "visibility": "low" if note.low else "normal",
        "expiresAt": None if note.expires_at_ms is None else iso_utc(note.expires_at_ms),
        "createdAt": iso_utc(note.created_at_ms),
        "updatedAt": iso_utc(note.updated_at_ms),
        "revision": note.revision,
        "seenCount": seen_count,
        "taint": note.taint or None,
    }


def window_rows(ports: "CapturePorts", since_ms: int) -> Sequence[TurnRow]:
    ports.index_ledger()
    return ports.store.turns.turns(TurnFilter(since_ms=since_ms))


By = Literal["day", "source", "agent", "stage", "host"]
BY: Final[tuple[By, ...]] = ("day", "source", "agent", "stage", "host")
DAY_MS: Final = 86_400_000
NONE: Final = "(none)"


class TrendRow(NamedTuple):
    key: str
    counts: Counts
    lag_p95_ms: int | None
    """From the end of the turn to its outcome, for 95 of 100 turns at most that."""
    days: tuple[int, ...]
    """Eligible turns of each day of the window, the last one today."""

    def json(self) -> dict[str, Any]:
        ratio = self.counts.ratio
        numbers = {**self.counts._asdict(), "ratio": None if ratio is None else round(ratio, 4)}
        return {"key": self.key, **numbers, "lagP95Ms": self.lag_p95_ms, "days": list(self.days)}


def trend(rows: Sequence[TurnRow], *, by: By, days: int, now_ms: int, grace_ms: int) -> list[TrendRow]:
    """Days in their order, with those on which nothing was; others by how many turns they had."""
    grouped: dict[str, list[TurnRow]] = {day: [] for day in _days(now_ms, days)} if by == "day" else {}
    key: Callable[[TurnRow], str] = _day_of if by == "day" else lambda row: getattr(row, by) or NONE
    for row in rows:
        grouped.setdefault(key(row), []).append(row)
    found = [_row(name, group, days, now_ms, grace_ms) for name, group in grouped.items()]
    return sorted(found, key=lambda r: r.key if by == "day" else (-r.counts.eligible, r.key))


def total(rows: Sequence[TurnRow], *, days: int, now_ms: int, grace_ms: int) -> TrendRow:
    return _row("all", rows, days, now_ms, grace_ms)


def _row(key: str, rows: Sequence[TurnRow], days: int, now_ms: int, grace_ms: int) -> TrendRow:
    per_day = dict.fromkeys(_days(now_ms, days), 0)
    for row in rows:
        if (day := _day_of(row)) in per_day:
            per_day[day] += 1
    counts = count(rows, now_ms=now_ms, grace_ms=grace_ms)
    return TrendRow(key, counts, p95(_lags(rows)), tuple(per_day.values()))


def _days(now_ms: int, days: int) -> list[str]:
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    return [(today - timedelta(days=back)).isoformat() for back in range(days - 1, -1, -1)]


def _day_of(row: TurnRow) -> str:
    at = row.eligible_at_ms if row.eligible_at_ms is not None else row.ended_at_ms or 0
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _lags(rows: Iterable[TurnRow]) -> list[int]:
    times = ((row.told_at_ms or row.eligible_at_ms, row.ended_at_ms) for row in rows)
    return [max(0, end - begin) for begin, end in times if begin is not None and end is not None]


def p95(values: Sequence[int]) -> int | None:
    """The smallest value that 95 of 100 don't exceed."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 95 // 100) - 1]
