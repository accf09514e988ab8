"""`note`: what a turn brought, or why nothing of it is worth keeping."""

from cairn.capture.note import SWITCHED_OFF, id_for_note, write_turn
from cairn.capture.turn_request import EVIDENCE_MOST, TAGS_MOST, failure_sentence, note_request
from cairn.core.model.session import NOTE_TYPES, TurnResult
from cairn.errors import UsageError
from cairn.mcp.tools.tool import Arguments, Tool, ToolAnswer, ToolCallContext, choice, flag, maybe, text, texts

_SOURCE = "mcp"


def answer(call: ToolCallContext, given: Arguments) -> ToolAnswer:
    env, declared = call.app.env, call.app.settings.texts("capture.skip_reasons")
    caller = call.caller
    asked = {"session": caller.session, **given}
    asked |= {"host": caller.host, "source": caller.host or _SOURCE, "agent": caller.host or caller.agent or _SOURCE}
    if caller.turn and "turn_id" not in given:
        asked |= {"session": caller.session, "turn_id": id_for_note(call.app, caller.turn)}
    request = note_request(asked, env=env, typed=False, declared=declared)
    written = write_turn(call.app, request)
    if written.outcome == "failed":
        raise UsageError(failure_sentence(request, written.result, declared))
    data = {
        "outcome": written.outcome.value,
        "result": written.result,
        "note": written.note,
        "turnId": written.turn_id,
        "duplicateOf": written.duplicate_of,
    }
    return ToolAnswer(data, _sentence(written))


def _sentence(written: TurnResult) -> str:
    if written.result == SWITCHED_OFF:
        return "No note: CAIRN_OFF is set here, so nothing is written down."
    if written.outcome == "skipped":
        again = f" ({written.duplicate_of} says so already)" if written.duplicate_of else ""
        return f"No note: {written.result}{again}."
    words = {"inserted": "Noted", "updated": "Noted anew", "unchanged": "Noted before; nothing changed"}
    return f"{words[written.result]}: {written.note}."


NOTE = Tool(
    "note",
    "Note what a turn brought",
    "At the end of a turn, write down what others should know: a lesson, a decision with its reason, an attempt that "
    "failed. As the state of things, not as a story. Or give a skip_reason.",
    takes={
        "summary": text("One to three sentences", 4000),
        "decision": text("What was decided, and why", 2000),
        "type": text(", ".join(NOTE_TYPES), 40),
        "evidence": texts("commit:…, file:…, test:…", EVIDENCE_MOST),
        "tags": texts("", TAGS_MOST),
        "keep": flag("The user asked to keep this: propose it as a page, word for word"),
        "kind": choice("practice", "map"),
        "skip_reason": text("no-new-information, duplicate-signal, routine-heartbeat", 80),
        "target": text("What failed, with type failed_target", 300),
        "turn_id": text("The same again updates its note", 300),
        "session": text("", 300),
    },
    gives={
        "outcome": text(),
        "result": text(),
        "note": maybe(),
        "turnId": text(),
        "duplicateOf": maybe(),
    },
    answer=answer,
    writes=True,
    while_off=True,
)
