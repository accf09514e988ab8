"""Does anything here answer the question at all? A number from 0 to 1, and the line below which nothing does."""

from collections.abc import Sequence
from math import log10

from cairn.retrieve.rank import Page
from cairn.retrieve.weight import Weighed, coverage

FITS = 0.52
"""The line among a hundred pages or fewer: where both kinds of mistakes together are fewest, on one half of the
questions in `bench/retrieval`; what `bench/retrieve.py` prints comes from the other half."""
_FEW = 100
_TENFOLD = 0.04
"""Among ten times as many pages the line is so much higher: the more there are, the easier words meet by chance. Drawn
on questions by others about eight repositories, asked of each alone and of all of them among 14,000 other pages."""
_OF_A_NOTE = 0.9
"""In a few sentences words stand together by chance."""


_CLOSE = 0.55
"""Shares from which another word is a synonym rather than a related word, …"""
_SAME = 0.9
"""… and from which it is as good as the typed one: a translation of a word that no page has."""


def fit(page: Page, weighed: Sequence[Weighed]) -> float:
    """How much of what was asked stands in the passage, the headings above it, title and summary, weighed by how much
    each word tells. What is scattered over a page does not count: a long page has any word. Synonyms count half, and
    words that are only related do not count."""
    close = frozenset(unit for unit in page.near if _share(unit, weighed) >= _CLOSE)
    same = frozenset(unit for unit in close if _share(unit, weighed) >= _SAME)
    found = (coverage(close, weighed) + coverage(same, weighed)) / 2
    return round(found * _OF_A_NOTE if page.note else found, 3)


def _share(unit: int, weighed: Sequence[Weighed]) -> float:
    """How much this counts, of the word that it stands for."""
    word = weighed[unit].stands_for
    return 1.0 if word is None else weighed[unit].weight / (weighed[word].weight or 1.0)


def line(weighed: Sequence[Weighed]) -> float:
    total = max((w.among for w in weighed), default=0)
    return FITS + _TENFOLD * max(0.0, log10(max(total, 1) / _FEW))
