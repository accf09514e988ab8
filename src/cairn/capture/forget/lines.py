"""Which lines of a ledger go, and what becomes of those that only get shorter."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cairn.capture.forget.needle import Needle

Judge = Callable[[bytes], bytes | None]
"""What a line becomes: itself, another one, or None when it goes."""
EXPIRED: Final = "(this note has expired)"
_WORDS: Final = frozenset({"title", "summary", "decision", "evidence", "tags", "context", "fingerprint"})
"""What a note says. The rest is that it was there, whose it was, and what it was worth."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten of a ledger."""

    needle: Needle | None = None
    turns: frozenset[str] = frozenset()
    """Each goes as a whole. Else a turn would count as missing, and its pointer would bring its words back."""
    events: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    before: str = ""
    """ISO 8601: what happened earlier goes."""
    asked: frozenset[str] = frozenset()
    """Events with questions: what was counted as missing because of them has their words, in another spelling."""

    def takes(self, line: bytes) -> bool:
        if self.needle is not None and self.needle.found(line):
            return True
        if not (self.turns or self.events or self.sessions or self.before or self.asked):
            return False
        return self._takes(event_of(line))

    def _takes(self, event: Mapping[str, Any]) -> bool:
        payload = event.get("payload")
        session = payload.get("session") if isinstance(payload, dict) else None
        return (
            turn_of(event) in self.turns
            or id_of(event) in self.events
            or asked_of(event) in self.asked
            or (isinstance(session, str) and session in self.sessions)
            or (bool(self.before) and "" < moment_of(event) < self.before)
        )

    def judge(self, line: bytes) -> bytes | None:
        return None if self.takes(line) else line


def event_of(line: bytes) -> Mapping[str, Any]:
    """Empty when it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def id_of(event: Mapping[str, Any]) -> str:
    id = event.get("id", event.get("event_id"))
    return id if isinstance(id, str) else ""


def turn_of(event: Mapping[str, Any]) -> str:
    payload = event.get("payload")
    turn = payload.get("turn_id") if isinstance(payload, dict) else None
    return turn if isinstance(turn, str) else ""


def asked_of(event: Mapping[str, Any]) -> str:
    """The event with the question that this one was made of."""
    payload = event.get("payload")
    asked = payload.get("asked") if isinstance(payload, dict) else None
    return asked if isinstance(asked, str) else ""


def moment_of(event: Mapping[str, Any]) -> str:
    """Empty when it does not tell; an older program calls it by another name."""
    at = event.get("at", event.get("timestamp"))
    return at if isinstance(at, str) else ""


# --- what expires ---------------------------------------------------------------------------------------------------


def expiring(*, now: str, oldest: str) -> Judge:
    """Events older than `oldest` go; of notes that expired the words go, and the outcome of their turn stays."""

    def judge(line: bytes) -> bytes | None:
        if not oldest and b"expires_at" not in line:
            return line
        event = event_of(line)
        if oldest and "" < moment_of(event) < oldest:
            return None
        return _shortened(event) if _has_expired(event, now) else line

    return judge


def _has_expired(event: Mapping[str, Any], now: str) -> bool:
    payload = event.get("payload")
    if event.get("type") != "turn_completed" or event.get("v") != 1 or not isinstance(payload, dict):
        return False
    until = payload.get("expires_at")
    return isinstance(until, str) and "" < until < now and payload.get("summary") != EXPIRED


def _shortened(event: Mapping[str, Any]) -> bytes:
    kept = {name: value for name, value in event["payload"].items() if name not in _WORDS}
    payload = {**kept, "summary": EXPIRED}
    data = json.dumps({**event, "payload": payload}, ensure_ascii=False, separators=(",", ":"))
    try:
        return data.encode() + b"\n"
    except UnicodeEncodeError:  # half a letter; escaped it is still JSON
        return json.dumps({**event, "payload": payload}, separators=(",", ":")).encode() + b"\n"
