"""Text that talks to a machine instead of a reader: marked, so that people look twice. Never believed, never obeyed.

A detector of this sort misses things; what keeps text from having an effect is that it is only ever handled as data.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple
from unicodedata import normalize

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

_NEEDS: Final = {
    "override": ("ignore", "disregard", "forget", "override", "bypass"),
    "role": ("now", "pretend"),
    "system": ("system", "developer", "assistant"),
    "markers": ("<|", "inst]", "sys>>", "system>", "instruction", "assistant>"),
    "verdict": ("verdict", "source_unverifiable", "proposed_changes"),
    "secrecy": ("tell", "mention", "reveal", "inform", "alert"),
}
"""One of these is in whatever a pattern finds: looked for first, since most texts have none."""

_HIDDEN: Final = re.compile(
    r"[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]+|[\u200b-\u200d\u2060]{4,}"
    r"|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|(?<=[ -~])[\U000e0100-\U000e01ef]"
)
"""Letters that nobody sees: reversed text, tags, runs of characters without width, and bytes that are written as
variants of a letter or an emoji, of which one letter has one at most."""

_UNSEEN: Final = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_TARGET: Final = re.compile(r"\]\([^()\s]{0,500}\)")
_ALIKE: Final = str.maketrans("аеорсухіјѕԁһԛԝгոɡıοαειυντρκ", "aeopcyxijsdhqwrngioaeiuvtpk", "`*_'\"‘’“”[]()")
"""Letters of other scripts that look like these, and signs that mean nothing between words."""


class Mark(NamedTuple):
    why: str
    """`override`, `role`, `system`, `markers`, `address`, `verdict`, `secrecy` or `hidden`."""
    start: int
    """About where: in disguise a letter may be longer than it looks."""
    excerpt: str
    """What stands there, on one line, with what nobody would see spelled out."""


def marks(text: str) -> tuple[Mark, ...]:
    """Where a text seems to give orders, in order of their place."""
    found = sorted(_all(text), key=lambda mark: mark.start)
    return tuple(found[:MOST])


def without_unseen(text: str) -> str:
    """Without characters that have no look of their own, whatever they may carry."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _all(text: str) -> Iterator[Mark]:
    seen: set[str] = set()
    for why, hit in (*_orders(text), *(("hidden", hit) for hit in islice(_HIDDEN.finditer(text), MOST))):
        seen.add(why)
        yield Mark(why, hit.start(), _shown(hit[0]))
    bare = _undisguised(text)
    if bare != text:
        yield from (Mark(why, hit.start(), _shown(hit[0])) for why, hit in _orders(bare) if why not in seen)


def _orders(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    low = text.lower()
    for why, pattern in _PATTERNS.items():
        if any(word in low for word in _NEEDS.get(why, ("",))):
            yield from ((why, hit) for hit in islice(pattern.finditer(text), MOST))


def _undisguised(text: str) -> str:
    """As a model reads it all the same: letters of other alphabets, wide ones, emphasis, links, something unseen."""
    bare = text if text.isascii() else normalize("NFKC", without_unseen(text)).lower()
    return (_TARGET.sub("", bare) if "](" in bare else bare).translate(_ALIKE)


def _shown(excerpt: str) -> str:
    line = " ".join(excerpt.split())[:80]
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in line)
