"""Which pages answer best: each candidate is looked at closely, as a whole and section by section."""

import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log10
from typing import Any, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.core.ports.search import TextHit
from cairn.core.ports.turns import SeenNote
from cairn.knowledge.standing import Standing
from cairn.lib.markdown.blocks import TextSection, sections
from cairn.lib.text.search_words import STOP
from cairn.retrieve.factors import Factor
from cairn.retrieve.match import MatchSpan, Text, UnitFinder, fold, text_of
from cairn.retrieve.weight import WeighedUnit, coverage, rarity, told, words_of_question

LOOKED_AT = 60
"""As many as are read and ranked closely."""

_FIELDS = {"name": 3.0, "title": 5.0, "summary": 3.0, "heading": 2.5}
"""How much an occurrence weighs there; in the body it is one."""
_HEADING = 4.0
"""The same within a section: in its own heading, …"""
_ABOVE = 2.0
"""… in a heading above it, …"""
_TITLE = 2.0
"""… in title, path or summary of the page."""
_ANSWERS = 1.5
"""For a section whose heading answers the question."""
_EXACT = 0.2
"""For a section of whose heading everything was asked for, …"""
_EXACT_TITLE = 0.2
"""… and for a page of whose title everything was."""
_WORD = re.compile(r"[^\W_]+")
_SATURATION = 1.4
_LENGTH = 0.3
_USUAL_LENGTH = 2_000
_USUAL_SECTION = 600
_SECTION = 0.5
"""How much the best section counts, against the page as a whole."""
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_IN_CODE = 0.8
"""Somebody who asks wants to read the sentence, unless only the example has it."""
WINDOW = 240
"""Characters that a reader takes in at once."""


class RankedSection(NamedTuple):
    """A section, looked at closely."""

    section: TextSection
    times: Mapping[int, int]
    """How often its text has each unit."""
    heading: frozenset[int]
    above: frozenset[int]
    """Units in the headings above its own."""
    exact: float = 0.0
    """How much of its heading was asked for, from 0 to 1."""


def whole(text: Text, spans: Sequence[MatchSpan]) -> RankedSection:
    """All of a text that has no headings."""
    return next(_passages([TextSection(0, 0, len(text.shown), 0, "")], spans))


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A candidate, looked at closely."""

    hit: TextHit
    frontmatter: dict[str, Any]
    body: Text
    body_line: int
    fields: dict[str, frozenset[int]]
    """Which units each field has."""
    spans: tuple[MatchSpan, ...]
    """In the body."""
    window: tuple[int, int]
    """The stretch of the body that says most about the query."""
    passage: RankedSection
    """The section that says most about it."""
    score: float = 0.0
    """Of the text alone, then of all factors together."""
    modified_ms: int = 0
    """When the file was last changed."""
    factors: tuple[Factor, ...] = ()
    entry: Entry | None = None
    """What a page of knowledge says about itself."""
    note: SeenNote | None = None
    """It is no file, but a note."""
    exact: float = 0.0
    """How much of its title was asked for, from 0 to 1."""
    standing: Standing | None = None
    """What it is served as; of a note none."""

    @property
    def units(self) -> frozenset[int]:
        return frozenset().union(*self.fields.values())

    @property
    def near(self) -> frozenset[int]:
        """What a reader sees at first sight: title, summary, and the best stretch with the headings above it."""
        seen = {span.unit for span in self.spans if self.window[0] <= span.start < self.window[1]}
        return self.about | self.passage.heading | self.passage.above | seen

    @property
    def about(self) -> frozenset[int]:
        return self.fields["name"] | self.fields["title"] | self.fields["summary"]


def look_at(hit: TextHit, body: str, body_line: int, finder: UnitFinder, weighed: Sequence[WeighedUnit]) -> RankedPage:
    frontmatter = json.loads(hit.frontmatter)
    text = text_of(body)
    spans = tuple(finder.spans(text))
    passages = list(_passages(sections(text.shown), spans))
    fields = {
        "name": frozenset(finder.units(text_of(hit.path))),
        "title": frozenset(finder.units(text_of(hit.title))) | _called(hit.path, weighed),
        "summary": frozenset(finder.units(text_of(_summary(hit, frontmatter)))),
        "heading": _best_heading(passages, weighed),
        "body": frozenset(span.unit for span in spans),
    }
    about = fields["name"] | fields["title"] | fields["summary"]
    best = max(passages, key=lambda one: (_passage_score(one, about, weighed), not _is_empty(one.section, body)))
    window = best_window(_within(best.section, spans), weighed, text.shown)
    exact = _exact(hit.title, finder.spans(text_of(hit.title)))
    return scored(RankedPage(hit, frontmatter, text, body_line, fields, spans, window, best, exact=exact), weighed)


def _passages(found: Sequence[TextSection], spans: Sequence[MatchSpan]) -> Iterator[RankedSection]:
    starts = [section.start for section in found]
    times = [Counter[int]() for _ in found]
    named: list[set[int]] = [set() for _ in found]
    places: list[list[MatchSpan]] = [[] for _ in found]
    for span in spans:
        at = bisect(starts, span.start) - 1
        if span.start >= found[at].text:
            times[at][span.unit] += 1
        else:
            named[at].add(span.unit)
            places[at].append(span)
    for at, section in enumerate(found):
        above = frozenset(unit for around in section.above for unit in named[around])
        yield RankedSection(section, times[at], frozenset(named[at]), above, _exact(section.heading, places[at]))


def _exact(text: str, spans: Iterable[MatchSpan]) -> float:
    """How many of its words were asked for, by their letters; little words don't count."""
    whole = sum(len(word) for word in _WORD.findall(text.lower()) if word not in STOP)
    covered = 0
    end = 0
    for span in sorted(spans):
        covered += max(0, span.end - max(span.start, end))
        end = max(end, span.end)
    return min(1.0, covered / whole) if whole else 0.0


def _is_empty(section: TextSection, body: str) -> bool:
    return not body[section.text : section.end].strip()


def _within(section: TextSection, spans: Sequence[MatchSpan]) -> list[MatchSpan]:
    """Those in its text; those in its heading where its text has none."""
    inside = [span for span in spans if section.text <= span.start < section.end]
    return inside or [span for span in spans if section.start <= span.start < section.end]


def scored(page: RankedPage, weighed: Sequence[WeighedUnit], *, note: SeenNote | None = None) -> RankedPage:
    return replace(page, score=_score(page, weighed), note=note)


def _summary(hit: TextHit, frontmatter: dict[str, Any]) -> str:
    listed = [frontmatter.get(key) for key in ("summary", "tags", "topics")]
    words = [str(item) for value in listed for item in (value if isinstance(value, list) else [value]) if item]
    return " ".join((hit.description, *words))


def _called(path: str, weighed: Sequence[WeighedUnit]) -> frozenset[int]:
    """What is the very name of the file: `keys.md` is rather `docs/keys.md` than `docs/signing-keys.md`."""
    name = fold(path).rpartition("/")[2]
    names = {fold(path), name, name.rpartition(".")[0] or name}
    return frozenset(number for number, w in enumerate(weighed) if fold(w.unit.shown) in names)


def _best_heading(passages: Sequence[RankedSection], weighed: Sequence[WeighedUnit]) -> frozenset[int]:
    """What the heading has that has the most of it: of a long page with a hundred headings, some have any word."""
    headings = (passage.heading for passage in passages)
    return max(headings, key=lambda units: told(units, weighed), default=frozenset())


def best_window(spans: Sequence[MatchSpan], weighed: Sequence[WeighedUnit], text: str = "") -> tuple[int, int]:
    """Where the most is said in the shortest space, rather in sentences than in code; the first of several."""
    best, place = 0.0, (0, 0)
    code = _code_blocks(text)
    units = len({span.unit for span in spans})
    for number, first in enumerate(spans):
        seen: set[int] = set()
        end = first.end
        for at in range(number, len(spans)):  # a slice would copy the rest of a long page for each place
            span = spans[at]
            if span.end - first.start > WINDOW or len(seen) == units:
                break
            if span.unit not in seen:
                seen.add(span.unit)
                end = max(end, span.end)
        said = told(seen, weighed) * (1 - 0.1 * (end - first.start) / WINDOW)
        if code and bisect(code, first.start) % 2:
            said *= _IN_CODE
        if said > best + 1e-9:
            best, place = said, (first.start, end)
    return place


def _code_blocks(text: str) -> list[int]:
    """Where they begin and end, by turns."""
    return [fence.start() for fence in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []


def _score(page: RankedPage, weighed: Sequence[WeighedUnit]) -> float:
    """BM25 over fields, more for pages that have everything, and have it together; and the same of its best section."""
    words = _most_of_each({unit: weighed[unit].weight * _saturated(page, unit) for unit in page.units}, weighed)
    whole = words * (0.5 + coverage(page.units, weighed) ** 2)
    section = _passage_score(page.passage, page.about, weighed)
    mixed = (1 - _SECTION) * whole * (1 + _EXACT_TITLE * page.exact) + _SECTION * section
    return round(mixed * (0.8 + 0.4 * coverage(page.near, weighed)), 6)


def _most_of_each(scores: Mapping[int, float], weighed: Sequence[WeighedUnit]) -> float:
    """Of several words that stand for the same one, the best."""
    best: dict[int, float] = {}
    for unit, value in scores.items():
        word = weighed[unit].stands_for
        at = unit if word is None else word
        best[at] = max(value, best.get(at, 0.0))
    return sum(best.values())


def _saturated(page: RankedPage, unit: int) -> float:
    times = sum(1 for span in page.spans if span.unit == unit)
    length = 1 - _LENGTH + _LENGTH * len(page.body.shown) / _USUAL_LENGTH
    amount = times / length + sum(w for name, w in _FIELDS.items() if unit in page.fields[name])
    return amount / (_SATURATION + amount)


def _passage_score(passage: RankedSection, about: frozenset[int], weighed: Sequence[WeighedUnit]) -> float:
    times, heading, above = passage.times, passage.heading, passage.above
    length = 1 - _LENGTH + _LENGTH * (passage.section.end - passage.section.start) / _USUAL_SECTION
    present = frozenset(times) | heading | above | about
    scores: dict[int, float] = {}
    for unit in present:
        amount = times.get(unit, 0) / length + _TITLE * (unit in about)
        amount += _HEADING * (unit in heading) + _ABOVE * (unit in above)
        scores[unit] = weighed[unit].weight * amount / (_SATURATION + amount)
    said = _most_of_each(scores, weighed) * (0.5 + coverage(present, weighed) ** 2) * (1 + _EXACT * passage.exact)
    return said * _ANSWERS if _answers(passage, about, weighed) else said


def _answers(passage: RankedSection, about: frozenset[int], weighed: Sequence[WeighedUnit]) -> bool:
    """Title and headings together have all that was asked, and the last heading what the others lack: *Return value*
    on the page about `map()`."""
    asked = frozenset(unit for unit, w in enumerate(weighed) if w.weight and w.stands_for is None)
    others = words_of_question(about | passage.above, weighed)
    return asked <= others | words_of_question(passage.heading, weighed) and not asked <= others


def in_order(pages: Sequence[RankedPage]) -> list[RankedPage]:
    return sorted(pages, key=lambda page: (-page.score, page.hit.path))


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


def fit_words(weighed: Sequence[WeighedUnit]) -> tuple[FitWord, ...]:
    """Here the rare words decide, more than for the order: a passage without them is about something else. Synonyms
    count half, and words that are only related do not count."""
    asks = [_asks(at, weighed) ** 2 if w.stands_for is None else 0.0 for at, w in enumerate(weighed)]
    return tuple(_fit_word(at, w, weighed, asks) for at, w in enumerate(weighed))


def _fit_word(at: int, w: WeighedUnit, weighed: Sequence[WeighedUnit], asks: Sequence[float]) -> FitWord:
    if w.stands_for is None:
        return FitWord(at, asks[at], asks[at])
    share = _share(w, weighed)
    counted = 1.0 if share >= _SAME else 0.5 if share >= _CLOSE else 0.0
    return FitWord(w.stands_for, asks[w.stands_for] * counted * share**2, 0.0)


def _asks(at: int, weighed: Sequence[WeighedUnit]) -> float:
    """A word that nobody wrote, and of which there are only synonyms, may be what nobody here wrote about."""
    w, others = weighed[at], [_share(other, weighed) for other in weighed if other.stands_for == at]
    if w.pages or not others or max(others) >= _SAME:
        return w.weight
    return max(w.weight, _UNWRITTEN * w.unit.weight * rarity(0, w.among))


def _share(other: WeighedUnit, weighed: Sequence[WeighedUnit]) -> float:
    """How much it counts, of the word that it stands for."""
    word = other.stands_for
    return 1.0 if word is None else other.weight / (weighed[word].weight or 1.0)


def fit(page: RankedPage, words: Sequence[FitWord]) -> float:
    """How much of what was asked stands in the passage, the headings above it, title and summary. What is scattered
    over a page does not count: a long page has any word."""
    whole = sum(word.whole for word in words)
    best: dict[int, float] = {}
    for unit in page.near:
        word = words[unit]
        best[word.word] = max(word.counts, best.get(word.word, 0.0))
    found = sum(best.values()) / whole if whole else 0.0
    return round(found * _OF_A_NOTE if page.note else found, 3)


def line(weighed: Sequence[WeighedUnit]) -> float:
    total = max((w.among for w in weighed), default=0)
    return FITS + _TENFOLD * max(0.0, log10(max(total, 1) / _FEW))


@dataclass(frozen=True, slots=True)
class FoundUnit:
    """One thing that was looked for, on one page."""

    shown: str
    pages: int
    """How many pages have it, counted up to a limit; of what no page has, how many notes."""
    weight: float
    """How much it tells: high for what is rare."""
    fields: tuple[str, ...]
    """Where this page has it; empty when it doesn't."""
    times: int
    """In the body."""
    noted: bool = False
    """No page has it, only notes."""


@dataclass(frozen=True, slots=True)
class Explanation:
    score: float
    """What the factors make when they are multiplied."""
    factors: tuple[Factor, ...]
    anywhere: float
    """How much of what was asked the page has, from 0 to 1."""
    together: float
    """How much of it stands in title, summary and one passage."""
    found: tuple[FoundUnit, ...]


def explain(page: RankedPage, weighed: Sequence[WeighedUnit]) -> Explanation:
    there = [number for number, w in enumerate(weighed) if w.stands_for is None or number in page.units]
    found = tuple(_found(page, number, weighed) for number in there)
    anywhere, together = coverage(page.units, weighed), coverage(page.near, weighed)
    return Explanation(page.score, page.factors, round(anywhere, 3), round(together, 3), found)


def _found(page: RankedPage, number: int, all_weighed: Sequence[WeighedUnit]) -> FoundUnit:
    weighed = all_weighed[number]
    fields = tuple(name for name, units in page.fields.items() if number in units)
    times = sum(span.unit == number for span in page.spans)
    unit = weighed.unit
    shown = f"{unit.shown} (as {unit.read_as})" if unit.read_as else unit.shown
    if weighed.stands_for is not None:
        shown = f"{unit.shown} (for {all_weighed[weighed.stands_for].unit.shown})"
    return FoundUnit(shown, weighed.pages, round(weighed.weight, 3), fields, times, weighed.elsewhere)
