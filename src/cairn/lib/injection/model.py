"""Finds passages that order an agent to do harm, with a small linear model over their traits.

`bench/injection_train.py` computes the weights in `instructions.bin`. A first look at single words decides which
passages are worth the second one: about one in fifteen of an ordinary page.
"""

import json
import re
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from cairn.lib.injection.passages import passages
from cairn.lib.injection.traits import classes_in, far_pieces, traits, undisguised

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
