"""Which pages answer best: the index names candidates by the rarest words, then each is looked at closely."""

import json
import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Any, NamedTuple

from cairn.kernel.knowledge.entry import Entry
from cairn.kernel.ports.search import Term, TextFilter, TextHit, TextIndex, TextQuery
from cairn.kernel.ports.turns import SeenNote, TurnStore
from cairn.retrieve.factors import Factor
from cairn.retrieve.match import Finder, Span, Text, fold, text_of
from cairn.retrieve.query import Query, Unit
from cairn.retrieve.spelling import meant

CANDIDATES = 60
"""As many as one question to the index brings."""
LOOKED_AT = 24
"""As many as are read and ranked closely."""
_COMMON = 8
"""A word in more than one of so many pages finds no candidates: too many pages have it."""
_BUDGET = 3_000
"""About so many rows of the index one question may touch, as far as its rarest words allow."""

_COUNTED = 1_000
"""Pages are counted exactly up to here, or up to where a word is common."""
_LEAST = 0.5
"""What everybody here writes about tells no pages apart, but it does tell that a question belongs here."""
_UNKNOWN = 0.7
_PART = 0.6
"""The parts of a name that nobody wrote say less than words that were typed as such."""
_GUESSED = 0.8
"""And so does what may have been meant instead of a word that nobody wrote."""

_FIELDS = {"name": 3.0, "title": 5.0, "summary": 3.0, "heading": 2.5, "body": 1.0}
"""How much one occurrence weighs, by where it stands."""
_SATURATION = 1.4
_LENGTH = 0.3
_USUAL_LENGTH = 2_000
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_IN_CODE = 0.8
"""Somebody who asks wants to read the sentence, unless only the example has it."""
WINDOW = 240
"""Characters that a reader takes in at once."""


class Weighed(NamedTuple):
    """A unit, with how much it tells in this workspace."""

    unit: Unit
    pages: int
    """How many have it, counted up to a limit."""
    weight: float
    common: bool = False
    """Too many pages have it for it to find candidates."""
    elsewhere: bool = False
    """No page has it, only notes; so many of them as are counted as pages."""


@dataclass(frozen=True, slots=True)
class Page:
    """A candidate, looked at closely."""

    hit: TextHit
    frontmatter: dict[str, Any]
    body: Text
    body_line: int
    fields: dict[str, frozenset[int]]
    """Which units each field has."""
    spans: tuple[Span, ...]
    """In the body."""
    window: tuple[int, int]
    """The stretch of the body that says most about the query."""
    score: float = 0.0
    """Of the text alone, then of all factors together."""
    modified_ms: int = 0
    """When the file was last changed."""
    factors: tuple[Factor, ...] = ()
    entry: Entry | None = None
    """What a page of knowledge says about itself."""
    note: SeenNote | None = None
    """It is no file, but a note."""

    @property
    def units(self) -> frozenset[int]:
        return frozenset().union(*self.fields.values())

    @property
    def near(self) -> frozenset[int]:
        """What a reader sees at first sight: title, summary, and the best stretch."""
        seen = {span.unit for span in self.spans if self.window[0] <= span.start < self.window[1]}
        return self.about | seen

    @property
    def about(self) -> frozenset[int]:
        return self.fields["name"] | self.fields["title"] | self.fields["summary"]


# --- how much a word tells ------------------------------------------------------------------------------------------


def weigh(
    query: Query, index: TextIndex, *, notes: TurnStore | None = None, as_typed: frozenset[str] = frozenset()
) -> tuple[Weighed, ...]:
    """What nobody wrote as a whole is taken apart; pieces that only bridge two words weigh nothing. How rare a word is,
    pages say, and notes only of words that no page has: a thousand notes shall not change which page is best.

    Of a name such as `MAX_SIZE` the whole still counts as missing: pages about sizes are not about it. No other word is
    looked for instead of those `as_typed`."""
    total = index.text_total()
    common = max(50, total // _COMMON)
    counter = _Counter(index, notes, max(_COUNTED, common), as_typed)
    counted = _without_bridges([one for unit in query.units for one in counter.count(unit)])
    noted = notes.note_total() if notes is not None and counter.elsewhere else 0
    return tuple(
        Weighed(unit, pages, _weight(unit, pages, noted), pages >= max(50, noted // _COMMON), elsewhere=True)
        if unit.term in counter.elsewhere
        else Weighed(unit, pages, _weight(unit, pages, total), pages >= common)
        for unit, pages in counted
    )


@dataclass(frozen=True, slots=True)
class _Counter:
    """Counts on how many pages something is; what is on none as what it is made of, or as what may have been meant."""

    index: TextIndex
    notes: TurnStore | None
    limit: int
    as_typed: frozenset[str]
    elsewhere: set[Term] = field(default_factory=set)
    """What only notes have."""

    def count(self, unit: Unit) -> list[tuple[Unit, int]]:
        pages = self.pages(unit.term)
        if pages:
            return [(unit, pages)]
        whole = [self._guess(unit)] if unit.name or not unit.parts else []
        parts = [replace(part, weight=part.weight * _PART) for part in _telling(unit.parts)]
        return whole + [(part, n) if (n := self.pages(part.term)) or unit.name else self._guess(part) for part in parts]

    def pages(self, term: Term) -> int:
        pages = self.index.text_frequency(term, at_most=self.limit)
        if pages or self.notes is None:
            return pages
        noted = self.notes.note_frequency(term, at_most=self.limit)
        if noted:
            self.elsewhere.add(term)
        return noted

    def _guess(self, unit: Unit) -> tuple[Unit, int]:
        words = unit.term.spellings[0]
        exact = unit.must or unit.name or unit.run or unit.term.prefix or len(words) > 1 or unit.shown in self.as_typed
        word = None if exact else meant(fold(words[0]), self.index) or self._noted(fold(words[0]))
        if word is None:
            return unit, 0
        guess = replace(unit, term=Term(((word,),)), read_as=word, weight=unit.weight * _GUESSED)
        return guess, self.pages(guess.term)

    def _noted(self, word: str) -> str | None:
        """What may have been meant of all that only notes say."""
        return meant(word, _InNotes(self.notes)) if self.notes is not None else None


class _InNotes(NamedTuple):
    notes: TurnStore

    def text_frequency(self, term: Term, *, at_most: int) -> int:
        return self.notes.note_frequency(term, at_most=at_most)


def _telling(parts: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(part for part in parts if part.weight) or parts


def _weight(unit: Unit, pages: int, total: int) -> float:
    """A word that nobody here wrote may only be another word for what somebody did write."""
    rarity = max(_LEAST, log(1 + (max(total - pages, 0) + 0.5) / (pages + 0.5)))
    return unit.weight * rarity * (1.0 if pages else _UNKNOWN)


def _without_bridges(counted: list[tuple[Unit, int]]) -> list[tuple[Unit, int]]:
    """In `轮换密钥` the middle piece is no word: nobody wrote it, but its characters are in pieces that are known."""
    known = {(unit.run, letter) for unit, pages in counted if pages and unit.run for letter in unit.shown}
    return [
        (unit if pages or not any((unit.run, c) in known for c in unit.shown) else replace(unit, weight=0.0), pages)
        for unit, pages in counted
    ]


# --- candidates -----------------------------------------------------------------------------------------------------


def candidates(
    weighed: Sequence[Weighed], query: Query, index: TextIndex, wanted: TextFilter, *, at_least: int = 0
) -> list[TextHit]:
    """Pages that have all telling words, then pages that have some of the rarest."""
    enough = max(CANDIDATES, at_least + 1)
    must = [w for w in weighed if w.unit.must]
    if any(not w.pages or w.elsewhere for w in must):
        return []
    optional = [w for w in weighed if w.pages and not w.elsewhere and not w.unit.must and w.weight]
    rare = _rare(sorted(optional, key=lambda w: w.pages))
    every = tuple(w.unit.term for w in (*must, *rare))
    if not every:
        return []
    found = index.search(TextQuery(every=every, none=query.never), wanted, enough)
    if len(found) < enough and (len(rare) > 1 or (must and rare)):
        some = _affordable(rare)
        required = tuple(w.unit.term for w in must)
        looser = TextQuery(every=required, any=() if required else tuple(w.unit.term for w in some), none=query.never)
        known = {hit.path for hit in found}
        found += [hit for hit in index.search(looser, wanted, enough) if hit.path not in known]
    return found


def few(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The rarest that can be asked for together."""
    return _affordable(_rare(sorted(weighed, key=lambda w: w.pages)))


def _rare(ordered: list[Weighed]) -> list[Weighed]:
    """Without those that too many pages have, unless there are no others."""
    return [w for w in ordered if not w.common] or ordered[:2]


def _affordable(rare: list[Weighed]) -> list[Weighed]:
    """The rarest, as many as their pages together are few; the two rarest in any case, if both are not too common."""
    taken: list[Weighed] = []
    spent = 0
    for weighed in rare:
        if taken and spent + weighed.pages > max(_BUDGET, spent):
            break
        taken.append(weighed)
        spent += weighed.pages
    return taken


# --- a close look ---------------------------------------------------------------------------------------------------


def look_at(hit: TextHit, body: str, body_line: int, finder: Finder, weighed: Sequence[Weighed]) -> Page:
    frontmatter = json.loads(hit.frontmatter)
    text = text_of(body)
    spans = tuple(finder.spans(text))
    fields = {
        "name": frozenset(finder.units(text_of(hit.path))),
        "title": frozenset(finder.units(text_of(hit.title))) | _called(hit.path, weighed),
        "summary": frozenset(finder.units(text_of(_summary(hit, frontmatter)))),
        "heading": _best_heading(text.shown, spans, weighed),
        "body": frozenset(span.unit for span in spans),
    }
    page = Page(hit, frontmatter, text, body_line, fields, spans, best_window(spans, weighed, text.shown))
    return scored(page, weighed)


def scored(page: Page, weighed: Sequence[Weighed], *, note: SeenNote | None = None) -> Page:
    return replace(page, score=_score(page, weighed), note=note)


def _summary(hit: TextHit, frontmatter: dict[str, Any]) -> str:
    listed = [frontmatter.get(key) for key in ("summary", "tags", "topics")]
    words = [str(item) for value in listed for item in (value if isinstance(value, list) else [value]) if item]
    return " ".join((hit.description, *words))


def _called(path: str, weighed: Sequence[Weighed]) -> frozenset[int]:
    """What is the very name of the file: `keys.md` is rather `docs/keys.md` than `docs/signing-keys.md`."""
    name = fold(path).rpartition("/")[2]
    names = {fold(path), name, name.rpartition(".")[0] or name}
    return frozenset(number for number, w in enumerate(weighed) if fold(w.unit.shown) in names)


def _best_heading(text: str, spans: Sequence[Span], weighed: Sequence[Weighed]) -> frozenset[int]:
    """What the heading has that has the most of it: of a long page with a hundred headings, some have any word."""
    headings: dict[int, set[int]] = {}
    for span in spans:
        line = text.rfind("\n", 0, span.start) + 1
        if text.startswith("#", line):
            headings.setdefault(line, set()).add(span.unit)
    return frozenset(max(headings.values(), key=lambda units: sum(weighed[u].weight for u in units), default=()))


def best_window(spans: Sequence[Span], weighed: Sequence[Weighed], text: str = "") -> tuple[int, int]:
    """Where the most is said in the shortest space, rather in sentences than in code; the first of several."""
    best, place = 0.0, (0, 0)
    code = _code_blocks(text)
    for number, first in enumerate(spans):
        seen: set[int] = set()
        end = first.end
        for span in spans[number:]:
            if span.end - first.start > WINDOW:
                break
            if span.unit not in seen:
                seen.add(span.unit)
                end = max(end, span.end)
        said = sum(weighed[unit].weight for unit in seen) * (1 - 0.1 * (end - first.start) / WINDOW)
        if code and bisect(code, first.start) % 2:
            said *= _IN_CODE
        if said > best + 1e-9:
            best, place = said, (first.start, end)
    return place


def _code_blocks(text: str) -> list[int]:
    """Where they begin and end, by turns."""
    return [fence.start() for fence in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []


def coverage(units: frozenset[int], weighed: Sequence[Weighed]) -> float:
    """How much of what was asked these units are, from 0 to 1."""
    whole = sum(w.weight for w in weighed)
    return sum(weighed[unit].weight for unit in units) / whole if whole else 0.0


def _score(page: Page, weighed: Sequence[Weighed]) -> float:
    """BM25 over fields, more for pages that have everything, and have it together."""
    words = sum(w.weight * _saturated(page, number) for number, w in enumerate(weighed))
    return round(words * (0.5 + coverage(page.units, weighed) ** 2) * (0.8 + 0.4 * coverage(page.near, weighed)), 6)


def _saturated(page: Page, unit: int) -> float:
    times = sum(1 for span in page.spans if span.unit == unit)
    length = 1 - _LENGTH + _LENGTH * len(page.body.shown) / _USUAL_LENGTH
    amount = times / length + sum(w for name, w in _FIELDS.items() if name != "body" and unit in page.fields[name])
    return amount / (_SATURATION + amount)


def in_order(pages: Sequence[Page]) -> list[Page]:
    return sorted(pages, key=lambda page: (-page.score, page.hit.path))
