"""Ranks the passages of a source for a claim: the first is the one that the claim relies on, however weak the bond."""

from collections.abc import Iterable, Sequence
from itertools import islice

from cairn.freshness.extractive.align import Weights, bond
from cairn.freshness.extractive.claims import Claim
from cairn.freshness.extractive.finder import Finder
from cairn.freshness.extractive.passages import Passage

_KEYS = 4
"""Of a claim's rarest keys; a passage that shares none of them does not rank before one that does."""


class Ranking:
    def __init__(self, passages: Sequence[Passage], weights: Weights) -> None:
        self._finder, self._weights = Finder(passages), weights
        self._known: dict[int, float] = {}

    def best(self, claim: Claim) -> float:
        """How strongly the claim is bound to the passage that ranks first; 0 where none has anything of it."""
        if id(claim) not in self._known:
            bonds = (bond(claim, one, self._weights) for one in self._candidates(claim))
            self._known[id(claim)] = max(bonds, default=0.0)
        return self._known[id(claim)]

    def _candidates(self, claim: Claim) -> Iterable[Passage]:
        """Passages with one of the rarest keys that any has."""
        telling = sorted(claim.own, key=lambda key: (-self._weights.of(key), key))
        there = (some for key in telling if (some := self._finder.with_key(key)))
        return {id(one): one for some in islice(there, _KEYS) for one in some}.values()
