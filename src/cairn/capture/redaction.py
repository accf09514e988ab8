"""What is looked for when something is to be forgotten, and what of a ledger or a log goes with it."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final
from urllib.parse import unquote

from cairn.core.session_log import PROPOSAL, Head, head_bytes, read_head, text_end
from cairn.errors import UsageError

_SHORT: Final = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", '"': '"', "\\": "\\", "/": "/"}
"""What JSON writes with a backslash and one letter."""
_BACKSLASHES: Final = rb"\\(?:\\)*"
"""JSON in JSON doubles them, as often as it was packed. To begin with a plain character makes searching quick."""
_BLANKS: Final = " \t\r\n\u00a0"
_BLANK: Final = (
    rb"(?:[ \t\r\n]|\xc2\xa0|%(?:25)*(?:20|0[9aAdD]|[cC]2%(?:25)*[aA]0)|&(?:nbsp|#160);"
    rb"|\\(?:\\)*(?:[nrt]|u00(?:20|[aA]0|0[9aAdD])))+|\+"
)
_LONGEST_SPELLING: Final = 24
"""Bytes that one character may take."""


def spellings(text: str) -> list[re.Pattern[bytes]]:
    """Patterns that find a text however it is written. A blank in it stands for any blanks: pages wrap their lines."""
    forms = list(dict.fromkeys((text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))))
    narrow = b"|".join(_narrow(form) for form in forms)
    wide = [b"|".join(_wide(form, encoding) for form in forms) for encoding in ("utf-16-le", "utf-16-be")]
    return [re.compile(pattern) for pattern in (narrow, *wide)]


def longest(text: str) -> int:
    """Bytes that one finding may have; whoever searches piece by piece lets them overlap by so many."""
    return (len(text) + 2) * _LONGEST_SPELLING


def _narrow(text: str) -> bytes:
    return b"".join(b"(?:" + _character(part) + b")" for part in _parts(text))


def _parts(text: str) -> list[str]:
    """Characters; blanks in a row are one."""
    return re.findall(rf"[{_BLANKS}]+|.", text, re.DOTALL)


def _character(part: str) -> bytes:
    if part[0] in _BLANKS:
        return _BLANK
    return b"|".join(dict.fromkeys(form for variant in _cases(part) for form in _forms(variant)))


def _cases(character: str) -> list[str]:
    return list(dict.fromkeys((character, character.lower(), character.upper())))


def _forms(text: str) -> list[bytes]:
    """Mostly of one character; some letters become two in the other case."""
    data = text.encode("utf-8", "surrogatepass")
    found = [re.escape(data)]
    if len(text) == 1 and text in _SHORT:
        found.append(_BACKSLASHES + re.escape(_SHORT[text].encode()))
    units = text.encode("utf-16-be", "surrogatepass").hex()
    found.append(b"".join(_BACKSLASHES + b"u" + _hex(units[at : at + 4]) for at in range(0, len(units), 4)))
    found.append(b"".join(b"%(?:25)*" + _hex(f"{byte:02x}") for byte in data))
    found.append(b"".join(_entity(character) for character in text))
    return found


def _hex(digits: str) -> bytes:
    return "".join(digit if digit.isdigit() else f"[{digit}{digit.upper()}]" for digit in digits).encode()


def _entity(character: str) -> bytes:
    from html.entities import codepoint2name

    number = ord(character)
    named = codepoint2name.get(number)
    names = [rb"#0*%d" % number, b"#[xX]0*" + _hex(f"{number:x}"), *([named.encode()] if named else [])]
    return b"&(?:" + b"|".join(names) + b");"


def _wide(text: str, encoding: str) -> bytes:
    parts = []
    for part in _parts(text):
        variants = [" ", "\n", "\t", "\r\n"] if part[0] in _BLANKS else _cases(part)
        parts.append(b"|".join(re.escape(variant.encode(encoding, "surrogatepass")) for variant in variants))
    return b"".join(b"(?:" + part + b")" for part in parts)


MARK: Final = "[FORGOTTEN]"
SHORTEST: Final = 4
"""Characters of a literal: what is shorter stands everywhere."""
_OVERLAP: Final = 64 * 1024
"""How far what a pattern finds may reach from one piece of a file into the next."""
_ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_PLAIN: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DEPTH: Final = 3
"""How often JSON may be packed into JSON."""


class Needle:
    """Finds its texts in bytes, however they are written there; a pattern in everything that the bytes may mean."""

    def __init__(self, literals: Sequence[str] = (), pattern: re.Pattern[str] | None = None) -> None:
        self._spelled = [form for literal in literals for form in spellings(literal)]
        self._pattern = pattern
        self.overlap = max([longest(literal) for literal in literals] + ([_OVERLAP] if pattern else []), default=0)

    def found(self, data: bytes) -> bool:
        if any(form.search(data) for form in self._spelled):
            return True
        return self._pattern is not None and any(self._pattern.search(view) for view in _views(data))

    def masked(self, data: bytes) -> bytes:
        """With a mark in place of what is found as it stands there. Where it is escaped a pattern can't be masked, so
        look again."""
        for form in self._spelled:
            data = form.sub(MARK.encode(), data)
        if self._pattern is None:
            return data
        text = self._pattern.sub(lambda found: MARK if found[0] else "", _decoded(data))
        return text.encode("utf-8", "surrogateescape")

    def shown(self, text: str) -> str:
        """A text that may be printed: a path, say, that may hold what is to be forgotten."""
        return self.masked(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")


def literal_needle(texts: Sequence[str]) -> Needle:
    if any(len(text.strip()) < SHORTEST for text in texts):
        raise UsageError(
            f"A literal needs {SHORTEST} characters or more, because what is shorter stands everywhere; "
            r"say more of it, or use a pattern such as --pattern '\bAda\b'."
        )
    return Needle(literals=[text.strip() for text in texts])


def pattern_needle(text: str) -> Needle:
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"--pattern is no regular expression ({error}); mend it, or use --literal.") from None
    if pattern.search(""):
        raise UsageError("--pattern also fits an empty text, so it would fit everything; make it say more.")
    return Needle(pattern=pattern)


# --- what bytes may mean --------------------------------------------------------------------------------------------


def _views(data: bytes) -> Iterator[str]:
    text = _decoded(data)
    yield text
    plain = text
    for _ in range(_DEPTH):
        if "\\" not in plain or (opened := _unescaped(plain)) == plain:
            break
        plain = opened
        yield plain
    if "%" in text:
        yield unquote(text, errors="replace")
    if "&" in text:
        from html import unescape

        yield unescape(text)
    if b"\0" in data:
        yield from (data[start:].decode(kind, "replace") for kind in ("utf-16-le", "utf-16-be") for start in (0, 1))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _unescaped(text: str) -> str:
    """What JSON means by its backslashes; two halves of a letter become one."""
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _PLAIN.get(found[2], found[2]), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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


def masked_log(data: bytes, needle: Needle) -> bytes | None:
    """None when it can't be done: this is no log, or it holds the thing in a form that can't be masked."""
    head = read_head(data)
    if head is None:
        return None
    end = text_end(head, len(data), data[head.length + head.log.transcript_bytes :][: len(PROPOSAL)])
    if end is None:
        cut = data.rfind(PROPOSAL.rstrip())
        end = len(data) if cut < head.length else cut
    text = needle.masked(data[head.length : end])
    fresh = _head(head, data[head.length : end].decode("utf-8", "replace"), text, needle)
    log = fresh + text + needle.masked(data[end:])
    return None if needle.found(log) else log


def _head(head: Head, before: str, text: bytes, needle: Needle) -> bytes:
    log = replace(
        head.log,
        transcript_hash=f"sha256:{sha256(text).hexdigest()}",
        transcript_bytes=len(text) if head.log.transcript_bytes else 0,
        transcript_chars=len(text.decode("utf-8", "replace")) if head.log.transcript_chars else 0,
        curated_through=_masked_length(before[: head.log.curated_through], needle),
        cues_through=_masked_length(before[: head.log.cues_through], needle),
        question=None,  # it was asked with the words that are masked now
        asked_through=0,
        topics=tuple(needle.shown(topic) for topic in head.log.topics),
        proposal_error=None if head.log.proposal_error is None else needle.shown(head.log.proposal_error),
    )
    return head_bytes(log, _masked(head.values, needle))


def _masked_length(text: str, needle: Needle) -> int:
    return len(needle.masked(text.encode()).decode("utf-8", "replace"))


def _masked(value: Any, needle: Needle) -> Any:
    if isinstance(value, str):
        return needle.shown(value)
    if isinstance(value, dict):
        return {key: _masked(item, needle) for key, item in value.items()}
    return [_masked(item, needle) for item in value] if isinstance(value, list) else value
