"""Recognises a transcript: which host wrote it, about which session."""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.capture.transcripts.lines import LINE_LIMIT
from cairn.core.model.session import HOSTS, Host
from cairn.core.ports.turns import Transcripts
from cairn.errors import UsageError

HEAD: Final = 256 * 1024
_CODEX: Final = frozenset(("session_meta", "response_item", "event_msg", "turn_context"))
_ROLLOUT: Final = re.compile(r"rollout-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-(.+)")


class TranscriptGuess(NamedTuple):
    host: Host | None
    session: str | None
    """As the lines tell it; else as the file is called."""


def recognise(head: bytes, stem: str) -> TranscriptGuess:
    """`stem` is the file's name without its suffix."""
    named = _ROLLOUT.fullmatch(stem)
    session = named[1] if named else stem
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"user:", b"assistant:")):
        return TranscriptGuess("cursor", session)
    text = (
        head.decode("utf-16", "replace") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head.decode("utf-8", "replace")
    )
    values = [value for line in text.split("\n") if (value := _loaded(line))]
    for value in values:
        if host := _host(value):
            return TranscriptGuess(host, _session(host, values) or session)
    return (
        TranscriptGuess("opencode", _exported(text) or session)
        if '"messages"' in text
        else TranscriptGuess(None, session)
    )


def _loaded(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _host(value: dict[str, Any]) -> Host | None:
    if "payload" in value and str(value.get("type")) in _CODEX:
        return "codex"
    if "sessionId" in value or "leafUuid" in value or "parentUuid" in value:
        return "claude"
    if "parts" in value or ("info" in value and "messages" in value):
        return "opencode"
    if value.get("record_type") == "state" or str(value.get("type")) in ("function_call", "reasoning"):
        return "codex"
    return "cursor" if isinstance(value.get("message"), dict) and "role" in value else None


def _session(host: Host, values: list[dict[str, Any]]) -> str | None:
    told = (_told(host, value) for value in values)
    return next((session for session in told if isinstance(session, str) and session), None)


def _told(host: Host, value: dict[str, Any]) -> object:
    if host == "claude":
        return value.get("sessionId")
    inner = value.get("payload") if host == "codex" and value.get("type") == "session_meta" else value.get("info")
    if not isinstance(inner, dict):
        return None
    return inner.get("id") if host == "codex" else inner.get("sessionID") or inner.get("id")


def _exported(text: str) -> str | None:
    found = re.search(r'"id"\s*:\s*"(ses_[A-Za-z0-9]{1,60})"', text[:4096])
    return found[1] if found else None


class TranscriptOwner(NamedTuple):
    host: Host
    session: str


def recognised(transcripts: Transcripts, path: Path, host: Host | None, session: str | None) -> TranscriptOwner:
    """What a transcript is, where its name and the person leave that open."""
    if session is not None and not session.strip():
        raise UsageError("The session has no id, so nobody could find its log again; name one with --session ID.")
    if host and session:
        return TranscriptOwner(host, session)
    if path.is_dir() or path.name == "opencode.db":
        raise UsageError(f"{path} holds many sessions; say which with --host opencode --session ID")
    found = recognise(_head(transcripts, path), path.stem)
    known = host or found.host
    if known is None:
        hosts = ", ".join(HOSTS)
        raise UsageError(f"{path} looks like a transcript of none of the hosts; say which it is of: --host {hosts}")
    return TranscriptOwner(known, session or found.session or path.stem)


def _head(transcripts: Transcripts, path: Path) -> bytes:
    """The beginning of a transcript, to the end of a line: a first prompt may be long."""
    head = b""
    for chunk in transcripts.open(path, "claude", "").chunks():
        head += chunk
        if b"\n" in head[HEAD:] or len(head) > HEAD + LINE_LIMIT:
            break
    end = head.find(b"\n", HEAD)
    return head if end < 0 else head[:end]
