"""An event: one line of the ledger, saying what happened."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any, Final, NamedTuple

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


LARGEST_COUNT: Final = 2**31 - 1
"""More than anybody counts."""


LONG_TEXT: Final = 300
"""Characters of most texts that are kept."""


encode_payload: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Made once: `json.dumps` with an option makes one for each call."""


class IndexedLedgerEvent(NamedTuple):
    """An event, with its payload read."""

    id: bytes
    """Packed."""
    kind: str
    at_ms: int
    payload: Mapping[str, Any]
    worktree: str = ""

    def key(self, rank: int) -> bytes:
        """By which events are compared: by rank, then by time. A byte, six bytes, and the id."""
        return b"%c%b%b" % (rank, max(0, self.at_ms).to_bytes(6, "big"), self.id)

    def text(self, name: str, longest: int = LONG_TEXT) -> str:
        value = self.payload.get(name)
        return value[:longest] if isinstance(value, str) else ""

    def texts(self, names: Iterable[str]) -> list[str]:
        get = self.payload.get
        return [value[:LONG_TEXT] if type(value := get(name)) is str else "" for name in names]

    def number(self, name: str, largest: int = LARGEST_COUNT) -> int | None:
        value = self.payload.get(name)
        return value if type(value) is int and 0 <= value <= largest else None

    def numbers(self, wanted: Iterable[tuple[str, int]]) -> list[int | None]:
        get = self.payload.get
        return [
            value if type(value := get(name)) is int and 0 <= value <= largest else None for name, largest in wanted
        ]

    def list_of(self, name: str) -> str:
        """A list as JSON; the empty one where there is something else."""
        value = self.payload.get(name)
        if not value or not isinstance(value, list):
            return "[]"
        try:
            return f"[{','.join(map(encode_basestring, value))}]"  # of texts, three times as quick
        except TypeError:
            return encode_payload(value)
