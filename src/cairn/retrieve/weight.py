"""How much each word of a question tells in this workspace: the rarer, the more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, zip_longest
from math import log, sqrt
from typing import NamedTuple

from cairn.core.ports.search import Term, TextFilter, TextHit, TextIndex, TextQuery
from cairn.core.ports.turns import TurnStore
from cairn.core.search_query import Query, Unit
from cairn.lib.text.search_words import ENGLISH, stem
from cairn.lib.text.thesaurus import others
from cairn.retrieve.match import fold, is_slip, meant, shared_beginning

_COMMON = 8
"""A word in more than one of so many pages finds no candidates: too many pages have it."""
_COUNTED = 1_000
"""Pages are counted exactly up to here, or up to where a word is common."""
_DAMPED = 0.5
"""The power of a word's rarity: one rare word shall not outweigh the rest of a question."""
_LEAST = 0.5
"""What everybody here writes about tells no pages apart, but it does tell that a question belongs here."""
_UNKNOWN = 1.0
_UNTITLED = 0.7
_PART = 0.6
"""The parts of a name that nobody wrote say less than words that were typed as such."""
_GUESSED = 0.8
"""And so does what may have been meant instead of a word that nobody wrote."""
_COGNATE = 0.6
_UNTRANSLATED = 0.4
"""A word of another language that nobody here wrote, and that no table knows, may say nothing."""
_MOST_OTHERS = 12
"""Other words of one word that are looked for."""
_COUNTED_OTHERS = 1_000
_FREE = 0.5
"""The power of the share of another word where nobody wrote the one that was typed."""
_LONGEST_LITTLE = 12
_LITTLE = tuple(word for word in sorted(ENGLISH) if len(word) > 3)
_HALF = 3
"""Letters of the shorter half of a word that is made of two."""


class WeighedUnit(NamedTuple):
    """A unit, with how much it tells in this workspace."""

    unit: Unit
    pages: int
    """How many have it, counted up to a limit."""
    weight: float
    common: bool = False
    """Too many pages have it for it to find candidates."""
    elsewhere: bool = False
    """No page has it, only notes; so many of them as are counted as pages."""
    among: int = 0
    """How many pages there are."""
    stands_for: int | None = None
    """Which other one it may stand for, by its position; a page that has both has it once."""


def weigh(
    query: Query, index: TextIndex, *, notes: TurnStore | None = None, as_typed: frozenset[str] = frozenset()
) -> tuple[WeighedUnit, ...]:
    """What nobody wrote as a whole is taken apart; pieces that only bridge two words weigh nothing. How rare a word is,
    pages say, and notes only of words that no page has: a thousand notes shall not change which page is best.

    Of a name such as `MAX_SIZE` the whole still counts as missing: pages about sizes are not about it. No other word is
    looked for instead of those `as_typed`."""
    total = index.text_total()
    common = max(1_000, total // _COMMON)
    counter = _Counter(index, notes, max(_COUNTED, common), as_typed, query.foreign)
    asked = query.units
    if not all(unit.must for unit in asked):
        asked = tuple(one for unit in asked for one in counter.known_phrase(unit))
    units = counter.joined(asked)
    counter.company.extend(unit.term for unit in units if unit.weight and counter.pages(unit.term))
    counted = _without_bridges([one for unit in units for one in counter.count(unit)])
    noted = notes.note_total() if notes is not None and counter.elsewhere else 0
    found = [
        WeighedUnit(unit, pages, _weight(unit, pages, noted), pages >= max(50, noted // _COMMON), True, total)
        if unit.term in counter.elsewhere
        else WeighedUnit(unit, pages, counter.weight(unit, pages, total), pages >= common, among=total)
        for unit, pages in counted
    ]
    return tuple(_with_others(found, counter, common))


def _with_others(asked: Sequence[WeighedUnit], counter: "_Counter", common: int) -> list[WeighedUnit]:
    """And behind them the other words that pages have in their place. What nobody wrote is as rare as those are."""
    found, behind = list(asked), list[WeighedUnit]()
    typed = {_stems(words) for w in asked for words in w.unit.term.spellings}
    for at, w in enumerate(asked):
        free = {_stems(other.words): other for other in reversed(w.unit.also)}
        best_first = (other for stems, other in reversed(free.items()) if stems not in typed)
        counted = ((other, counter.other_pages(Term((other.words,)))) for other in best_first)
        known = list(islice((one for one in counted if one[1]), _MOST_OTHERS))
        if known and not w.pages:
            weight = counter.weight(w.unit, max(pages for _, pages in known), w.among)
            found[at] = w = w._replace(weight=weight)
        for other, pages in known:
            unit = Unit(" ".join(other.words), Term((other.words,)), weight=w.unit.weight * other.share)
            share = other.share if w.pages else other.share**_FREE
            behind.append(WeighedUnit(unit, pages, w.weight * share, pages >= common, among=w.among, stands_for=at))
    return found + behind


@dataclass(frozen=True, slots=True)
class _Counter:
    """Counts on how many pages something is; what is on none as what it is made of, or as what may have been meant."""

    index: TextIndex
    notes: TurnStore | None
    limit: int
    as_typed: frozenset[str]
    foreign: bool
    elsewhere: set[Term] = field(default_factory=set)
    """What only notes have."""
    company: list[Term] = field(default_factory=list)
    """Those that pages have as they were typed: what was meant instead of another stands beside them."""
    known: dict[Term, int] = field(default_factory=dict)

    def known_phrase(self, unit: Unit) -> list[Unit]:
        """The words of a phrase in quotes that nobody wrote: a question about an error quotes more than pages do."""
        if not unit.must or self.pages(unit.term) or not unit.parts:
            return [unit]
        return list(unit.parts)

    def joined(self, units: Sequence[Unit]) -> list[Unit]:
        """With the spelling *filename* for *file* and for *name*, where they stand side by side and somebody wrote it;
        with *time zone* for *timezone*, where nobody wrote that."""
        found = [self._split(unit) for unit in units]
        for at, (one, other) in enumerate(pairwise(units)):
            joined = (f"{one.shown}{other.shown}".lower(),)
            if _is_word(one) and _is_word(other) and self.index.text_frequency(Term((joined,)), at_most=1):
                found[at], found[at + 1] = (_spelled(unit, joined) for unit in found[at : at + 2])
        return found

    def _split(self, unit: Unit) -> Unit:
        word = unit.shown.lower()
        if not _is_word(unit) or self.pages(unit.term):
            return unit
        for at in range(_HALF, len(word) - _HALF + 1):
            halves = (word[:at], word[at:])
            if self.index.text_frequency(Term((halves,)), at_most=1):
                return _spelled(unit, halves)
        return unit

    def count(self, unit: Unit) -> list[tuple[Unit, int]]:
        pages = self.pages(unit.term)
        if pages or unit.must or any(self.other_pages(Term((other.words,))) for other in unit.also):
            return [(unit, pages)]
        whole = [self._guess(unit)] if unit.name or not unit.parts else []
        parts = [replace(part, weight=part.weight * _PART) for part in _telling(unit.parts)]
        return whole + [(part, n) if (n := self.pages(part.term)) or unit.name else self._guess(part) for part in parts]

    def other_pages(self, term: Term) -> int:
        if term not in self.known:
            self.known[term] = self.index.text_frequency(term, at_most=_COUNTED_OTHERS)
        return self.known[term]

    def pages(self, term: Term) -> int:
        if term not in self.known:
            self.known[term] = self._counted(term)
        return self.known[term]

    def _counted(self, term: Term) -> int:
        pages = self.index.text_frequency(term, at_most=self.limit)
        if pages or self.notes is None:
            return pages
        noted = self.notes.note_frequency(term, at_most=self.limit)
        if noted:
            self.elsewhere.add(term)
        return noted

    def weight(self, unit: Unit, pages: int, total: int) -> float:
        """Of a word that was not counted to its end, about as many pages as lie between that and all."""
        number = pages if pages < self.limit else int(sqrt(pages * max(total, pages)))
        untranslated = self.foreign and not pages and not unit.name and not unit.must
        return _weight(unit, number, total) * (_UNTRANSLATED if untranslated else self.topical(unit, pages))

    def topical(self, unit: Unit, pages: int) -> float:
        """Less for a word that no title, heading, path or summary here has: nobody wrote about that."""
        if not pages or unit.must or unit.name or self.index.text_frequency(unit.term, at_most=1, titled=True):
            return 1.0
        return _UNTITLED

    def _guess(self, unit: Unit) -> tuple[Unit, int]:
        words = unit.term.spellings[0]
        exact = unit.must or unit.name or unit.run or unit.term.prefix or len(words) > 1 or unit.shown in self.as_typed
        typed = fold(words[0])
        word = None if exact else meant(typed, self.index, tuple(self.company)) or self._noted(typed)
        if word is None and not exact and _is_little(typed):
            return replace(unit, weight=0.0), 0
        if word is None:
            return self._cognate(unit, typed) if self.foreign and not exact else (unit, 0)
        also = () if self.foreign else others(word)
        guess = replace(unit, term=Term(((word,),)), read_as=word, weight=unit.weight * _GUESSED, also=also)
        return guess, self.pages(guess.term)

    def _cognate(self, unit: Unit, word: str) -> tuple[Unit, int]:
        """Words of other languages often begin like the English one: *configuración*, *Konfiguration*."""
        beginning = shared_beginning(word, self.index)
        if beginning is None:
            return unit, 0
        term = Term(((beginning,),), prefix=True)
        return replace(unit, term=term, weight=unit.weight * _COGNATE), self.pages(term)

    def _noted(self, word: str) -> str | None:
        """What may have been meant of all that only notes say."""
        return meant(word, _InNotes(self.notes)) if self.notes is not None else None


def _stems(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(stem, words))


def _is_little(typed: str) -> bool:
    """A slip for a word that says nothing: `wher`."""
    return len(typed) <= _LONGEST_LITTLE and any(is_slip(typed, word) for word in _LITTLE if word[0] == typed[0])


def _is_word(unit: Unit) -> bool:
    return unit.shown.isalpha() and not (unit.must or unit.run or unit.parts or unit.term.prefix)


def _spelled(unit: Unit, words: tuple[str, ...]) -> Unit:
    return replace(unit, term=Term((*unit.term.spellings, words)))


class _InNotes(NamedTuple):
    notes: TurnStore

    def text_frequency(self, term: Term, *, at_most: int, beside: tuple[Term, ...] = ()) -> int:
        return self.notes.note_frequency(term, at_most=at_most)


def _telling(parts: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(part for part in parts if part.weight) or parts


def _weight(unit: Unit, pages: int, total: int) -> float:
    """A word that nobody here wrote may only be another word for what somebody did write."""
    return unit.weight * rarity(pages, total) * (1.0 if pages else _UNKNOWN)


def rarity(pages: int, total: int) -> float:
    return float(max(_LEAST, log(1 + (max(total - pages, 0) + 0.5) / (pages + 0.5))) ** _DAMPED)


def _without_bridges(counted: list[tuple[Unit, int]]) -> list[tuple[Unit, int]]:
    """In `轮换密钥` the middle piece is no word: nobody wrote it, but its characters are in pieces that are known."""
    known = {(unit.run, letter) for unit, pages in counted if pages and unit.run for letter in unit.shown}
    return [
        (unit if pages or not any((unit.run, c) in known for c in unit.shown) else replace(unit, weight=0.0), pages)
        for unit, pages in counted
    ]


def told(units: Iterable[int], weighed: Sequence[WeighedUnit]) -> float:
    """How much these units tell together; of several that stand for the same word, the one that tells most."""
    best: dict[int, float] = {}
    for unit in units:
        w = weighed[unit]
        word = unit if w.stands_for is None else w.stands_for
        best[word] = max(w.weight, best.get(word, 0.0))
    return sum(best.values())


def words_of_question(units: Iterable[int], weighed: Sequence[WeighedUnit]) -> frozenset[int]:
    """Which words of the question these are, be it by other words."""
    return frozenset(unit if (word := weighed[unit].stands_for) is None else word for unit in units)


def coverage(units: frozenset[int], weighed: Sequence[WeighedUnit]) -> float:
    """How much of what was asked these units are, from 0 to 1."""
    whole = sum(w.weight for w in weighed if w.stands_for is None)
    return told(units, weighed) / whole if whole else 0.0


CANDIDATES = 60
"""As many as one question to the index brings."""
_BUDGET = 6_000
"""About so many rows of the index one question may touch, as far as its rarest words allow."""


def candidates(
    weighed: Sequence[WeighedUnit], query: Query, index: TextIndex, wanted: TextFilter, *, at_least: int = 0
) -> list[TextHit]:
    """Pages that have all telling words, then pages that have some of the rarest."""
    enough = max(CANDIDATES, at_least + 1)
    must = [w for w in weighed if w.unit.must]
    if any(not w.pages or w.elsewhere for w in must):
        return []
    typed = [w for w in weighed if w.stands_for is None]
    optional = [w for w in typed if w.pages and not w.elsewhere and not w.unit.must and w.weight]
    rare = _rare(sorted(optional, key=lambda w: w.pages))
    every = tuple(w.unit.term for w in (*must, *rare))
    found = index.search(TextQuery(every=every, none=query.never), wanted, enough) if every else []
    if len(found) >= enough:
        return found
    required = tuple(w.unit.term for w in must)
    lists = list[list[TextHit]]()
    if len(rare) > 1 or (must and rare):
        some = () if required else tuple(w.unit.term for w in _affordable(rare))
        lists.append(index.search(TextQuery(every=required, any=some, none=query.never), wanted, enough))
    also = _candidates_with_others(weighed)
    if not required and also:
        lists.append(index.search(TextQuery(any=also, none=query.never), wanted, enough))
    known = {hit.path: hit for hit in found}
    for hit in by_turns(lists):
        known.setdefault(hit.path, hit)
    return list(known.values())


def _candidates_with_others(weighed: Sequence[WeighedUnit]) -> tuple[Term, ...]:
    """The telling words, each with the others that may stand for it, as far as they are affordable together."""
    behind = [w for w in weighed if w.stands_for is not None and not w.common]
    words: list[WeighedUnit] = []
    for at, w in enumerate(weighed):
        others = [other for other in behind if other.stands_for == at]
        if w.stands_for is None and w.weight and not w.elsewhere and not w.common and (w.pages or others):
            spellings = [spelling for one in (w, *others) if one.pages for spelling in one.unit.term.spellings]
            pages = w.pages + sum(other.pages for other in others)
            unit = replace(w.unit, term=Term(tuple(dict.fromkeys(spellings)), w.unit.term.prefix and not others))
            words.append(w._replace(unit=unit, pages=pages))
    some = _affordable(sorted(words, key=lambda w: w.pages)) if behind else []
    return tuple(w.unit.term for w in some)


def by_turns(found: Sequence[list[TextHit]]) -> list[TextHit]:
    """The first of each, then the second of each: no list crowds out another."""
    turns = zip_longest(*found)
    return list({hit.path: hit for turn in turns for hit in turn if hit is not None}.values())


def few(weighed: Sequence[WeighedUnit]) -> list[WeighedUnit]:
    """The rarest that can be asked for together."""
    return _affordable(_rare(sorted(weighed, key=lambda w: w.pages)))


def _rare(ordered: list[WeighedUnit]) -> list[WeighedUnit]:
    """Without those that too many pages have, unless there are no others."""
    return [w for w in ordered if not w.common] or ordered[:2]


def _affordable(rare: list[WeighedUnit]) -> list[WeighedUnit]:
    """The rarest, as many as their pages together are few; the two rarest in any case, if both are not too common."""
    taken: list[WeighedUnit] = []
    spent = 0
    for weighed in rare:
        if taken and spent + weighed.pages > max(_BUDGET, spent):
            break
        taken.append(weighed)
        spent += weighed.pages
    return taken
