"""An event: one line of the ledger, saying what happened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
    """One line of a ledger, with or without its newline. Types that this Cairn doesn't know are events all the same."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return BadLine("it is not JSON", excerpt_of(line))
    reason = _fault(value)
    if reason is not None:
        return BadLine(reason, excerpt_of(line))
    return Event(value["id"], value["type"], value["at"], value["worktree"], value["payload"])


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
