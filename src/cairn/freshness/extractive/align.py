"""Which passages of a source an entry's claims rely on: what they share, weighed by how rare it is on the page."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

from cairn.freshness.extractive.claims import Claim
from cairn.freshness.extractive.passages import Passage
from cairn.lib.text.atoms import concept, is_name

_WORD = re.compile(r"[^\W\d_]{2,}")
_CONTEXT = 0.4
"""What a heading or the paragraph shares counts less than what the sentence says itself."""
_NAMED = 0.8
"""A name in a heading says what all of the section is about."""
_NAME = 1.6
"""Of a name, compared with a word as rare: people choose names so that they can be told apart."""
_LEAST = 6.0
"""Weight that a passage or claim is taken to have at least, so that two words alone bind nothing."""


@dataclass(slots=True)
class Weights:
    """How much each key says on this page."""

    counts: Mapping[str, int]
    passages: int
    known: dict[str, float] = field(default_factory=dict)

    def of(self, key: str) -> float:
        weight = self.known.get(key)
        if weight is None:
            weight = self.known[key] = self._fresh(key)
        return weight

    def total(self, keys: Iterable[str]) -> float:
        return sum(map(self.of, keys))

    def _fresh(self, key: str) -> float:
        rare = log(1 + self.passages / (1 + self.counts.get(key, 0)))
        return rare * (_NAME if is_name(key) or key[:1].isdigit() else 1.0)


def weights_of(text: str, passages: int) -> Weights:
    """From the words of the old text; counting words is enough, and costs a tenth of taking everything apart."""
    counts: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text.lower())).items():
        counts[concept(word)] += count
    return Weights(counts, max(passages, 20))


def bond(claim: Claim, passage: Passage, weights: Weights, without: frozenset[str] = frozenset()) -> float:
    """From 0 (nothing in common) to 1 (one says all that the other does). Leaves out keys that are in question."""
    shared = (claim.keys & passage.keys) - without
    near = ((claim.keys & passage.context) | (claim.context & passage.keys)) - shared - without
    if not shared and not near:
        return 0.0
    weight = weights.total(shared) + sum(weights.of(key) * (_NAMED if is_name(key) else _CONTEXT) for key in near)
    smaller = min(weights.total(claim.keys - without), weights.total(passage.keys - without))
    return min(1.0, weight / max(smaller, _LEAST))
