"""From a request to the events that tell what became of the turn: one outcome, however often it is said."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

from cairn.capture.turn_request import settled
from cairn.core.fingerprint import content_words, fingerprint, gist, note_digest, without_recalled
from cairn.core.model.change import Taint
from cairn.core.model.session import (
    KEEP_TAGS,
    NOTE_TYPES,
    SCHEMA_VERSION,
    SKIP_REASONS,
    ToolCall,
    TurnOutcome,
    TurnRequest,
    TurnResult,
)
from cairn.journal import TURN_LIMIT, iso_utc

HEARTBEAT, DUPLICATE, NOTHING_NEW = SKIP_REASONS
RECALLED: Final = "recalled-context-only"
"""Said instead of `no-new-information` where a workspace declares it."""
_HEARTBEAT_MARK: Final = "HEARTBEAT_OK"
_HEARTBEAT_LONGEST: Final = 320
_LEAST: Final = 48
"""Characters below which an answer that used no tools says nothing."""
AUTOMATIC_LONGEST: Final = 700
_DECISION = re.compile(r"^\W{0,4}decision\W{0,2}:\W{0,3}(\S.*)$", re.IGNORECASE | re.MULTILINE)
_DECISION_LONGEST: Final = 240
_BLANKS = re.compile(r"\s+")
_SHOWN: Final = 4


class Capture(NamedTuple):
    turn: TurnRequest
    """With the summary that is to be kept."""


class Skip(NamedTuple):
    reason: str
    duplicate_of: str | None = None


class InvalidTurn(NamedTuple):
    """The request is not acceptable, and would not be the next time."""

    code: str


Decision = Capture | Skip | InvalidTurn


def decide(
    turn: TurnRequest, *, declared: Sequence[str] = (), recalled: Collection[str] = (), automatic: bool = False
) -> Decision:
    """`automatic` where nobody asked for a note: then little talk is skipped. What somebody says on purpose is kept
    however short it is. Whether it was said before is not decided here."""
    allowed = (*SKIP_REASONS, *declared)
    if turn.skip_reason is not None:
        return Skip(turn.skip_reason) if turn.skip_reason in allowed else InvalidTurn("invalid_skip_reason")
    if is_heartbeat(turn):
        return Skip(HEARTBEAT)
    summary = without_recalled(turn.summary or "", recalled) if recalled else turn.summary or ""
    if turn.summary and not summary and not turn.tools:
        return Skip(RECALLED if RECALLED in allowed else NOTHING_NEW)
    if not summary and turn.tools:
        return Capture(replace(turn, summary=synthesised(turn.tools)))
    if automatic:
        return _of_a_hook(turn, summary)
    return Capture(replace(turn, summary=summary)) if summary else InvalidTurn("missing_summary_without_skip_reason")


def _of_a_hook(turn: TurnRequest, summary: str) -> Decision:
    if not turn.tools and len(summary) < _LEAST:
        return Skip(NOTHING_NEW)
    shortened = shorten(_BLANKS.sub(" ", summary).strip(), AUTOMATIC_LONGEST)
    return Capture(replace(turn, summary=shortened, decision=turn.decision or marked_decision(summary)))


def is_heartbeat(turn: TurnRequest) -> bool:
    """Only a turn that did nothing: one that used tools is kept, whoever asked for it."""
    summary = turn.summary or ""
    said = _HEARTBEAT_MARK in summary and len(summary) < _HEARTBEAT_LONGEST
    return not turn.tools and (turn.source.lower() == "heartbeat" or said)


def marked_decision(text: str) -> str | None:
    """A line that somebody wrote as `Decision: …`; the first sentence of a text is none."""
    found = _DECISION.search(text)
    return shorten(found[1].strip().strip("*_"), _DECISION_LONGEST) if found else None


def shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def synthesised(tools: Sequence[ToolCall]) -> str:
    """What a turn did, for one that ended without words: tools, what they were used on, and how that ended."""
    calls = Counter(tool.name for tool in tools)
    parts = []
    for name, number in calls.most_common():
        own = [tool for tool in tools if tool.name == name]
        targets = list(dict.fromkeys(tool.target for tool in own if tool.target))
        shown = ", ".join(targets[:_SHOWN]) + (f" and {len(targets) - _SHOWN} more" if len(targets) > _SHOWN else "")
        failed = sum(tool.ok is False for tool in own)
        ended = "" if not failed else " (failed)" if number == 1 else f" ({failed} of {number} failed)"
        parts.append(f"{name}{f' on {shown}' if shown else f' {number} times' if number > 1 else ''}{ended}")
    return shorten(f"Without words: {'; '.join(parts)}.", AUTOMATIC_LONGEST)


NOVELTY: Final = 40
EVIDENCE: Final = 25
DECISION: Final = 15
RESOLVED: Final = 10
LENGTH: Final = 10
_A_POINTER: Final = 10
_POINTER = re.compile(
    r"(?:commit|pr|issue|file|test|story|url|run):\S|^[0-9a-f]{7,40}$|^\S+\.[a-z]{1,5}(?::\d+)?$|^https?://", re.I
)
_SANE: Final = (40, 1_200)
_SHORT: Final = 15


class Score(NamedTuple):
    novelty: int
    evidence: int
    decision: int
    resolved: int
    length: int

    @property
    def total(self) -> int:
        return sum(self)


def score(turn: TurnRequest, earlier: Iterable[frozenset[str]]) -> Score:
    """`earlier`: the words of the last notes."""
    summary = turn.summary or ""
    own = words_of(summary)
    likeness = max((similarity(own, words) for words in earlier), default=0.0)
    pointers = sum(bool(_POINTER.search(item)) for item in turn.evidence)
    return Score(
        novelty=round(NOVELTY * (1 - likeness)),
        evidence=min(EVIDENCE, _A_POINTER * pointers + (5 if turn.evidence else 0)),
        decision=DECISION if turn.decision else 0,
        resolved=RESOLVED if resolved(turn.tools) else 0,
        length=_length(len(summary)),
    )


def words_of(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """What they share of all their words."""
    return len(one & other) / len(one | other) if one and other else 0.0


def resolved(tools: Sequence[ToolCall]) -> bool:
    """Something failed, and the same went well later in the turn."""
    failed: set[tuple[str, str]] = set()
    for tool in tools:
        key = (tool.name, tool.target)
        if tool.ok is False:
            failed.add(key)
        elif tool.ok and key in failed:
            return True
    return False


def _length(characters: int) -> int:
    if _SANE[0] <= characters <= _SANE[1]:
        return LENGTH
    return LENGTH // 2 if characters >= _SHORT else 0


ATTEMPTS: Final = 3
"""How often a turn is tried before it has failed."""
DAY_MS: Final = 86_400_000
FAILED_DAYS: Final = 7
"""How long a failed attempt stays in what people find."""
_TITLE_LONGEST: Final = 100
_ROOM: Final = TURN_LIMIT - 1_024
"""What a payload may take of a line, with room for the envelope around it."""

EventOf = tuple[str, dict[str, Any]]


class TurnStanding(NamedTuple):
    """What is known of a turn before a request about it."""

    eligible: bool = False
    outcome: str = ""
    reason: str = ""
    digest: str = ""
    """Of its note."""
    revision: int = 0
    note_score: int | None = None
    duplicate_of: str = ""


class TurnMemory(Protocol):
    """What was said before, over restarts and in other processes."""

    def standing(self, turn_id: str) -> TurnStanding: ...
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


class ProcessedTurn(NamedTuple):
    events: tuple[EventOf, ...]
    """To be recorded all at once."""
    written: TurnResult


def process(
    request: TurnRequest, *, memory: TurnMemory, policy: Policy, now_ms: int, automatic: bool = False
) -> ProcessedTurn:
    turn = settled(request)
    before = memory.standing(turn.turn_id)
    begin = () if before.eligible else (eligible(turn, policy),)
    decision = decide(turn, declared=policy.skip_reasons, recalled=policy.recalled, automatic=automatic)
    if isinstance(decision, Capture) and (decision.turn.type or "turn_note") not in NOTE_TYPES:
        decision = InvalidTurn("invalid_type")
    if not isinstance(decision, Capture):
        return _without_note(turn, decision, before, begin, policy)
    turn = decision.turn
    is_new = before.outcome != TurnOutcome.COMPLETED
    if is_new and not _is_kept(turn) and (earlier := _said_before(turn, memory, automatic=automatic)):
        return _without_note(turn, Skip(DUPLICATE, earlier), before, begin, policy)
    return _noted(turn, before, begin, memory, policy, now_ms)


def _said_before(turn: TurnRequest, memory: TurnMemory, *, automatic: bool) -> str | None:
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
    turn: TurnRequest, decision: Skip | InvalidTurn, before: TurnStanding, begin: tuple[EventOf, ...], policy: Policy
) -> ProcessedTurn:
    """A turn that has a note keeps it, whatever is said afterwards; a skip outlives a failure, not the other way."""
    skip = isinstance(decision, Skip)
    if before.outcome and not (skip and before.outcome == TurnOutcome.FAILED):
        return ProcessedTurn(begin, _as_before(turn, before))
    if isinstance(decision, Skip):
        mark = mark_of(turn) if turn.summary else None
        fields = {"skip_reason": decision.reason, "duplicate_of": decision.duplicate_of, "fingerprint": mark}
        written = TurnResult(turn.turn_id, TurnOutcome.SKIPPED, decision.reason, duplicate_of=decision.duplicate_of)
        return ProcessedTurn((*begin, ("turn_skipped", {**_facts(turn, policy), **_given(fields)})), written)
    event = failure(turn, decision.code, attempt=1, policy=policy)
    return ProcessedTurn((*begin, event), TurnResult(turn.turn_id, TurnOutcome.FAILED, decision.code))


def _as_before(turn: TurnRequest, before: TurnStanding) -> TurnResult:
    outcome = TurnOutcome(before.outcome)
    if outcome is not TurnOutcome.COMPLETED:
        return TurnResult(turn.turn_id, outcome, before.reason, duplicate_of=before.duplicate_of or None)
    return TurnResult(turn.turn_id, outcome, "unchanged", f"turn:{turn.turn_id}", score=before.note_score)


def _noted(
    turn: TurnRequest, before: TurnStanding, begin: tuple[EventOf, ...], memory: TurnMemory, policy: Policy, now_ms: int
) -> ProcessedTurn:
    again = before.outcome == TurnOutcome.COMPLETED
    points = before.note_score or 0 if again else score(turn, memory.recent_words()).total
    payload = fitted({**_facts(turn, policy), **_note(turn, points, policy, now_ms)})
    if again and note_digest(payload) == before.digest:
        return ProcessedTurn(begin, _as_before(turn, before))
    result = "updated" if again else "inserted"
    payload |= {"result": result, "revision": before.revision + 1}
    low = payload["visibility"] == "low"
    written = TurnResult(turn.turn_id, TurnOutcome.COMPLETED, result, f"turn:{turn.turn_id}", score=points, low=low)
    return ProcessedTurn((*begin, ("turn_completed", payload)), written)


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
