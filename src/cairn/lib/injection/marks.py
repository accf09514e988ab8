"""Text that talks to a machine instead of a reader: marked, so that people look twice. Never believed, never obeyed.

A detector of this sort misses things; what keeps text from having an effect is that it is only ever handled as data.
`docs/explanation/injection.md` has the numbers.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple
from unicodedata import normalize

from cairn.lib.injection.model import harms

MOST = 20
"""Marks per text. More say nothing new."""

_WORDS: Final = {
    "override": r"(?<![\"“„«「'])\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?"
    r"(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules|guidelines|directions)\b",
    "system": r"\b(?:reveal|print|repeat|show|output|leak)\s+(?:me\s+)?your\s+(?:system|developer)\s+"
    r"(?:prompt|message|instructions?)\b",
    "markers": r"<\|(?:im_start|im_end|system|user|assistant|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>",
    "address": r"\b(?:dear|note\s+to|attention|hey|hello)(?:\s*+,)?\s++(?:all\s+)?"
    r"(?:ai|llm|language\s+model|assistant|chatbot|auditor|agent)s?\b"
    r"|\bif\s+you\s+are\s+an?\s+(?:ai|llm|language\s+model|assistant|agent)\b",
    "verdict": r"\b(?:set|return|output|respond|reply|answer|report|mark)\b[^.\n]{0,60}"
    r"(?:\bverdict\W{1,3}(?:current|superseded|minor|major)|\"verdict\"|source_unverifiable|proposed_changes)",
    "secrecy": r"\b(?:do\s+not|don'?t|never)\s+(?:tell|inform|alert|notify)\s+(?:the\s+|your\s+)?"
    r"(?:user|human|operator|maintainer)s?\b(?!\s+(?:to|how|which|when|if|unless)\b)",
}
"""Forms that are as good as certain; the rest is for `cairn.lib.injection.model` to weigh."""
_PATTERNS: Final = {why: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for why, pattern in _WORDS.items()}

_NEEDS: Final = {
    "override": ("ignore", "disregard", "forget"),
    "system": ("your system", "your developer"),
    "address": ("dear", "note", "attention", "hey", "hello", "if you are"),
    "markers": ("<|", "inst]", "sys>>"),
    "verdict": ("verdict", "source_unverifiable", "proposed_changes"),
    "secrecy": ("tell", "inform", "alert", "notify"),
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
_LOOK: Final = ("аеорсухіјѕԁһԛԝгոɡıοαειυντρκАВЕКМНОРСТУХІ", "aeopcyxijsdhqwrngioaeiuvtpkABEKMHOPCTYXI")
_LETTERS: Final = str.maketrans(*_LOOK)
"""Letters of other scripts that look like these."""
_ALIKE: Final = str.maketrans(*_LOOK, "`*_'\"‘’“”[]()")
"""The same, without signs that mean nothing between words."""


_TWO_ALPHABETS: Final = re.compile(r"[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]", re.IGNORECASE)
_MIXED: Final = re.compile(rf"\w{{0,40}}(?:{_TWO_ALPHABETS.pattern})\w{{0,40}}", re.IGNORECASE)
"""A word in two alphabets: a disguise."""


class InjectionMark(NamedTuple):
    why: str
    """`override`, `system`, `markers`, `address`, `verdict`, `secrecy`, `hidden`, or what
    `cairn.lib.injection.model` adds: `send`, `fetch`, `credentials` and `disable`."""
    start: int
    """About where: in disguise a letter may be longer than it looks."""
    excerpt: str
    """What stands there, on one line, with what nobody would see spelled out."""


def marks(text: str) -> tuple[InjectionMark, ...]:
    """Where a text seems to give orders, in order of their place."""
    found = sorted(_all(text), key=lambda mark: mark.start)
    return tuple(found[:MOST])


def exact_marks(text: str) -> tuple[InjectionMark, ...]:
    """Those of exact forms only, for words of the user: a model that errs must not drop what somebody asked to keep."""
    return tuple(sorted(_exact(text), key=lambda mark: mark.start)[:MOST])


def without_unseen(text: str) -> str:
    """Without characters that have no look of their own, whatever they may carry."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _all(text: str) -> Iterator[InjectionMark]:
    exact = _exact(text)
    yield from exact
    yield from _weighed(readable(text), {mark.why for mark in exact})


def _exact(text: str) -> list[InjectionMark]:
    exact = [InjectionMark(why, hit.start(), _shown(hit[0])) for why, hit in _orders(text)]
    if not text.isascii():
        exact += [InjectionMark("hidden", hit.start(), _shown(hit[0])) for hit in islice(_HIDDEN.finditer(text), MOST)]
    known = {mark.why for mark in exact}
    if (bare := _undisguised(text)) != text:
        exact += [InjectionMark(why, hit.start(), _shown(hit[0])) for why, hit in _orders(bare) if why not in known]
    return exact


def _weighed(text: str, known: set[str]) -> Iterator[InjectionMark]:
    """Without a reason that an exact form has already given: its words are the better excerpt."""
    for harm in islice(harms(text), MOST):
        if harm.why not in known:
            yield InjectionMark(harm.why, harm.start, _shown(text[harm.start : harm.end]))


def _orders(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    low = text.lower()
    for why, pattern in _PATTERNS.items():
        if any(word in low for word in _NEEDS[why]):
            yield from ((why, hit) for hit in islice(pattern.finditer(text), MOST))


def readable(text: str) -> str:
    """As a model reads it: without what nobody sees, with one form of apostrophe, and without disguised letters."""
    if text.isascii():
        return text
    bare = normalize("NFKC", without_unseen(text)).replace("’", "'")
    return _MIXED.sub(lambda hit: hit[0].translate(_LETTERS), bare) if _TWO_ALPHABETS.search(bare) else bare


def _undisguised(text: str) -> str:
    """As a model reads it all the same: letters of other alphabets, wide ones, emphasis, links, something unseen."""
    bare = text if text.isascii() else normalize("NFKC", without_unseen(text)).lower()
    return (_TARGET.sub("", bare) if "](" in bare else bare).translate(_ALIKE)


def _shown(excerpt: str) -> str:
    line = " ".join(excerpt.split())[:80]
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in line)
