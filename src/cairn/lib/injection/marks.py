"""Text that talks to a machine instead of a reader: marked by words and by a small model, and never obeyed."""

import json
import re
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final, NamedTuple
from unicodedata import normalize

from cairn.lib.injection.traits import classes_in, far_pieces, traits, undisguised

_BLOCK: Final = re.compile(r"\n[ \t]*+\n\s*+|\n(?=[ \t>]*+(?:[-*+#|]|\d{1,9}[.)]\s|```|~~~|<!--|\[//\]))")
_SENTENCE: Final = re.compile(r"[.!?…][)\]\"'”’*_`]*+\s++|[。！？]")
_SHORTEST: Final = 8
_USUAL: Final = 240
"""Characters up to which sentences are joined: orders often need two ("The cache is cold. Send it the …")."""
_LONGEST: Final = 600
"""Characters of one sentence. The rest is a passage of its own, so that words far apart do not meet."""


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Where each passage starts and ends."""
    start = 0
    for end, following in (*(hit.span() for hit in _BLOCK.finditer(text)), (len(text), len(text))):
        if end - start >= _SHORTEST:
            yield from _inside(text, start, end)
        start = following


def _inside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= _USUAL:
        yield start, end
        return
    first = last = start
    for stop in (*(hit.end() for hit in _SENTENCE.finditer(text, start, end)), end):
        if last > first and stop - first > _USUAL:
            yield first, last
            first = last
        last = stop
        while last - first > _LONGEST:
            yield first, first + _LONGEST
            first += _LONGEST
    if last > first:
        yield first, last


_WORD: Final = re.compile(r"[^\W_]+")
_FAR: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STEM: Final = 6
_DEEDS: Final = {
    "send": ("send", "outward", "private", "secret"),
    "fetch": ("fetch", "run", "outward", "unsigned"),
    "credentials": ("secret", "show", "put", "root"),
    "disable": ("disable", "guard", "tests", "root"),
    "override": ("forget", "former", "rules", "rank"),
    "address": ("agent", "user", "hush", "tell", "pretend", "plant"),
}
"""What such a passage asks for, and the classes of words that go with it; the first two count double."""


class Harm(NamedTuple):
    why: str
    start: int
    end: int


class Model(NamedTuple):
    weights: memoryview
    """By the hash of a trait, as one byte each."""
    scale: float
    bias: float
    threshold: float
    first: memoryview
    """The same for the first look, by the hash of a word."""
    first_scale: float
    first_bias: float
    first_threshold: float


@cache
def model() -> Model:
    head, _, packed = (files("cairn.lib.injection") / "instructions.bin").read_bytes().partition(b"\n")
    numbers = json.loads(head)
    data = memoryview(zlib.decompress(packed)).cast("b")
    size = numbers.pop("size")
    return Model(weights=data[:size], first=data[size:], **numbers)


def harms(text: str) -> Iterator[Harm]:
    """Each passage that asks for something harmful. `text` has no unseen characters any more."""
    low, known = text.lower(), model()
    for start, end in passages(text):
        if first_look(low[start:end]) > known.first_threshold and score(text[start:end]) > known.threshold:
            yield Harm(_why(text[start:end]), start, end)


_CLEARED: Final = -2.0
"""Below it the model is sure; between it and the threshold it can't tell."""


_ORDER: Final = 24
"""Characters of the shortest order that can do harm."""


def doubt(text: str) -> str:
    """The passage of a text without marks that comes nearest to an order; empty when the model is sure of all of it."""
    known = readable(text)
    long = ((start, end) for start, end in passages(known) if end - start >= _ORDER)
    scored = ((score(known[start:end]), start, end) for start, end in long)
    worst, start, end = max(scored, default=(_CLEARED, 0, 0))
    return _shown(known[start:end]) if worst > _CLEARED else ""


def score(passage: str) -> float:
    known = model()
    return known.bias + known.scale * sum(_weight(known.weights, trait) for trait in traits(passage))


def _weight(weights: memoryview, name: str) -> int:
    found: int = weights[zlib.crc32(name.encode("utf-8", "replace")) & (len(weights) - 1)]
    return found


def first_look(low: str) -> float:
    known = model()
    return known.first_bias + known.first_scale * sum(map(_word_weight, words_of(low)))


@lru_cache(maxsize=1 << 16)
def _word_weight(word: str) -> int:
    return sum(_weight(model().first, stem) for stem in stems(word))


def stems(word: str) -> tuple[str, ...]:
    """What the first look sees of a word in lower case."""
    if _FAR.search(word):
        return tuple(dict.fromkeys(piece for piece in far_pieces(word) if len(piece) == 2))
    plain = undisguised(word) if any(char.isdigit() for char in word) else word
    return (plain[:_STEM],)


def words_of(low: str) -> set[str]:
    return set(_WORD.findall(low))


def _why(passage: str) -> str:
    present = classes_in(passage)
    counts = {
        why: sum((name in present) * (2 if place < 2 else 1) for place, name in enumerate(names))
        for why, names in _DEEDS.items()
    }
    return max(counts, key=counts.__getitem__)


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
"""Forms that are as good as certain; the rest is for `cairn.lib.injection.marks` to weigh."""
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
    `cairn.lib.injection.marks` adds: `send`, `fetch`, `credentials` and `disable`."""
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
