"""Text that talks to a machine instead of a reader: marked, so that people look twice. Never believed, never obeyed.

A detector of this sort misses things; what keeps text from having an effect is that it is only ever handled as data.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST = 20
"""Marks per text. More say nothing new."""

_WORDS: Final = {
    "override": r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,4}"
    r"(?:instructions?|prompts?|rules|guidelines|directions|above|context)\b",
    "role": r"\byou\s+are\s+now\s+(?:an?|the|in|free|acting)\s+\w+|\bpretend\s+(?:to\s+be|that\s+you)\b"
    r"|\bfrom\s+now\s+on,?\s+you\s+(?:are|must|will|shall)\b",
    "system": r"\b(?:system|developer)\s+(?:prompt|message|instructions?)\b|^[ \t]*(?:system|assistant)[ \t]*:",
    "markers": r"<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?|assistant)>",
    "address": r"\b(?:dear|note\s+to|attention|hey|hello)\s*,?\s+(?:all\s+)?"
    r"(?:ai|llm|language\s+model|assistant|chatbot|auditor|agent)s?\b"
    r"|\bif\s+you\s+are\s+an?\s+(?:ai|llm|language\s+model|assistant|agent)\b",
    "verdict": r"\b(?:set|return|output|respond|reply|answer|report|mark)\b[^.\n]{0,60}"
    r"(?:\bverdict\b|\"verdict\"|source_unverifiable|proposed_changes)",
    "secrecy": r"\b(?:do\s+not|don'?t|never)\s+(?:tell|mention|reveal|inform|alert)\s+(?:\w+\s+){0,3}"
    r"(?:user|reader|human|operator|maintainer|anyone)\b",
}
_PATTERNS: Final = {why: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for why, pattern in _WORDS.items()}

_HIDDEN: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]+|(?:[\u200b-\u200d\u2060]){4,}")
"""Letters that nobody sees: reversed text, tags, runs of characters without width."""


class Mark(NamedTuple):
    why: str
    """`override`, `role`, `system`, `markers`, `address`, `verdict`, `secrecy` or `hidden`."""
    start: int
    excerpt: str
    """What stands there, on one line, with what nobody would see spelled out."""


def marks(text: str) -> tuple[Mark, ...]:
    """Where a text seems to give orders, in order of their place."""
    found = sorted(_all(text), key=lambda mark: mark.start)
    return tuple(found[:MOST])


def _all(text: str) -> Iterator[Mark]:
    for why, pattern in (*_PATTERNS.items(), ("hidden", _HIDDEN)):
        for count, hit in enumerate(pattern.finditer(text)):
            if count == MOST:
                break
            yield Mark(why, hit.start(), _shown(hit[0]))


def _shown(excerpt: str) -> str:
    line = " ".join(excerpt.split())[:80]
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in line)
