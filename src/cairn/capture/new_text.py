"""Gathers what is new in a transcript for the log: without what is private, scrubbed, and not without end."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from cairn.core.fingerprint import marked
from cairn.core.model.session import Role, Segment
from cairn.core.session_log import BETWEEN, block
from cairn.hook.aside import BRIEFING, read_small
from cairn.hook.briefed import LIMIT

CURSORY: Final = "cursory_session"
"""Why nothing is proposed from it."""
_WORDS: Final = 5
_UNSPACED: Final = re.compile(r"\w{12}")
"""About as much text as five words, where words are not spaced."""
_ASKS: Final = re.compile(r"[?？؟]\s*\Z")
_USER_TURNS: Final = 1
_USER_CHARS: Final = 200
_AGENT_CHARS: Final = 500


class SpeakerCounts(NamedTuple):
    """How much was said so far, by whom."""

    user_turns: int = 0
    user_chars: int = 0
    agent_chars: int = 0

    def more(self, role: Role, text: str) -> "SpeakerCounts":
        if role == "user":
            return self._replace(user_turns=self.user_turns + 1, user_chars=self.user_chars + len(text))
        return self._replace(agent_chars=self.agent_chars + len(text))


def is_cursory(said: SpeakerCounts) -> bool:
    return said.user_turns <= _USER_TURNS and said.user_chars <= _USER_CHARS and said.agent_chars <= _AGENT_CHARS


def is_statement(text: str) -> bool:
    """Whether a message says something: more than a greeting, and no question."""
    long = len(text.split(None, _WORDS)) >= _WORDS or _UNSPACED.search(text) is not None
    return long and _ASKS.search(text.rstrip()) is None


Redact = Callable[[str], tuple[str, dict[str, int]]]
"""A text in; out comes what may be kept of it, possibly nothing, and how often each rule took something away."""


@dataclass(slots=True)
class NewText:
    """What came of it, so far."""

    said: SpeakerCounts
    segments: int = 0
    characters: int = 0
    redactions: dict[str, int] = field(default_factory=dict)
    full_at: int | None = None
    """Offset in the transcript of the first thing for which there was no room."""
    outside_from: int | None = None
    """How many characters there were when a tool was first used: what the agent says behind may follow anybody."""


def gather(
    found: Iterable[Segment],
    redact: Redact,
    into: NewText,
    *,
    room: int,
    known: Container[bytes] = (),
    first: bool,
) -> Iterator[bytes]:
    """Pieces of rendered text, one for each thing that was said. What is `known` is left out as long as nothing new has
    been said: a transcript that the host wrote anew usually begins with what it held before."""
    skipping = bool(known)
    for segment in _watched(found, into):
        if segment.injected or not segment.text:
            continue
        text, counts = redact(segment.text)
        if not text:
            continue
        piece = block(segment.role, text)
        if skipping and digest(piece) in known:
            continue
        skipping = False
        data = ("" if first else BETWEEN).encode() + piece.encode()
        if len(data) > room:
            into.full_at = segment.start
            return
        room -= len(data)
        _count(into, segment, text, counts, len(piece) + (0 if first else len(BETWEEN)))
        first = False
        yield data


def _watched(found: Iterable[Segment], into: NewText) -> Iterator[Segment]:
    for segment in found:
        yield segment
        if segment.tools and into.outside_from is None:
            into.outside_from = into.characters


def _count(into: NewText, segment: Segment, text: str, counts: dict[str, int], characters: int) -> None:
    into.said = into.said.more(segment.role, text)
    into.segments += 1
    into.characters += characters
    for rule, count in counts.items():
        into.redactions[rule] = into.redactions.get(rule, 0) + count


def digest(piece: str) -> bytes:
    return sha256(piece.encode()).digest()[:16]


_LONGEST_MARK: Final = 4096


def told_lately(root: Path) -> frozenset[str]:
    """Fingerprints of the briefings that lie ready: some hosts give them to the model and write them down nowhere."""
    return marked(read_small(str(root / BRIEFING), LIMIT))


def heard(chunks: Iterable[bytes], recalled: set[str]) -> Iterator[bytes]:
    """The same bytes; `recalled` learns what of them Cairn itself has said."""
    before = b""
    for chunk in chunks:
        data = before + chunk
        if b"cairn:recall" in data:
            recalled |= marked(data)
        before = chunk[-_LONGEST_MARK:]
        yield chunk


def told_before(chunks: Iterable[bytes], end: int) -> set[str]:
    """What was told in the beginning of a transcript, up to there: a briefing stands before everything else."""
    found: set[str] = set()
    for chunk in heard(chunks, found):
        end -= len(chunk)
        if end <= 0:
            break
    return found
