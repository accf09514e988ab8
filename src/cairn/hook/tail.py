"""The end of a transcript: where the last turn begins, which tools were used in it, and whether it wrote a note."""

import json
import os

from cairn.hook.aside import open_regular, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Payload: TypeAlias = dict[str, Any]

WINDOWS = (128 * 1024, 1024 * 1024, 8 * 1024 * 1024)
"""How much of a transcript's end is looked at: more only when the turn does not begin in less."""
TOOLS_LIMIT = 40


class Turn:
    """The last turn of a transcript: where it is, and which tools were used in it."""

    def __init__(self) -> None:
        self.message_id = ""
        self.start: int | None = None
        self.end: int | None = None
        self.hash: str | None = None
        self.tools: list[str] = []
        self.errors = 0
        self.noted = False


def last_turn(host: str, path: str) -> Turn:
    """From the last message that a person typed to the end. Without a transcript that can be read: nothing known."""
    fd = open_regular(path)
    if fd < 0:
        return Turn()
    try:
        size = os.fstat(fd).st_size
        for window in WINDOWS:
            start = max(0, size - window)
            data = os.pread(fd, size - start, start)
            found = _look(host, data, start)
            if found is not None or start == 0:
                break
        return found or _all_of_it(size)
    finally:
        os.close(fd)


def _all_of_it(size: int) -> Turn:
    turn = Turn()
    turn.end = size
    return turn


def _look(host: str, data: bytes, base: int) -> Turn | None:
    """Backwards, line by line; a line that begins before the window is left alone."""
    turn, end = Turn(), len(data)
    calls: dict[str, bool] = {}
    """By id of a call that failed."""
    named: list[str] = []
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        if start == 0 and base > 0:
            return None
        line = data[start:end]
        end = start
        value = _object(line)
        if value is None:
            continue
        for name, call_id, wrote_note in _tool_calls(host, value):
            named.append(name)
            turn.noted = turn.noted or (wrote_note and not calls.get(call_id, False))
        for call_id in _failures(host, value):
            calls[call_id] = True
        message = _typed(host, value, base + start)
        if message:
            turn.message_id = plain(message, 128)
            turn.start, turn.end = base + start, base + len(data)
            turn.hash = f"sha256:{_sha256(data[start:])}"
            turn.tools = list(dict.fromkeys(reversed(named)))[:TOOLS_LIMIT]
            turn.errors = len(calls)
            return turn
    return None


def _object(line: bytes) -> "Payload | None":
    if b'"user' not in line and b"tool" not in line and b"call" not in line:
        return None  # nothing that we look for
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _inner(value: "Payload") -> "Payload":
    for name in ("message", "payload"):
        inner = value.get(name)
        if isinstance(inner, dict):
            return inner
    return {}


def _blocks(value: "Payload") -> "list[Payload]":
    content = _inner(value).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _typed(host: str, value: "Payload", offset: int) -> str:
    """The id of a message that a person typed, or nothing when this line is something else."""
    if host == "codex":
        inner = _inner(value)
        typed = value.get("type") == "event_msg" and inner.get("type") == "user_message"
        return f"at-{offset}" if typed else ""
    if (value.get("type") or value.get("role")) != "user":
        return ""
    if value.get("isMeta") or value.get("isSidechain") or value.get("isCompactSummary"):
        return ""
    blocks = _blocks(value)
    if any(block.get("type") == "tool_result" for block in blocks) or not blocks:
        return ""
    first = next((block.get("text", "") for block in blocks if block.get("type", "text") == "text"), "")
    if isinstance(first, str) and first.startswith(("<local-command-", "[Request interrupted")):
        return ""
    own = value.get("uuid")
    return own if isinstance(own, str) and own else f"at-{offset}"


def _tool_calls(host: str, value: "Payload") -> "list[tuple[str, str, bool]]":
    """(name, id of the call, whether it wrote a note)"""
    if host == "codex":
        inner = _inner(value)
        if value.get("type") != "response_item" or not str(inner.get("type", "")).endswith("_call"):
            return []
        said = inner.get("arguments") or inner.get("input") or inner.get("action")
        return [_call(inner.get("name") or inner.get("type"), inner.get("call_id"), said)]
    uses = [block for block in _blocks(value) if block.get("type") in ("tool_use", "tool")]
    return [_call(block.get("name") or block.get("tool"), block.get("id"), block.get("input")) for block in uses]


def _call(name: object, call_id: object, said: object) -> tuple[str, str, bool]:
    known = plain(str(name or "tool"), 64)
    return known, str(call_id or ""), is_note(known, said)


def is_note(name: str, said: object) -> bool:
    """Whether a call of a tool writes a note: our own tool, or the command in a shell."""
    low = name.lower()
    if low == "note" or ("cairn" in low and low.endswith(("_note", ".note", "-note"))):
        return True
    text = said if isinstance(said, str) else json.dumps(said)
    return "cairn note" in text or "cairn knowledge note" in text


def _failures(host: str, value: "Payload") -> list[str]:
    if host == "codex":
        return []  # its output says so in words only
    results = [block for block in _blocks(value) if block.get("type") == "tool_result"]
    return [str(block.get("tool_use_id", "")) for block in results if block.get("is_error") is True]


def _sha256(data: bytes) -> str:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]  # hashlib takes longer than the rest of the hook
    except ImportError:
        from hashlib import sha256
    return str(sha256(data).hexdigest())
