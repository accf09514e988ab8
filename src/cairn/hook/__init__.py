"""What agents call when a turn begins and ends: record a pointer, answer in the host's own words, never be in the way.

Reached from `__main__` before anything else is imported, and itself imports the standard library and the journal only.
It always ends with 0. What goes wrong is kept in `.cairn/hook-errors.log`, which `cairn agent doctor` shows. No text of
a conversation is stored here: the detached step (`cairn hook drain`) reads, scrubs and stores.
"""

import json
import os
import select
import sys
import time

import cairn.journal as journal
from cairn.hook.aside import (
    LEDGER,
    LOCAL_SETTINGS,
    SETTINGS,
    branch_of,
    brief_now,
    detach,
    find_workspace,
    is_on,
    log,
    now_ms,
    plain,
    read_small,
    size_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from cairn.hook.tail import LastTurn

    Payload: TypeAlias = dict[str, Any]

STDIN_LIMIT = 4 * 1024 * 1024
STDIN_SECONDS = 3.0
PAUSE_SECONDS = 0.2
"""Some hosts forget to close the pipe: what looks complete and goes on no more is taken for all."""

HOSTS = ("claude", "codex", "cursor", "opencode")
PASSED_OVER = (
    "subagentstop subagentstart pretooluse posttooluse posttoolusefailure permissionrequest notification postcompact"
)
"""Events that hosts have and that are none of our business: nothing happens, and that is no error."""

ASK = (
    "Before you finish: write down what this turn taught, for those who come after you. Run"
    " `cairn note 'WHAT WAS FOUND OUT OR DECIDED, AND WHY'{turn}` (add --decision, --evidence, --tag where they fit),"
    " or `cairn note --skip-reason no-new-information{turn}` when there is nothing. Then finish; this is asked once."
)


class HookFault(Exception):
    """Something that a person should be able to read in the log."""


def main(args: "Sequence[str]", env: "Mapping[str, str]" = os.environ) -> int:
    """One call by a host. Always 0: an agent's turn must not fail because of its notebook."""
    call = HookCall(env)
    try:
        call.take_arguments(args)
        if not is_on(env, "CAIRN_OFF") and not is_on(env, "CAIRN_INTERNAL"):
            _run(call)
        elif not os.isatty(0):
            _read_stdin()  # a host that cannot finish writing calls that an error
    except Exception as problem:
        _log(call, problem)
    return 0


class HookCall:
    """One call: what was asked for, by whom, and where."""

    def __init__(self, env: "Mapping[str, str]") -> None:
        self.env = env
        self.event = ""
        self.told: str | None = None
        self.host = "claude"
        self.root: str | None = None
        self.payload: Payload = {}
        self.phase = "arguments"

    def take_arguments(self, args: "Sequence[str]") -> None:
        rest = list(args)
        while rest:
            word = rest.pop(0)
            if word == "--host" and rest:
                self.told = rest.pop(0)
            elif word.startswith("--host="):
                self.told = word[len("--host=") :]
            elif not word.startswith("-") and not self.event:
                self.event = word
        self.name = self.event.replace("-", "").replace("_", "").lower()

    def text(self, *names: str) -> str:
        """The first of these fields that is a text with anything in it."""
        for name in names:
            value = self.payload.get(name)
            if isinstance(value, str) and value:
                return value
        return ""

    @property
    def session(self) -> str:
        return plain(self.text("session_id", "conversation_id", "sessionID", "thread-id"), 128) or "unknown"

    @property
    def ledger(self) -> str:
        return os.path.join(self.root or "", LEDGER)


def _log(call: HookCall, problem: Exception) -> None:
    """What happened, in words of ours only: those of an unknown error may hold a piece of the conversation."""
    if call.root is None:
        return
    place = problem.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    known = isinstance(problem, HookFault | journal.JournalRefused | OSError)
    said = str(problem) if known else f"{type(problem).__name__} in line {place.tb_lineno if place else '?'}"
    log(call.root, call.event, call.phase, said)


def _run(call: HookCall) -> None:
    call.phase = "stdin"
    if os.isatty(0):
        sys.stderr.write("`cairn hook` is for agents: it reads their JSON on stdin. Try `cairn agent doctor`.\n")
        return
    raw = _read_stdin()
    call.root = find_workspace(_here())
    problem = _take_payload(call, raw)
    call.root = find_workspace(_folder_of(call)) or (call.root if problem else None)
    if call.root is None:
        return
    if foreign := journal.foreign_part(call.root):
        call.root = None  # not even a mishap is written there
        sys.stderr.write(f"cairn hook: {foreign[1]}\n")
        return
    if problem:
        raise HookFault(problem)
    _recognise(call)
    if not _settings(call).get("enabled", True):
        return
    call.phase = call.name
    act = _ACTS.get(call.name)
    if act is not None:
        act(call)
    elif call.name not in PASSED_OVER.split():
        raise HookFault(f"there is no hook `{plain(call.event, 40)}`; `cairn hook --help` lists them")


# --- what the host says ---------------------------------------------------------------------------------------------


def _read_stdin() -> bytes:
    """All of it, as long as it comes; what is beyond the limit is read too, so that the host can finish writing."""
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + STDIN_SECONDS
    while time.monotonic() < deadline:
        try:
            complete = bool(parts) and parts[-1].rstrip().endswith(b"}")
            if not select.select([0], [], [], PAUSE_SECONDS if complete else STDIN_SECONDS)[0]:
                break
            block = os.read(0, 65536)
        except OSError:  # started with stdin closed
            break
        if not block:
            break
        size += len(block)
        if size <= STDIN_LIMIT:
            parts.append(block)
    return b"".join(parts) if size <= STDIN_LIMIT else b"".join(parts) + b"\0"


def _take_payload(call: HookCall, raw: bytes) -> str | None:
    """Fill the payload; what is wrong with it, never what it says."""
    if raw.endswith(b"\0"):
        return "stdin was not text, or larger than 4 MB; hosts send a small JSON object"
    if not raw.strip():
        return "stdin was empty; hosts send a JSON object"
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return "stdin was not JSON; hosts send a JSON object"
    if not isinstance(value, dict):
        return "stdin was JSON, but not an object"
    call.payload = value
    return None


def _recognise(call: HookCall) -> None:
    """Which host it is: by the shape of what it sent. Cursor reads hooks of Claude Code, so the file proves nothing."""
    seen = _shape(call)
    if call.told is not None and call.told not in HOSTS:
        _log(call, HookFault(f"there is no host `{plain(call.told, 40)}`; the hosts are {', '.join(HOSTS)}"))
        call.told = None
    if call.told and seen and seen != call.told:
        _log(call, HookFault(f"the hook was installed for {call.told}, but {seen} called it; it was taken as {seen}'s"))
    call.host = seen or call.told or "claude"


def _shape(call: HookCall) -> str | None:
    """Only what is unmistakable: Claude Code and Codex send nearly the same."""
    known = call.payload
    if known.get("host") == "opencode" or call.session.startswith("ses_"):
        return "opencode"
    if "cursor_version" in known or ("conversation_id" in known and "generation_id" in known):
        return "cursor"
    transcript = call.text("transcript_path")
    if os.path.basename(transcript).startswith("rollout-") or ("turn_id" in known and "permission_mode" in known):
        return "codex"
    return "claude" if "/.claude/" in transcript else None


def _folder_of(call: HookCall) -> str:
    roots = call.payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    given = call.text("cwd") or first or call.env.get("CLAUDE_PROJECT_DIR") or call.env.get("CURSOR_PROJECT_DIR")
    return given if given and os.path.isabs(given) and "\0" not in given else _here()


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted meanwhile
        return "/"


def _settings(call: HookCall) -> "Payload":
    """What `capture` says, as far as a hook needs it: the two files, then the environment. A file that cannot be read
    says nothing here; every other command complains about it."""
    found: Payload = {}
    for file in (SETTINGS, LOCAL_SETTINGS):
        data = read_small(os.path.join(call.root or "", file), 1024 * 1024)
        if b'"capture"' not in data:
            continue
        try:
            said = json.loads(data)["capture"]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(said, dict):
            # To be asked costs the person a turn of the model, so the committed file has no say in it.
            found.update({k: v for k, v in said.items() if k != "ask" or file == LOCAL_SETTINGS})
    if call.env.get("CAIRN_CAPTURE__ASK"):
        found["ask"] = call.env["CAIRN_CAPTURE__ASK"]
    if call.env.get("CAIRN_CAPTURE__ENABLED"):
        found["enabled"] = is_on(call.env, "CAIRN_CAPTURE__ENABLED")
    return found


# --- the events -----------------------------------------------------------------------------------------------------


def _prompt(call: HookCall) -> None:
    """A person submitted a prompt: the turn begins here, so that one that ends badly is known, too."""
    from cairn.hook.open_turns import begin, digest_of
    from cairn.hook.tail import is_typed

    prompt, own = call.text("prompt"), plain(call.text("message_id"), 128)
    _answer(call, {"continue": True} if call.host == "cursor" else None)
    if prompt and not is_typed(prompt):
        return  # the host's own words, such as the end of a task in the background
    start = None if call.host == "opencode" else size_of(call.text("transcript_path"))
    opened = begin(call.root or "", call.host, call.session, digest_of(prompt or own), {"message_id": own})
    told = {
        "turn_id": opened["turn"],
        "source": call.host,
        "agent": plain(call.text("agent_type"), 64) or call.host,
        "session": call.session,
        "host": call.host,
        "message_id": own or None,
        "transcript": _path(call) or None,
        "start": start,
        "branch": branch_of(call.root or ""),
        "producer": "hook",
        "schema_version": 1,
    }
    payload = {key: value for key, value in told.items() if value is not None}
    journal.append(call.ledger, {"type": "turn_begun", "payload": payload}, now_ms=now_ms())


def _ended_badly(call: HookCall) -> None:
    """The model could not be reached, or the person stopped the turn: the host says so instead of `stop`."""
    from cairn.hook.tail import last_turn

    turn = last_turn(call.host, call.text("transcript_path"))
    _take_told(call, turn)
    _end_open_turn(call, turn)
    error = call.text("error", "status")
    aborted = call.name == "interrupt" or "abort" in error.lower()
    named = {"turn_id": _turn_id(call, turn), "source": call.host, "agent": call.host, "session": call.session}
    why = "interrupted" if aborted else f"model_error:{plain(error, 60) or 'unknown'}"
    ended = {**named, "host": call.host, "error": why, "attempt": 1, "producer": "hook"}
    events: list[dict[str, object]] = [
        {"type": "turn_eligible", "payload": _eligible(call, turn)},
        {"type": "turn_interrupted" if aborted else "turn_failed", "payload": ended},
    ]
    journal.append_all(call.ledger, events, now_ms=now_ms())
    _answer(call, None)
    detach(call.root or "", call.env)


def _end_open_turn(call: HookCall, turn: "LastTurn") -> None:
    """The turn that the prompt began is this one, and now it is over. A host may say so twice, or after the end of its
    session, whose hook runs beside ours; another turn of the session, whose prompt nobody told, is not taken for it."""
    from cairn.hook.open_turns import end, read

    opened = read(call.root or "", call.host, call.session)
    left, over = opened.get("left") is True, opened.get("over") is True
    again = over and not left and opened.get("message_id") != turn.message_id
    if not opened or again or (over and not left and not turn.message_id):
        return
    turn.opened = str(opened["turn"])
    if left or not over:
        end(call.root or "", {**opened, "left": False}, turn.message_id)


def _stop(call: HookCall) -> None:
    from cairn.hook.tail import last_turn

    turn = last_turn(call.host, call.text("transcript_path"))
    _take_told(call, turn)
    _end_open_turn(call, turn)
    again = call.payload.get("stop_hook_active") is True or _loops(call) > 0
    events: list[dict[str, object]] = []
    # Once we had asked, the turn was recorded before the note came. A note that names the turn accounts for it; for one
    # that doesn't, the turn is told off here. At Cursor the question began a turn of its own, which needs no trace.
    told_off = turn.noted and again and not turn.named and call.host != "cursor"
    if not turn.noted or told_off or turn.opened:
        events.append({"type": "turn_eligible", "payload": _eligible(call, turn)})
    if told_off:
        skipped = {"turn_id": _turn_id(call, turn), "source": call.host, "agent": call.host, "session": call.session}
        skipped |= {"host": call.host, "skip_reason": "duplicate-signal", "producer": "hook"}
        events.append({"type": "turn_skipped", "payload": skipped})
    if events:
        journal.append_all(call.ledger, events, now_ms=now_ms())
    if _may_ask(call, turn, again):
        text = _question(_turn_id(call, turn))
        _answer(call, {"followup_message": text} if call.host == "cursor" else {"decision": "block", "reason": text})
        return
    _answer(call, None)
    detach(call.root or "", call.env)


def _take_told(call: HookCall, turn: "LastTurn") -> None:
    """OpenCode has no transcript that one could read the end of; our plugin says what it saw."""
    if call.host != "opencode":
        return
    from cairn.hook.tail import TOOLS_LIMIT, is_note

    tools = call.payload.get("tools")
    turn.tools = [plain(t, 64) for t in tools if isinstance(t, str)][:TOOLS_LIMIT] if isinstance(tools, list) else []
    turn.message_id = plain(call.text("message_id"), 128)
    turn.noted = call.payload.get("noted") is True or any(is_note(tool) for tool in turn.tools)
    turn.start = turn.end = turn.hash = None


def _loops(call: HookCall) -> int:
    count = call.payload.get("loop_count")
    return count if isinstance(count, int) else 0


def _may_ask(call: HookCall, turn: "LastTurn", again: bool) -> bool:
    """Once, where the host says plainly that it is the first time, and about a turn in which something was done."""
    sign = {"claude": "stop_hook_active", "codex": "stop_hook_active", "cursor": "loop_count"}.get(call.host, "")
    first = not again and sign in call.payload
    return first and not turn.noted and bool(turn.tools) and _settings(call).get("ask") == "once"


def _question(turn_id: str) -> str:
    """With the name of the turn, so that the note is about this one; unless a shell could misread it."""
    safe = all(c.isascii() and (c.isalnum() or c in "-_:.@") for c in turn_id)
    return ASK.replace("{turn}", f" --turn-id {turn_id}" if safe else "")


def _turn_id(call: HookCall, turn: "LastTurn") -> str:
    return turn.opened or f"{call.host}:{call.session}:{turn.message_id or _own_id(call)}"


def _own_id(call: HookCall) -> str:
    """Where the transcript has no answer: the host's own name for the turn, or at least one that nothing else has."""
    return plain(call.text("turn_id", "message_id", "generation_id", "turn-id"), 128) or f"lost-{now_ms()}"


def _eligible(call: HookCall, turn: "LastTurn") -> "Payload":
    told = {
        "turn_id": _turn_id(call, turn),
        "source": call.host,
        "agent": plain(call.text("agent_type"), 64) or call.host,
        "session": call.session,
        "host": call.host,
        "message_id": turn.message_id or None,
        "transcript": _path(call) or None,
        "start": turn.start,
        "end": turn.end,
        "hash": turn.hash,
        "tools": turn.tools,
        "tool_errors": turn.errors,
        "branch": branch_of(call.root or ""),
        "producer": "hook",
        "schema_version": 1,
    }
    return {key: value for key, value in told.items() if value is not None}


def _path(call: HookCall) -> str:
    return call.text("transcript_path")[:2048].encode("utf-8", "replace").decode()


def _spool(call: HookCall) -> None:
    """Say that a session is there to be captured. Hosts allow as little as a second for this."""
    if call.name == "sessionend":
        _leave_open_turn(call)
    transcript = call.text("transcript_path")
    payload: Payload = {"host": call.host, "session": call.session, "transcript": _path(call)}
    payload |= {"size": size_of(transcript), "reason": "pre_compact" if call.name == "precompact" else "session_end"}
    journal.append(call.ledger, {"type": "session_spooled", "payload": payload}, now_ms=now_ms())
    _answer(call, None)
    detach(call.root or "", call.env)


def _leave_open_turn(call: HookCall) -> None:
    """No `stop` comes any more for a turn of this session; the detached step finds out how it ended."""
    from cairn.hook.open_turns import end, read

    opened = read(call.root or "", call.host, call.session)
    if opened and opened.get("over") is not True:
        end(call.root or "", {**opened, "left": call.name == "sessionend"})


def _session_start(call: HookCall) -> None:
    """What the detached step has put down for us, if it is not too old to be true."""
    from cairn.hook.briefed import briefing, is_behind

    if is_behind(call.root or ""):
        brief_now(call.root or "", call.env)
    if call.text("source") in ("startup", "resume"):  # others, such as `compact`, come in the middle of a turn
        _leave_open_turn(call)
    text = briefing(call.root or "")
    _answer(call, _context(call.host, text) if text else None)
    detach(call.root or "", call.env)


def _stop_or_failure(call: HookCall) -> None:
    """Cursor has one event for both, and says which it is."""
    (_ended_badly if call.host == "cursor" and call.text("status") in ("aborted", "error") else _stop)(call)


_ACTS = {
    "prompt": _prompt,
    "userpromptsubmit": _prompt,
    "beforesubmitprompt": _prompt,
    "stop": _stop_or_failure,
    "stopfailure": _ended_badly,
    "interrupt": _ended_badly,
    "sessionstart": _session_start,
    "precompact": _spool,
    "sessionend": _spool,
}


def _context(host: str, text: str) -> "Payload":
    if host == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}


def _answer(call: HookCall, value: "Payload | None") -> None:
    """Silence is an answer, except to Cursor, which takes what it reads for JSON."""
    if value is None and call.host != "cursor":
        return
    try:
        sys.stdout.write(json.dumps(value or {}, ensure_ascii=True) + "\n")
        sys.stdout.flush()
    except OSError:  # the host has hung up
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
