"""A question comes in, the pages that answer it come out; or that nothing here does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest
from typing import NamedTuple

from cairn.kernel.knowledge.cadence import review
from cairn.kernel.knowledge.corpus import KINDS
from cairn.kernel.knowledge.entry import Status
from cairn.kernel.knowledge.read import read_tolerant
from cairn.kernel.knowledge.standing import Standing, standing
from cairn.kernel.ports.files import Files, ReadFailed
from cairn.kernel.ports.graph import NodeFilter
from cairn.kernel.ports.search import TextFilter, TextHit, TextIndex
from cairn.kernel.text.frontmatter import decode, split
from cairn.retrieve.excerpt import Excerpt, excerpt
from cairn.retrieve.explain import Explanation, explain
from cairn.retrieve.fit import FITS, fit
from cairn.retrieve.match import Finder, fold, text_of
from cairn.retrieve.query import Filters, Query
from cairn.retrieve.rank import LOOKED_AT, Page, Weighed, candidates, in_order, look_at, weigh
from cairn.retrieve.spelling import is_slip

_READ = 200_000
"""Characters of a page that are looked at; what is further down is in the index, but not in excerpts."""
_WORTH_SHOWING = 0.6
"""Behind a page that fits, others are shown down to this share of the line."""
_OUTDATED = 0.7
_CLOSEST = 3
"""When nothing fits, so many are shown all the same."""


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    kind: str
    title: str
    summary: str
    type: str | None
    status: str | None
    standing: Standing
    last_reviewed: str | None
    review: str | None
    """`current`, `overdue`, `never` or `unreadable`; None for a page that nobody meant to look after."""
    sources: tuple[str, ...]
    excerpt: Excerpt
    fit: float
    explanation: Explanation
    modified_ms: int
    """When the file was last changed; 0 when it is gone."""


@dataclass(frozen=True, slots=True)
class Answer:
    fits: bool
    """False: what is listed is only what comes closest."""
    hits: tuple[Hit, ...]
    total: int
    """How many there are among the pages that were looked at closely."""
    withheld: int
    """Pages in quarantine that would have been among the hits."""
    query: Query
    filtered: bool
    """Only pages of some kind, tag, type, path or status were asked."""
    more: bool = False
    """There are others that have some of the words; with a higher limit they are looked at too."""
    guesses: tuple[tuple[str, str], ...] = ()
    """Words that nobody here wrote, each with the one that was looked for instead."""

    @property
    def fit(self) -> float:
        return max((hit.fit for hit in self.hits), default=0.0)


class Request(NamedTuple):
    limit: int
    today: date
    filters: Filters = Filters()
    """On top of those in the query."""
    everything: bool = False
    """Also pages that have little of what was asked."""


def find(query: Query, request: Request, *, index: TextIndex, files: Files) -> Answer:
    """The best pages first."""
    weighed = weigh(query, index)
    look = _look(query, request, weighed, index, files)
    misread = frozenset(w.unit.shown for number, w in enumerate(weighed) if w.unit.read_as and not look.has(number))
    if misread:
        look = _look(query, request, weigh(query, index, as_typed=misread), index, files)
    guesses = tuple((w.unit.shown, w.unit.read_as) for w in look.eye.weighed if w.unit.read_as)
    return replace(_answer(query, request, look), more=look.more, guesses=guesses)


class _Eye(NamedTuple):
    """What a page is looked at with."""

    weighed: Sequence[Weighed]
    finder: Finder


class _Look(NamedTuple):
    eye: _Eye
    ranked: list[Page]
    more: bool

    def has(self, number: int) -> bool:
        """Whether a word that was guessed stands on one of the pages. The index knows stems only, and what has the same
        stem may be quite another word: *later* for *literal*, by way of *lateral*."""
        typed = fold(self.eye.weighed[number].unit.shown)
        return any(
            is_slip(typed, text.folded[span.start : span.end])
            for page in self.ranked
            for text in (page.body, text_of(page.hit.title))
            for span in self.eye.finder.spans(text)
            if span.unit == number
        )


def _look(query: Query, request: Request, weighed: Sequence[Weighed], index: TextIndex, files: Files) -> _Look:
    asked = query.filters | request.filters
    finder = Finder(w.unit for w in weighed)
    room = max(LOOKED_AT, request.limit)
    found = _by_turns([candidates(weighed, query, index, wanted, at_least=room) for wanted in _wanted(asked)])
    pages = [_page(hit, files, finder, weighed) for hit in found[:room]]
    ranked = in_order([_set_back(page) for page in pages if _allowed(page, asked)])
    return _Look(_Eye(weighed, finder), ranked, len(found) > room)


def _set_back(page: Page) -> Page:
    """What is no longer recommended stands behind what says the same and is."""
    return replace(page, score=page.score * _OUTDATED) if _standing(page).level == "warning" else page


def _wanted(asked: Filters) -> Iterator[TextFilter]:
    for path in asked.paths or (None,):
        nodes = NodeFilter(kinds=asked.kinds, tags=asked.tags, path_glob=path and path_glob(path))
        yield TextFilter(nodes, asked.types, asked.statuses)


def path_glob(path: str) -> str:
    """A folder stands for everything below it."""
    return f"{path}*" if path.endswith("/") else path


def _by_turns(found: list[list[TextHit]]) -> list[TextHit]:
    """The first of each, then the second of each: no path crowds out another."""
    turns = zip_longest(*found)
    return list({hit.path: hit for turn in turns for hit in turn if hit is not None}.values())


def _page(hit: TextHit, files: Files, finder: Finder, weighed: Sequence[Weighed]) -> Page:
    try:
        data, fact = files.read(hit.path)
        modified = fact.mtime_ns // 1_000_000
    except ReadFailed:
        data, modified = b"", 0  # gone since the scan; its title and summary can still be shown
    parts = split(decode(data).text)
    page = look_at(hit, parts.body[:_READ], parts.body_line, finder, weighed)
    return replace(page, modified_ms=modified)


def _allowed(page: Page, asked: Filters) -> bool:
    """The index only knows that the frontmatter has these words somewhere."""
    kind_or_type = {page.hit.kind, page.frontmatter.get("type")} if asked.types else set()
    return (not asked.types or bool(kind_or_type & set(asked.types))) and (
        not asked.statuses or page.frontmatter.get("status") in asked.statuses
    )


def _answer(query: Query, request: Request, look: _Look) -> Answer:
    eye, ranked = look.eye, look.ranked
    fitting = {page.hit.path: fit(page, eye.weighed) for page in ranked}
    served = [page for page in ranked if _standing(page).served]
    fits = any(fitting[page.hit.path] >= FITS for page in served)
    line = FITS * _WORTH_SHOWING if fits and not request.everything else 0.0
    shown = [page for page in served if fitting[page.hit.path] >= line]
    withheld = sum(fitting[page.hit.path] >= FITS for page in ranked if not _standing(page).served)
    limit = request.limit if fits or request.everything else min(request.limit, _CLOSEST)
    hits = tuple(_hit(page, eye, fitting[page.hit.path], request.today) for page in shown[:limit])
    filtered = any(query.filters | request.filters)
    return Answer(fits, hits, len(shown), withheld, query, filtered)


def _hit(page: Page, eye: _Eye, fits: float, today: date) -> Hit:
    hit, type_ = page.hit, page.frontmatter.get("type")
    entry = read_tolerant(hit.path, page.frontmatter, kind=hit.kind) if hit.kind in KINDS else None
    status = _status(page)
    return Hit(
        path=hit.path,
        kind=hit.kind,
        title=hit.title,
        summary=entry.summary if entry else hit.description,
        type=type_ if isinstance(type_, str) else None,
        status=None if status is None else str(status),
        standing=_standing(page),
        last_reviewed=entry.last_reviewed if entry else None,
        review=str(review(entry, today)) if entry and (entry.last_reviewed or entry.sources) else None,
        sources=tuple(source.reference for source in entry.sources) if entry else (),
        excerpt=excerpt(page, eye.finder, eye.weighed),
        fit=fits,
        explanation=explain(page, eye.weighed),
        modified_ms=page.modified_ms,
    )


def _status(page: Page) -> Status | None:
    said = page.frontmatter.get("status")
    return Status(said) if said in set(Status) else None


def _standing(page: Page) -> Standing:
    successor = page.frontmatter.get("superseded_by")
    return standing(_status(page), successor if isinstance(successor, str) else None)
