"""Does anything here answer the question at all? A number from 0 to 1, and the line below which nothing does."""

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from cairn.retrieve.rank import Page
from cairn.retrieve.weight import Weighed, rarity

FITS = 0.58
"""The line among a hundred pages or fewer. As high as `bench/retrieve.py` allows, which bounds how often "nothing fits"
is said wrongly: on public repositories unanswerable questions share more words with pages than those in
`bench/retrieval` do."""
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
_UNWRITTEN = 0.8
"""How rare a word is that nobody wrote, of what it would be without the synonyms that somebody did write."""


class FitWord(NamedTuple):
    """What it says about a passage that it has this unit."""

    word: int
    """Which word of the question it is, or stands for."""
    counts: float
    whole: float
    """How much the word asks for; nothing for what only stands for it."""


def fit_words(weighed: Sequence[Weighed]) -> tuple[FitWord, ...]:
    """Here the rare words decide, more than for the order: a passage without them is about something else. Synonyms
    count half, and words that are only related do not count."""
    asks = [_asks(at, weighed) ** 2 if w.stands_for is None else 0.0 for at, w in enumerate(weighed)]
    return tuple(_fit_word(at, w, weighed, asks) for at, w in enumerate(weighed))


def _fit_word(at: int, w: Weighed, weighed: Sequence[Weighed], asks: Sequence[float]) -> FitWord:
    if w.stands_for is None:
        return FitWord(at, asks[at], asks[at])
    share = _share(w, weighed)
    counted = 1.0 if share >= _SAME else 0.5 if share >= _CLOSE else 0.0
    return FitWord(w.stands_for, asks[w.stands_for] * counted * share**2, 0.0)


def _asks(at: int, weighed: Sequence[Weighed]) -> float:
    """A word that nobody wrote, and of which there are only synonyms, may be what nobody here wrote about."""
    w, others = weighed[at], [_share(other, weighed) for other in weighed if other.stands_for == at]
    if w.pages or not others or max(others) >= _SAME:
        return w.weight
    return max(w.weight, _UNWRITTEN * w.unit.weight * rarity(0, w.among))


def _share(other: Weighed, weighed: Sequence[Weighed]) -> float:
    """How much it counts, of the word that it stands for."""
    word = other.stands_for
    return 1.0 if word is None else other.weight / (weighed[word].weight or 1.0)


def fit(page: Page, words: Sequence[FitWord]) -> float:
    """How much of what was asked stands in the passage, the headings above it, title and summary. What is scattered
    over a page does not count: a long page has any word."""
    whole = sum(word.whole for word in words)
    best: dict[int, float] = {}
    for unit in page.near:
        word = words[unit]
        best[word.word] = max(word.counts, best.get(word.word, 0.0))
    found = sum(best.values()) / whole if whole else 0.0
    return round(found * _OF_A_NOTE if page.note else found, 3)


def line(weighed: Sequence[Weighed]) -> float:
    total = max((w.among for w in weighed), default=0)
    return FITS + _TENFOLD * max(0.0, log10(max(total, 1) / _FEW))
