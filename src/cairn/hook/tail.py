"""The end of a transcript: where the last turn begins, which tools were used in it, and whether it wrote a note.

A message has the id that its host gave it, else `@` and the offset of the last line that says it; the readers of whole
transcripts (`cairn.capture.transcripts`) name it the same way, and a test holds the two together.
"""

import json
import os

from cairn.hook.aside import open_regular, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    Value: TypeAlias = dict[str, Any]

WINDOWS = (128 * 1024, 1024 * 1024, 8 * 1024 * 1024)
"""How much of a transcript's end is looked at: more only when the turn does not begin in less."""
TOOLS_LIMIT = 40
ECHO_LINES = 6
"""Codex writes a question twice, hardly ever further apart than that."""

# fmt: off
INJECTED = (
    "<system-reminder", "<local-command", "<bash-", "<task-notification", "<user-prompt-submit-hook", "<ide_",
    "<new-diagnostics", "<environment_context", "<user_instructions", "<INSTRUCTIONS", "<permissions",
    "<collaboration_mode", "<skills_instructions", "<plugins_instructions", "<apps_instructions",
    "<recommended_plugins", "<subagent_notification", "<turn_aborted", "<user_shell_command", "<app-context",
    "<system_reminder", "<attached_files", "<additional_data", "<open_and_recently", "<user_info", "<git_status",
    "<agent_transcripts", "<agent_skills", "<timestamp", "<rules", "<cairn",
)
# fmt: on
"""How pieces of a message begin that the host, a hook or Cairn put there."""
NOBODY = (
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
    "Stop hook feedback:",
    "# AGENTS.md instructions",
    "API Error: ",
)


class LastTurn:
    """The last turn of a transcript; what could not be found out is empty."""

    def __init__(self) -> None:
        self.message_id = ""
        self.start: int | None = None
        self.end: int | None = None
        self.hash: str | None = None
        self.tools: list[str] = []
        self.errors = 0
        self.noted = False
        self.named = False
        """The note says which turn it is about."""
        self.opened = ""
        """The id that the turn got when its prompt was submitted."""


def last_turn(host: str, path: str) -> LastTurn:
    """From the last message that a person typed to the end. Without a transcript that can be read: nothing known."""
    fd = open_regular(path)
    if fd < 0:
        return LastTurn()
    try:
        size = os.fstat(fd).st_size
        for window in WINDOWS:
            start = max(0, size - window)
            data = os.pread(fd, size - start, start)
            turn = _look(host, data, start)
            if turn.message_id or start == 0:
                break
        return turn
    finally:
        os.close(fd)


def _look(host: str, data: bytes, base: int) -> LastTurn:
    """Backwards, line by line."""
    turn = LastTurn()
    turn.end = base + len(data)
    names: list[str] = []
    failed: set[str] = set()
    for start, line in _backwards(data, base):
        value = _object(line, host)
        if value is None:
            continue
        for name, call_id, said in _tool_calls(host, value):
            names.append(name)
            if call_id not in failed and is_note(name, said):
                turn.noted, turn.named = True, turn.named or _names_a_turn(said)
        failed.update(_failures(value))
        if _typed(host, value):
            turn.message_id, start = _named(host, value, data, base, start)
            turn.start, turn.hash = base + start, f"sha256:{_sha256(data[start:])}"
            break
    turn.tools = list(dict.fromkeys(reversed(names)))[:TOOLS_LIMIT]
    turn.errors = len(failed)
    return turn


def _backwards(data: bytes, base: int) -> "Iterator[tuple[int, bytes]]":
    """Lines from the last to the first, with their place; one that begins before the window is left alone."""
    end = len(data)
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        if start == 0 and base > 0:
            return
        yield start, data[start:end]
        end = start


def _object(line: bytes, host: str) -> "Value | None":
    if b"user" not in line and b"tool" not in line and b"call" not in line:
        return None  # nothing that we look for
    if host == "cursor" and line.strip() == b"user:":  # its older form, which is plain text
        return {"role": "user", "message": {"content": "user"}}
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# --- who said it ----------------------------------------------------------------------------------------------------


def _typed(host: str, value: "Value") -> bool:
    """Whether this line is something that a person typed."""
    if host == "codex":
        return bool(_asked(value))
    message = value.get("message")
    inner = message if isinstance(message, dict) else {}
    if (inner.get("role") or value.get("role") or value.get("type")) != "user":
        return False
    if any(
        value.get(key) is True for key in ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
    ):
        return False
    origin = value.get("origin")
    if isinstance(origin, dict) and origin.get("kind") not in (None, "human"):
        return False
    return is_typed(_text(_blocks(value)))


def is_typed(text: str) -> bool:
    """Whether anything is left of a message when what others put in front of it is taken away."""
    text = text.strip()
    while text.startswith(INJECTED):
        name = text[1:].partition(">")[0].split()[0]
        text = text.partition(f"</{name}>")[2].strip()
    return bool(text) and not text.startswith(NOBODY)


def _asked(value: "Value") -> str:
    """What a person typed, as Codex says it: as an item of the conversation, or as an event for the screen."""
    inner = _inner(value)
    if value.get("type") == "event_msg" and inner.get("type") == "user_message":
        text = str(inner.get("message", ""))
    elif inner.get("type") == "message" and inner.get("role") == "user":
        text = _text(_blocks(value))
    else:
        return ""
    return text.strip() if is_typed(text) else ""


def _named(host: str, value: "Value", data: bytes, base: int, start: int) -> tuple[str, int]:
    """The id of the message that begins a turn, and where it begins."""
    own = _inner(value).get("id") if host == "codex" else value.get("uuid" if host == "claude" else "id")
    first = start
    earlier = _backwards(data[:start], base) if host == "codex" else iter(())
    for (place, line), _ in zip(earlier, range(ECHO_LINES), strict=False):
        before = _object(line, host)
        if before is not None and _asked(before) == _asked(value) and before.get("type") != value.get("type"):
            own, first = own or _inner(before).get("id"), place
            break
    return plain(own, 128) if isinstance(own, str) and own else f"@{base + start}", first


# --- the parts of a line --------------------------------------------------------------------------------------------


def _inner(value: "Value") -> "Value":
    inner = value.get("payload", value.get("message"))
    return inner if isinstance(inner, dict) else value


def _blocks(value: "Value") -> "list[Value]":
    content = _inner(value).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(blocks: "list[Value]") -> str:
    texts = [block.get("text") for block in blocks if str(block.get("type", "text")).endswith("text")]
    return "\n".join(text for text in texts if isinstance(text, str))


def _tool_calls(host: str, value: "Value") -> "list[tuple[str, str, object]]":
    """(name, id of the call, what it was called with)"""
    if host == "codex":
        item = _inner(value)
        if not str(item.get("type", "")).endswith("_call"):
            return []
        said = item.get("arguments") or item.get("input") or item.get("action")
        return [_call(item.get("name") or str(item["type"]).removesuffix("_call"), item.get("call_id"), said)]
    uses = [block for block in _blocks(value) if block.get("type") == "tool_use"]
    return [_call(block.get("name"), block.get("id"), block.get("input")) for block in uses]


def _call(name: object, call_id: object, said: object) -> tuple[str, str, object]:
    return plain(str(name or "?"), 64), str(call_id or ""), said


def _names_a_turn(said: object) -> bool:
    words = _words(said)
    return any(name in words for name in ("turn-id", "turn_id", "turnId"))


def _words(said: object) -> str:
    return said if isinstance(said, str) else json.dumps(said)


def is_note(name: str, said: object = None) -> bool:
    """Whether a call of a tool writes a note: our own tool, or the command in a shell."""
    low = name.lower()
    if low == "note" or ("cairn" in low and low.endswith(("_note", ".note", "-note"))):
        return True
    words = _words(said)
    return "cairn note" in words or "cairn knowledge note" in words


def _failures(value: "Value") -> list[str]:
    """Calls of which the transcript says that they failed. Codex says so only in words of the tool's own."""
    results = [block for block in _blocks(value) if block.get("type") == "tool_result"]
    return [str(block.get("tool_use_id", "")) for block in results if block.get("is_error") is True]


def _sha256(data: bytes) -> str:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # hashlib takes longer than the rest of the hook
    except ImportError:
        from hashlib import sha256
    return str(sha256(data).hexdigest())
