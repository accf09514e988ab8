"""A request to write about a turn, as it comes from outside: read, put in order, with everything private taken out."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cairn.core.agent_host import host_around as host_around
from cairn.core.agent_host import session_around as session_around
from cairn.core.fingerprint import turn_id_of
from cairn.core.model.change import Taint
from cairn.core.model.session import NOTE_TYPES, SCHEMA_VERSION, SKIP_REASONS, ToolCall, TurnRequest
from cairn.errors import UsageError
from cairn.lib.scrub.find import redact_kept
from cairn.lib.text.private import without_private

WIRE_EVENT: Final = "knowledge/turn.write.requested"

EVIDENCE_MOST: Final = 30
TAGS_MOST: Final = 20
TOOLS_MOST: Final = 20
ITEM_LONGEST: Final = 140
SUMMARY_LONGEST: Final = 4_000
DECISION_LONGEST: Final = 1_000
NAME_LONGEST: Final = 120
ID_LONGEST: Final = 300
_READ_LONGEST: Final = 100_000
"""Characters of one field that are looked at; a secret behind them is cut away with all the rest."""

CONTEXT: Final = (
    "project",
    "loop_id",
    "story_id",
    "run_id",
    "source_message_id",
    "host",
    "stage",
    "branch",
    "target",
    "tool_names",
)
_FIELDS: Final = (
    "source",
    "agent",
    "channel",
    "session",
    "turn_id",
    "turn_number",
    "summary",
    "decision",
    "evidence",
    "usefulness_tags",
    "skip_reason",
    "context",
    "occurred_at",
    "type",
    "schema_version",
    "eligible_id",
    "producer",
)
_OTHER_NAMES: Final = {"tags": "usefulness_tags"}
_BLANKS = re.compile(r"\s+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


# --- the wire -------------------------------------------------------------------------------------------------------


def read_turn(value: object) -> TurnRequest:
    """A request as JSON has it, camelCase or snake_case, bare or as the `data` of its event. What is wrong with it is
    said by name, and a field that nobody knows is refused rather than lost."""
    if isinstance(value, Mapping) and "data" in value and set(value) <= {"name", "data", "id", "ts", "v", "user"}:
        if value.get("name", WIRE_EVENT) != WIRE_EVENT:
            raise UsageError(f"`name` is {value['name']!r}; an event with a turn is named `{WIRE_EVENT}`")
        value = value["data"]
    given = _known(value, _FIELDS, "a turn")
    if given.get("schema_version", SCHEMA_VERSION) != SCHEMA_VERSION:
        raise UsageError(f"`schema_version` is {given['schema_version']!r}; this Cairn understands {SCHEMA_VERSION}")
    context = _known(given.get("context") or {}, CONTEXT, "`context`")
    tools = tuple(ToolCall(name) for name in _items(context.pop("tool_names", ()), TOOLS_MOST))
    return TurnRequest(
        turn_id=_text(given, "turn_id") or _text(given, "eligible_id"),
        source=_text(given, "source"),
        agent=_text(given, "agent"),
        summary=_text(given, "summary"),
        decision=_text(given, "decision"),
        channel=_text(given, "channel"),
        session=_text(given, "session"),
        turn_number=_number(given.get("turn_number")),
        evidence=_items(given.get("evidence", ()), EVIDENCE_MOST, "evidence"),
        tags=_items(given.get("usefulness_tags", ()), TAGS_MOST, "usefulnessTags"),
        type=_text(given, "type") or None,
        skip_reason=_text(given, "skip_reason") or None,
        tools=tools,
        context={name: _text(context, name) for name in context},
        occurred_at=_text(given, "occurred_at") or None,
    )


def _known(value: object, names: Sequence[str], what: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise UsageError(f"{what} must be a JSON object")
    found: dict[str, Any] = {}
    for name, item in value.items():
        plain = _OTHER_NAMES.get(name, _snake(str(name)))
        if plain not in names:
            raise UsageError(f"{what} has no field `{name}`; it may have {', '.join(names)}")
        if plain in found:
            raise UsageError(f"{what} has `{plain}` in two spellings; keep one")
        found[plain] = item
    return found


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda found: "_" + found[1].lower(), name)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UsageError(f"`{name}` must be a text")
    return value


def _number(value: object) -> int | None:
    """Floored, and never below zero; what is no finite number counts as absent."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError("`turn_number` must be a whole number of at least 0")
    return min(max(0, math.floor(value)), 2**53)


def _items(value: object, most: int, name: str = "toolNames") -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise UsageError(f"`{name}` must be a list of texts")
    return items((item for item in value if isinstance(item, str)), most)


# --- in order -------------------------------------------------------------------------------------------------------


def items(given: Iterable[str], most: int) -> tuple[str, ...]:
    """Trimmed, without blanks and repetitions, each cut, the first so many."""
    trimmed = (text.strip()[:ITEM_LONGEST].rstrip() for text in given)
    return tuple(dict.fromkeys(text for text in trimmed if text))[:most]


def tag_items(given: Iterable[str]) -> tuple[str, ...]:
    return items((_BLANKS.sub("-", text.strip().lower()) for text in given), TAGS_MOST)


def settled(turn: TurnRequest) -> TurnRequest:
    """As it is kept: private spans, secrets and personal data are gone from every field before anything is cut, names
    have a value, and the turn has an id."""
    clean = replace(
        turn,
        source=name_of(turn.source) or "unknown",
        agent=name_of(turn.agent) or "unknown",
        channel=name_of(turn.channel or "") or None,
        session=_scrubbed(turn.session or "")[:ID_LONGEST] or None,
        summary=_scrubbed(turn.summary or "")[:SUMMARY_LONGEST].rstrip() or None,
        decision=_scrubbed(turn.decision or "")[:DECISION_LONGEST].rstrip() or None,
        evidence=items(map(_scrubbed, turn.evidence), EVIDENCE_MOST),
        tags=tag_items(map(_scrubbed, turn.tags)),
        tools=tuple(ToolCall(name_of(t.name), _scrubbed(t.target)[:ITEM_LONGEST], t.ok) for t in turn.tools if t.name),
        context=_settled_context(turn.context),
        occurred_at=turn.occurred_at if turn.occurred_at and _MOMENT.fullmatch(turn.occurred_at) else None,
    )
    return replace(clean, turn_id=_settled_id(turn, clean))


def name_of(text: str) -> str:
    """Of a source, an agent, a channel: one line, short."""
    return _BLANKS.sub(" ", _scrubbed(text))[:NAME_LONGEST].rstrip()


def _scrubbed(text: str) -> str:
    if not text:
        return ""
    text = text[:_READ_LONGEST].encode("utf-8", "replace").decode()  # half a surrogate pair cannot be written down
    return redact_kept(without_private(text)).text.replace("\0", "").strip()


def _settled_context(context: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: value for key, value in context.items() if key in CONTEXT and isinstance(value, str)}
    clean = {key: _BLANKS.sub(" ", _scrubbed(value))[:200] for key, value in sorted(known.items())}
    return {key: value for key, value in clean.items() if value}


def _settled_id(given: TurnRequest, clean: TurnRequest) -> str:
    """The producer's own, unless it has none, is far too long, or says something that must not be kept."""
    own = given.turn_id.strip()
    if own and len(own) <= ID_LONGEST and own.isprintable() and redact_kept(own).text == own:
        return own
    return turn_id_of(clean.source, clean.agent, clean.session, clean.turn_number, clean.summary, clean.decision, own)


_MOST: Final = {"evidence": EVIDENCE_MOST, "tags": TAGS_MOST, "tools": TOOLS_MOST}


def note_request(
    given: Mapping[str, Any], *, env: Mapping[str, str], typed: bool, declared: tuple[str, ...]
) -> TurnRequest:
    """`typed`: a person sits at the terminal. What is wrong is said before anything is written."""
    _check(given, declared)
    host = given.get("host") or host_around(env)
    source = given.get("source") or host or "cli"
    agent = given.get("agent") or env.get("CAIRN_AGENT") or host or ("person" if typed else "cli")
    session = given.get("session") or session_around(env)
    names = ("project", "loop_id", "story_id", "run_id", "stage", "target")
    return TurnRequest(
        turn_id=given.get("turn_id") or _place(source, agent, given.get("channel"), session, given.get("turn")),
        source=source,
        agent=agent,
        summary=given.get("summary"),
        decision=given.get("decision"),
        channel=given.get("channel"),
        session=session,
        turn_number=given.get("turn"),
        evidence=tuple(given.get("evidence", ())),
        tags=(*_keep(given), *given.get("tags", ())),
        type=given.get("type"),
        skip_reason=given.get("skip_reason"),
        tools=tuple(ToolCall(name) for name in given.get("tools", ())),
        context={name: given[name] for name in names if given.get(name)} | ({"host": host} if host else {}),
        taint=Taint.PERSON if typed and not host else Taint.MODEL,
    )


def _keep(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The tag by which the curator knows a note that somebody asked to keep."""
    from cairn.core.model.candidate import KEEP_TAG

    return (KEEP_TAG["map" if given.get("kind") == "map" else "practice"],) if given.get("keep") else ()


def _place(source: str, agent: str, channel: str | None, session: str | None, turn: int | None) -> str:
    """An id of its own where session and turn say which one it is; otherwise what it says makes the id."""
    return "" if not session or turn is None else f"{source}:{agent}:{channel or 'internal'}:{session}:{turn}"


def _check(given: Mapping[str, Any], declared: tuple[str, ...]) -> None:
    from cairn.lib.text.names import did_you_mean

    for name, most in _MOST.items():
        if len(given.get(name, ())) > most:
            raise UsageError(f"a note has at most {most} of {name}; {len(given[name])} were given")
    reasons = (*SKIP_REASONS, *declared)
    reason, kind = given.get("skip_reason"), given.get("type")
    if reason is not None and reason not in reasons:
        raise UsageError(skip_sentence(reason, reasons))
    if kind is not None and kind not in NOTE_TYPES:
        raise UsageError(
            f"there is no type of note '{kind}'{did_you_mean(kind, NOTE_TYPES) or f'; {_listed(NOTE_TYPES)}'}"
        )
    if reason is None and not (given.get("summary") or "").strip():
        raise UsageError('a note needs words: `cairn note "…"`, or a reason for none: --skip-reason no-new-information')


def failure_sentence(request: TurnRequest, code: str, declared: tuple[str, ...]) -> str:
    """Why a turn was not written about, by the code that was recorded."""
    if code == "invalid_skip_reason":
        return skip_sentence(request.skip_reason or "", (*SKIP_REASONS, *declared))
    if code == "invalid_type":
        return f"there is no type of note '{request.type}'; there are {', '.join(NOTE_TYPES)}"
    return "a turn needs a `summary`, or a `skip_reason`"


def skip_sentence(reason: str, reasons: tuple[str, ...]) -> str:
    return f"'{reason}' is no reason for a skip; {_listed(reasons)}; others are declared in `capture.skip_reasons`"


def _listed(names: tuple[str, ...]) -> str:
    return f"there are {', '.join(names)}"
