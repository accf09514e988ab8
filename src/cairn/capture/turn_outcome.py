"""From a request to the events that tell what became of the turn: one outcome, however often it is said."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from cairn.capture.decide import DUPLICATE, Capture, Fault, Skip, decide, shorten
from cairn.capture.fingerprint import fingerprint, gist, note_digest
from cairn.capture.score import score
from cairn.capture.turn_request import NOTE_TYPES, settled
from cairn.core.model.change import Taint
from cairn.core.model.session import KEEP_TAGS, SCHEMA_VERSION, TurnOutcome, TurnRequest, Written
from cairn.journal import TURN_LIMIT, iso_utc

ATTEMPTS: Final = 3
"""How often a turn is tried before it has failed."""
DAY_MS: Final = 86_400_000
FAILED_DAYS: Final = 7
"""How long a failed attempt stays in what people find."""
_TITLE_LONGEST: Final = 100
_ROOM: Final = TURN_LIMIT - 1_024
"""What a payload may take of a line, with room for the envelope around it."""

EventOf = tuple[str, dict[str, Any]]


class Standing(NamedTuple):
    """What is known of a turn before a request about it."""

    eligible: bool = False
    outcome: str = ""
    reason: str = ""
    digest: str = ""
    """Of its note."""
    revision: int = 0
    note_score: int | None = None
    duplicate_of: str = ""


class Memory(Protocol):
    """What was said before, over restarts and in other processes."""

    def standing(self, turn_id: str) -> Standing: ...
    def said_by(self, source: str, session: str, fingerprint: str) -> str | None:
        """The turn of this session that said and did just that, within a day."""
        ...

    def told_by(self, gist: str) -> str | None:
        """The turn whose note says the same."""
        ...

    def recent_words(self) -> Sequence[frozenset[str]]: ...


class Policy(NamedTuple):
    skip_reasons: tuple[str, ...] = ()
    """That the workspace declares beside the three."""
    threshold: int = 30
    """Notes that score less are shown to nobody who doesn't ask for them."""
    low_days: int = 14
    recalled: frozenset[str] = frozenset()
    producer: str = ""


class Processed(NamedTuple):
    events: tuple[EventOf, ...]
    """To be recorded all at once."""
    written: Written


def process(request: TurnRequest, *, memory: Memory, policy: Policy, now_ms: int, automatic: bool = False) -> Processed:
    turn = settled(request)
    before = memory.standing(turn.turn_id)
    begin = () if before.eligible else (eligible(turn, policy),)
    decision = decide(turn, declared=policy.skip_reasons, recalled=policy.recalled, automatic=automatic)
    if isinstance(decision, Capture) and (decision.turn.type or "turn_note") not in NOTE_TYPES:
        decision = Fault("invalid_type")
    if not isinstance(decision, Capture):
        return _without_note(turn, decision, before, begin, policy)
    turn = decision.turn
    is_new = before.outcome != TurnOutcome.COMPLETED
    if is_new and not _is_kept(turn) and (earlier := _said_before(turn, memory, automatic=automatic)):
        return _without_note(turn, Skip(DUPLICATE, earlier), before, begin, policy)
    return _noted(turn, before, begin, memory, policy, now_ms)


def _said_before(turn: TurnRequest, memory: Memory, *, automatic: bool) -> str | None:
    """The same words with the same tools in the same session. A note that somebody wrote on purpose is also compared
    with everybody's; the last words of a turn are not, since they say little about what was done."""
    mark = mark_of(turn)
    earlier = memory.said_by(turn.source, turn.session or "", mark)
    if earlier is None and not automatic:
        earlier = memory.told_by(gist(turn.summary or "", turn.decision))
    return earlier if earlier != turn.turn_id else None


def mark_of(turn: TurnRequest) -> str:
    return fingerprint(turn.source, turn.summary or "", [tool.name for tool in turn.tools])


# --- outcomes -------------------------------------------------------------------------------------------------------


def _without_note(
    turn: TurnRequest, decision: Skip | Fault, before: Standing, begin: tuple[EventOf, ...], policy: Policy
) -> Processed:
    """A turn that has a note keeps it, whatever is said afterwards; a skip outlives a failure, not the other way."""
    skip = isinstance(decision, Skip)
    if before.outcome and not (skip and before.outcome == TurnOutcome.FAILED):
        return Processed(begin, _as_before(turn, before))
    if isinstance(decision, Skip):
        mark = mark_of(turn) if turn.summary else None
        fields = {"skip_reason": decision.reason, "duplicate_of": decision.duplicate_of, "fingerprint": mark}
        written = Written(turn.turn_id, TurnOutcome.SKIPPED, decision.reason, duplicate_of=decision.duplicate_of)
        return Processed((*begin, ("turn_skipped", {**_facts(turn, policy), **_given(fields)})), written)
    event = failure(turn, decision.code, attempt=1, policy=policy)
    return Processed((*begin, event), Written(turn.turn_id, TurnOutcome.FAILED, decision.code))


def _as_before(turn: TurnRequest, before: Standing) -> Written:
    outcome = TurnOutcome(before.outcome)
    if outcome is not TurnOutcome.COMPLETED:
        return Written(turn.turn_id, outcome, before.reason, duplicate_of=before.duplicate_of or None)
    return Written(turn.turn_id, outcome, "unchanged", f"turn:{turn.turn_id}", score=before.note_score)


def _noted(
    turn: TurnRequest, before: Standing, begin: tuple[EventOf, ...], memory: Memory, policy: Policy, now_ms: int
) -> Processed:
    again = before.outcome == TurnOutcome.COMPLETED
    points = before.note_score or 0 if again else score(turn, memory.recent_words()).total
    payload = fitted({**_facts(turn, policy), **_note(turn, points, policy, now_ms)})
    if again and note_digest(payload) == before.digest:
        return Processed(begin, _as_before(turn, before))
    result = "updated" if again else "inserted"
    payload |= {"result": result, "revision": before.revision + 1}
    low = payload["visibility"] == "low"
    written = Written(turn.turn_id, TurnOutcome.COMPLETED, result, f"turn:{turn.turn_id}", score=points, low=low)
    return Processed((*begin, ("turn_completed", payload)), written)


def _note(turn: TurnRequest, points: int, policy: Policy, now_ms: int) -> dict[str, Any]:
    kind = turn.type or "turn_note"
    is_asked_for = turn.taint is Taint.PERSON or _is_kept(turn) or kind != "turn_note"
    low = points < policy.threshold and not is_asked_for
    fields = {
        "title": title_of(turn.summary or ""),
        "summary": turn.summary,
        "decision": turn.decision,
        "evidence": list(turn.evidence),
        "tags": list(turn.tags),
        "type": kind,
        "context": context_of(turn),
        "occurred_at": turn.occurred_at or iso_utc(now_ms),
        "visibility": "low" if low else "normal",
        "expires_at": None if _is_kept(turn) else _expiry(kind, low, policy, now_ms),
        "fingerprint": mark_of(turn),
        "taint": turn.taint.word,
        "schema_version": SCHEMA_VERSION,
    }
    return {**_given(fields), "score": points}


def _is_kept(turn: TurnRequest) -> bool:
    """Whether somebody asked for it to become a page: it is neither scored away nor taken for a repetition."""
    return not set(KEEP_TAGS).isdisjoint(turn.tags)


def _expiry(kind: str, low: bool, policy: Policy, now_ms: int) -> str | None:
    days = FAILED_DAYS if kind == "failed_target" else policy.low_days if low else None
    return None if days is None else iso_utc(now_ms + days * DAY_MS)


def failed(turn: TurnRequest, error: str, *, attempt: int, policy: Policy) -> EventOf:
    """An attempt that came to nothing. Only the last one is the end of the turn."""
    if attempt < ATTEMPTS:
        named = {"turn_id": turn.turn_id, "source": turn.source, "attempt": attempt, "error": error[:200]}
        return "turn_retrying", named
    return failure(turn, error, attempt=attempt, policy=policy)


def failure(turn: TurnRequest, error: str, *, attempt: int, policy: Policy) -> EventOf:
    return "turn_failed", {**_facts(turn, policy), "error": error[:200], "attempt": attempt}


def interruption(turn: TurnRequest, why: str, *, policy: Policy) -> EventOf:
    """The turn was stopped, or its host went away before it was answered."""
    return "turn_interrupted", {**_facts(turn, policy), "error": why[:200], "attempt": 1}


# --- payloads -------------------------------------------------------------------------------------------------------


def eligible(turn: TurnRequest, policy: Policy, *, internal: bool = False) -> EventOf:
    more = {
        "tools": list(dict.fromkeys(tool.name for tool in turn.tools))[:100],
        "tool_errors": sum(tool.ok is False for tool in turn.tools),
        "branch": turn.context.get("branch"),
        "internal": True if internal else None,
        "schema_version": SCHEMA_VERSION,
    }
    return "turn_eligible", {**_facts(turn, policy), **_given(more)}


def _facts(turn: TurnRequest, policy: Policy) -> dict[str, Any]:
    return _given(
        {
            "turn_id": turn.turn_id,
            "source": turn.source,
            "agent": turn.agent,
            "channel": turn.channel,
            "session": turn.session,
            "turn_number": turn.turn_number,
            "host": turn.context.get("host"),
            "stage": turn.context.get("stage"),
            "project": turn.context.get("project"),
            "producer": policy.producer,
        }
    )


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What has a value; a ledger is read for years, and nothing is said best by saying nothing."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def context_of(turn: TurnRequest) -> dict[str, Any]:
    names = list(dict.fromkeys(tool.name for tool in turn.tools))[:20]
    return {**turn.context, **({"tool_names": names} if names else {})}


def title_of(summary: str) -> str:
    """The first line, as far as a line goes: a note is found by what it is about."""
    first = next((line.strip() for line in summary.splitlines() if line.strip()), summary)
    return shorten(first.lstrip("#*->• ").strip() or first, _TITLE_LONGEST)


def fitted(payload: dict[str, Any]) -> dict[str, Any]:
    """Small enough for a line of the ledger: rather fewer pointers than half a sentence."""
    while len(json.dumps(payload, ensure_ascii=False).encode()) > _ROOM:
        longest = max(("evidence", "tags", "summary"), key=lambda name: len(json.dumps(payload.get(name, ""))))
        value = payload[longest]
        payload = {**payload, longest: value[:-1] if isinstance(value, list) else shorten(value, len(value) * 3 // 4)}
    return payload
