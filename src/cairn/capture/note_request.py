"""A note as somebody asks for it on the command line: what they leave out is taken from around them."""

from collections.abc import Mapping
from typing import Any, Final

from cairn.capture.agent_env import host_around as host_around
from cairn.capture.agent_env import session_around as session_around
from cairn.capture.turn_request import EVIDENCE_MOST, NOTE_TYPES, TAGS_MOST, TOOLS_MOST
from cairn.core.model.change import Taint
from cairn.core.model.session import SKIP_REASONS, ToolCall, TurnRequest
from cairn.errors import UsageError

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
    from cairn.curate.notes import KEEP

    return (KEEP["map" if given.get("kind") == "map" else "practice"],) if given.get("keep") else ()


def _place(source: str, agent: str, channel: str | None, session: str | None, turn: int | None) -> str:
    """An id of its own where session and turn say which one it is; otherwise what it says makes the id."""
    return "" if not session or turn is None else f"{source}:{agent}:{channel or 'internal'}:{session}:{turn}"


def _check(given: Mapping[str, Any], declared: tuple[str, ...]) -> None:
    from cairn.lib.text.nearest import did_you_mean

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
