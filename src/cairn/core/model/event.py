"""An event: one line of the ledger, saying what happened."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""A time with its seconds and its zone."""

EVENT_VERSION = 1
"""Of the envelope. A line with a higher one was written by a newer Cairn and is left alone."""


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    """UUIDv7; lines taken over from elsewhere may carry a ULID. Unique over all ledgers: index by it."""
    type: str
    at: str
    """ISO 8601, UTC, milliseconds."""
    worktree: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be understood; the ones around it are fine."""

    reason: str
    excerpt: str
    """Its beginning, for a person to look at."""


def parse_event(line: bytes) -> Event | BadLine:
    """One line of a ledger, with or without its newline. Types that this Cairn doesn't know are events all the same;
    lines of an old `activity.jsonl` become what they would be today."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return BadLine("it is not JSON", excerpt_of(line))
    if isinstance(value, dict) and "event_id" in value and "v" not in value:
        value = _renewed(value)
    reason = _fault(value)
    if reason is not None:
        return BadLine(reason, excerpt_of(line))
    return Event(value["id"], value["type"], value["at"], value["worktree"], value["payload"])


def moment_ms(text: str) -> int | None:
    """The time of an event in milliseconds since 1970; None for a text that is no time with a zone, as RFC 3339 writes
    it."""
    from datetime import datetime

    if not _MOMENT.fullmatch(text):
        return None
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _renewed(old: dict[str, Any]) -> dict[str, Any]:
    """The envelope of an old line in today's words: task and branch are part of the payload, and a work tree is called
    by its label and the beginning of its id."""
    payload = old.get("payload")
    told = {"task_id": old.get("task_id"), "branch": old.get("branch")}
    label = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(old.get("actor_label", "")).lower())
    slug = "-".join(part for part in label.split("-") if part)[:40].rstrip("-") or "root"
    number = "".join(c for c in str(old.get("worktree_id", "")).lower() if c in "0123456789abcdef")[:12]
    return {
        "v": EVENT_VERSION,
        "id": old["event_id"],
        "type": old.get("type"),
        "at": old.get("ts"),
        "worktree": f"{slug}-{number or '0'}",
        "payload": {**told, **payload} if isinstance(payload, dict) else None,
    }


# --- ids ------------------------------------------------------------------------------------------------------------

_UUID, _TIME = 16, 6
"""Bytes of a UUID, and of the time that a UUIDv7 begins with."""
_SHORT = _UUID - _TIME
_is_uuid = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").fullmatch


def packed_id(id: str, at_ms: int) -> bytes:
    """The bytes of a UUID, without the time that it begins with where that is the time of its event; any other id as it
    is, and of another length."""
    if _is_uuid(id):
        return short_id(bytes.fromhex(id.replace("-", "")), at_ms)
    data = id.encode()
    return data + b"\0" if len(data) in (_UUID, _SHORT) else data


def short_id(uuid: bytes, at_ms: int) -> bytes:
    return uuid[_TIME:] if int.from_bytes(uuid[:_TIME], "big") == at_ms else uuid


def unpacked_id(data: bytes, at_ms: int) -> str:
    if len(data) not in (_UUID, _SHORT):
        return (data[:-1] if len(data) in (_UUID + 1, _SHORT + 1) and data.endswith(b"\0") else data).decode()
    text = (data if len(data) == _UUID else at_ms.to_bytes(_TIME, "big") + data).hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def excerpt_of(line: bytes) -> str:
    return line[:120].decode("utf-8", "replace").rstrip("\n")


def _fault(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "it is not an object"
    version = value.get("v")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        return "it has no version"
    if version > EVENT_VERSION:
        return "it was written by a newer Cairn"
    for key in ("id", "type", "at", "worktree"):
        if not isinstance(value.get(key), str) or not value[key]:
            return f"its `{key}` is missing"
    return None if isinstance(value.get("payload"), dict) else "its `payload` is missing"
