"""A question comes in, the pages and notes that answer it come out; or that nothing here does."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from cairn.core.isolate import each
from cairn.core.model.graph import stored_kind
from cairn.core.model.knowledge import KINDS, Entry
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.runtime import Files, ReadFailed
from cairn.core.ports.search import DAY_MS, PageUse, TextFilter, TextHit, TextIndex
from cairn.core.ports.turns import TurnStore
from cairn.core.scope import explains_change
from cairn.core.search_query import Filters, Query
from cairn.knowledge.read import read_tolerant
from cairn.knowledge.serving_status import Review, ServingStatus, review
from cairn.knowledge.standing import Standings, StandingsByFile, as_the_file_says
from cairn.lib.document.document import readable
from cairn.lib.markdown.blocks import seen_text
from cairn.lib.markdown.frontmatter import decode, split
from cairn.retrieve.excerpt import DuplicateGroup, Excerpt, excerpt, folded, unfolded
from cairn.retrieve.factors import (
    BROUGHT,
    NONE,
    NOTE,
    NOWHERE,
    RankFacts,
    SemanticNearness,
    WorkContext,
    factors,
    is_lesson,
    nearness,
    score,
    telling,
)
from cairn.retrieve.match import UnitFinder, fold, is_slip, text_of
from cairn.retrieve.rank import LOOKED_AT, Explanation, RankedPage, explain, fit, fit_words, in_order, line, look_at
from cairn.retrieve.read_page import (
    FROM_OUTSIDE,
    NoteFacts,
    age_words,
    facts_of,
    look_at_note,
    said_now,
    seems_quarantined,
    tainted,
    wanted_notes,
)
from cairn.retrieve.read_page import LOOKED_AT as NOTES_LOOKED_AT
from cairn.retrieve.read_page import candidates as note_candidates
from cairn.retrieve.weight import CANDIDATES, WeighedUnit, by_turns, candidates, weigh

_READ = 200_000
"""Characters of a page that are looked at; what is further down is in the index, but not in excerpts."""
WORTH_SHOWING = 0.5
"""Behind a page that fits, others are shown down to this share of the line."""
_AHEAD = 3
"""So many notes may stand before the next page that is worth showing."""
_CROWDED = 20
"""So many times more candidates are asked for where most are left out by scope."""
CLOSEST = 5
"""When nothing fits, so many are shown all the same."""


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    """Of a note `note:` and its turn's id."""
    kind: str
    title: str
    summary: str
    type: str | None
    status: str | None
    standing: ServingStatus
    last_reviewed: str | None
    review: str | None
    """`current`, `overdue`, `never` or `unreadable`; None for a page that nobody meant to look after."""
    sources: tuple[str, ...]
    excerpt: Excerpt
    fit: float
    explanation: Explanation
    modified_ms: int
    """When the file was last changed; 0 when it is gone, or there is none."""
    alike: tuple[str, ...] = ()
    """Paths of others that say the same."""
    note: NoteFacts | None = None
    derived: bool = False
    """Its text was made of what sessions and documents say."""
    fence: str = ""
    """Why it has to be read as a quote; empty when it needs no fence."""
    age: str = ""
    """What is to be said about its last check; may be empty."""

    @property
    def banner(self) -> tuple[str, ...]:
        """What a reader has to know first, each a sentence."""
        return tuple(words for words in (self.standing.words, self.age, self.fence) if words)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
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
    left_out: int = 0
    """Candidates that are left out by scope."""
    line: float = 0.0
    """How well the first hit has to fit."""

    @property
    def fit(self) -> float:
        return self.hits[0].fit if self.hits else 0.0


Shows = Callable[[str, str, str], bool]
"""Whether a page of this path, kind and text is shown."""


class SearchRequest(NamedTuple):
    limit: int
    today: date
    filters: Filters = Filters()
    """On top of those in the query."""
    everything: bool = False
    """Also pages that have little of what was asked."""
    apart: bool = False
    """Each hit for itself, even where several say the same."""
    low: bool = False
    """Also notes of low visibility."""
    around: WorkContext = NOWHERE
    """What somebody is at work on."""

    at_ms: int | None = None
    meaning: SemanticNearness = NONE
    """How near pages are by what they mean, where that is known."""
    shows: Shows = lambda _path, _kind, _text: True
    """Leaves out pages by scope. Asked by path alone first, with an empty text."""
    standings: Standings = StandingsByFile()
    """What each page is served as."""

    @property
    def now_ms(self) -> int:
        """When it is asked; the beginning of the day when nobody says."""
        return (self.today - date(1970, 1, 1)).days * DAY_MS if self.at_ms is None else self.at_ms


Uses = Callable[[Sequence[str]], Mapping[str, PageUse]]
"""How often pages are opened, by their paths."""


class _Shelves(NamedTuple):
    """Where is looked."""

    texts: TextIndex
    files: Files
    notes: TurnStore | None
    uses: Uses


def find(
    query: Query,
    request: SearchRequest,
    *,
    index: TextIndex,
    files: Files,
    notes: TurnStore | None = None,
    uses: Uses = lambda _paths: {},
) -> SearchAnswer:
    """The best first. Without `notes` only pages are asked."""
    shelves = _Shelves(index, files, notes, uses)
    weighed = weigh(query, index, notes=notes)
    look = _look(query, request, weighed, shelves)
    misread = frozenset(w.unit.shown for number, w in enumerate(weighed) if w.unit.read_as and not look.written(number))
    if misread:
        look = _look(query, request, weigh(query, index, notes=notes, as_typed=misread), shelves)
    look = look.as_written()
    guesses = tuple((w.unit.shown, w.unit.read_as) for w in look.eye.weighed if w.unit.read_as)
    return replace(_answer(query, request, look), more=look.more, guesses=guesses, left_out=look.left_out)


class _Eye(NamedTuple):
    """What a page is looked at with."""

    weighed: Sequence[WeighedUnit]
    finder: UnitFinder


class _Look(NamedTuple):
    eye: _Eye
    ranked: list[RankedPage]
    more: bool
    left_out: int

    def written(self, number: int) -> str:
        """The word that was guessed, as most pages have it; none when none of them has it. The index knows stems only,
        and what has the same stem may be quite another word: *later* for *literal*, by way of *lateral*."""
        typed = fold(self.eye.weighed[number].unit.shown)
        words = Counter(
            text.folded[span.start : span.end]
            for page in self.ranked
            for text in (page.body, text_of(page.hit.title))
            for span in self.eye.finder.spans(text)
            if span.unit == number
        )
        return next((word for word, _ in words.most_common() if is_slip(typed, word)), "")

    def as_written(self) -> "_Look":
        """What was guessed is told as a word that somebody wrote."""
        guessed = [number for number, w in enumerate(self.eye.weighed) if w.unit.read_as]
        if not guessed:
            return self
        weighed = list(self.eye.weighed)
        for number in guessed:
            unit = weighed[number].unit
            weighed[number] = weighed[number]._replace(unit=replace(unit, read_as=self.written(number) or unit.read_as))
        return self._replace(eye=self.eye._replace(weighed=weighed))


def _look(query: Query, request: SearchRequest, weighed: Sequence[WeighedUnit], shelves: _Shelves) -> _Look:
    asked = query.filters | request.filters
    eye = _Eye(weighed, UnitFinder(w.unit for w in weighed))
    room = max(LOOKED_AT, request.limit)
    found, left_out = _found(query, request, weighed, shelves.texts, room)
    seen = each(found[:room], lambda hit: _page(hit, shelves.files, eye, request), lambda hit: hit.path)
    looked_at = list(seen)
    left_out += looked_at.count(None)
    pages = [page for page in looked_at if page and _allowed(page, asked)]
    pages += _notes(query, request, eye, shelves.notes)
    if request.meaning.near:
        pages += _brought(query, request, eye, shelves, pages)
    uses = shelves.uses([page.hit.path for page in pages])
    best = max((page.score for page in pages), default=0.0)
    judged = each(pages, lambda page: _judged(page, request, uses.get(page.hit.path), best), lambda page: page.hit.path)
    ranked = in_order(list(judged))
    return _Look(eye, ranked, len(found) > room, left_out)


def _found(
    query: Query, request: SearchRequest, weighed: Sequence[WeighedUnit], index: TextIndex, room: int
) -> tuple[list[TextHit], int]:
    """The candidates, and how many more are left out by scope. The index is asked for more where those crowd out the
    others."""
    for most in (room, _CROWDED * room):
        wanted = _wanted(query.filters | request.filters)
        found = by_turns([candidates(weighed, query, index, one, at_least=most) for one in wanted])
        kept = [hit for hit in found if request.shows(hit.path, hit.kind, "")]
        if len(kept) > room or len(kept) == len(found) or len(found) < CANDIDATES:
            break
    return kept, len(found) - len(kept)


def _brought(
    query: Query, request: SearchRequest, eye: _Eye, shelves: _Shelves, found: Sequence[RankedPage]
) -> list[RankedPage]:
    """The nearest pages in meaning that words did not find; none where somebody says which words there must be, or must
    not."""
    asked, known = query.filters | request.filters, {page.hit.path for page in found}
    paths = [path for path in list(request.meaning.near)[:BROUGHT] if path not in known]
    if not paths or query.never or any(unit.must for unit in query.units):
        return []
    hits = by_turns([shelves.texts.texts_at(paths, wanted) for wanted in _wanted(asked)])
    shown = [hit for hit in hits if request.shows(hit.path, hit.kind, "")]
    pages = each(shown, lambda hit: _page(hit, shelves.files, eye, request), lambda hit: hit.path)
    return [page for page in pages if page and _allowed(page, asked)]


def _notes(query: Query, request: SearchRequest, eye: _Eye, notes: TurnStore | None) -> list[RankedPage]:
    wanted = wanted_notes(query.filters | request.filters, low=request.low, now_ms=request.now_ms)
    if notes is None or wanted is None:
        return []
    found = note_candidates(eye.weighed, query, notes, wanted)
    return [look_at_note(seen, eye.finder, eye.weighed) for seen in found[: max(NOTES_LOOKED_AT, request.limit)]]


def _judged(page: RankedPage, request: SearchRequest, use: PageUse | None, best: float) -> RankedPage:
    """With all that counts besides its text; `best` is the highest score of a text."""
    entry = _entry(page) if page.hit.kind in KINDS else None
    page = replace(page, entry=entry)
    facts = RankFacts(
        page.hit.kind,
        page.standing.status if page.standing else None,
        _review(page, request.today),
        entry.confidence if entry else None,
        use.reads if use else 0,
        use.lately(request.now_ms) if use else 0.0,
        _near(page, request.around),
        lesson=is_lesson(page.hit.path),
        change=not page.note and explains_change(page.hit.path),
        meaning=request.meaning.near.get(page.hit.path, 0.0) if request.meaning.near and not page.note else None,
    )
    if page.note:
        age = max(0, request.now_ms - page.note.note.created_at_ms) // DAY_MS
        facts = facts._replace(age_days=age, low=bool(page.note.note.low), said=page.note.seen_count)
    counted = factors(page.score, facts, best)
    return replace(page, factors=counted, score=score(counted))


def _entry(page: RankedPage) -> Entry | None:
    """Also of a page that lacks the name which its layout wants: what it says of itself counts all the same."""
    path, kind, said = page.hit.path, page.hit.kind, page.frontmatter
    return read_tolerant(path, said, kind=kind) or read_tolerant(path, said, kind=kind, layout="plain")


def _near(page: RankedPage, around: WorkContext) -> float:
    if around.nothing:
        return 0.0
    path = "" if page.note else page.hit.path
    return nearness(path, telling(path, page.hit.title, page.hit.description), around)


def _review(page: RankedPage, today: date) -> Review | None:
    """None for a page that nobody meant to look after."""
    entry = page.entry
    return review(entry, today) if entry and (entry.last_reviewed or entry.sources) else None


def _wanted(asked: Filters) -> Iterator[TextFilter]:
    kinds = tuple(stored_kind(kind) for kind in asked.kinds if kind != NOTE)
    if asked.kinds and not kinds:
        return
    for path in asked.paths or (None,):
        nodes = NodeFilter(kinds=kinds, tags=asked.tags, path_glob=path and path_glob(path))
        yield TextFilter(nodes, asked.types, asked.statuses)


def path_glob(path: str) -> str:
    """A folder stands for everything below it."""
    return f"{path}*" if path.endswith("/") else path


def _page(hit: TextHit, files: Files, eye: _Eye, request: SearchRequest) -> RankedPage | None:
    """None for one that is left out by scope."""
    try:
        data, fact = files.read(hit.path)
        modified = fact.mtime_ns // 1_000_000
    except ReadFailed:
        data, modified = b"", 0  # gone since the scan; its title and summary can still be shown
    standing = request.standings.of(hit.path, _said_at_scan(hit), data) if hit.kind in KINDS and data else None
    if standing is not None and standing.data is not None:
        data = standing.data
    text = readable(hit.path, decode(data).text)
    if not request.shows(hit.path, hit.kind, text):
        return None
    parts = split(text)
    page = look_at(hit, seen_text(parts.body[:_READ]), parts.body_line, eye.finder, eye.weighed)
    if seems_quarantined(text):  # the index may be older than that, or not have been able to read it
        page = replace(page, frontmatter=dict(said_now(text, page.frontmatter)))
        standing = request.standings.of(hit.path, page.frontmatter, data) if standing is not None else None
    return replace(page, modified_ms=modified, standing=standing or as_the_file_says(page.frontmatter))


def _said_at_scan(hit: TextHit) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hit.frontmatter or "{}")
    return found


def _allowed(page: RankedPage, asked: Filters) -> bool:
    """The index only knows that the frontmatter has these words somewhere."""
    kind_or_type = {page.hit.kind, page.frontmatter.get("type")} if asked.types else set()
    return (not asked.types or bool(kind_or_type & set(asked.types))) and (
        not asked.statuses or page.frontmatter.get("status") in asked.statuses
    )


def _answer(query: Query, request: SearchRequest, look: _Look) -> SearchAnswer:
    eye, ranked = look.eye, look.ranked
    words = fit_words(eye.weighed)
    fitting = {page.hit.path: fit(page, words) for page in ranked}
    served = [page for page in ranked if _standing(page).served]
    needed = line(eye.weighed)
    fits = any(fitting[page.hit.path] >= needed for page in served[:1])
    least = needed * WORTH_SHOWING if fits and not request.everything else 0.0
    shown = [page for page in served if fitting[page.hit.path] >= least]
    withheld = sum(fitting[page.hit.path] >= needed for page in ranked if not _standing(page).served)
    limit = request.limit if fits or request.everything else min(request.limit, CLOSEST)
    groups = _side_by_side((unfolded if request.apart else folded)(shown))
    hits = tuple(_hit(group, eye, fitting[group.shown.hit.path], request.today) for group in groups[:limit])
    filtered = any(query.filters | request.filters)
    return SearchAnswer(fits, hits, len(groups), withheld, query, filtered, line=needed)


def _side_by_side(groups: Sequence[DuplicateGroup]) -> list[DuplicateGroup]:
    """In order, but at most a few more notes than pages: agents write many, and much alike."""
    pages = [place for place, group in enumerate(groups) if not group.shown.note]
    places, notes = [], 0
    for place, group in enumerate(groups):
        behind = place
        if group.shown.note:
            before = pages[: max(0, notes - _AHEAD + 1)]
            behind, notes = max((place, *before)), notes + 1
        places.append((behind, place))
    return [groups[place] for _, place in sorted(places)]


def _hit(group: DuplicateGroup, eye: _Eye, fits: float, today: date) -> Hit:
    page = group.shown
    hit, entry, type_ = page.hit, page.entry, page.frontmatter.get("type")
    looked, status = _review(page, today), page.standing.status if page.standing else None
    return Hit(
        path=hit.path,
        kind=hit.kind,
        title=hit.title,
        summary=entry.summary if entry else hit.description,
        type=type_ if isinstance(type_, str) else None,
        status=None if status is None else str(status),
        standing=_standing(page),
        last_reviewed=entry.last_reviewed if entry else None,
        review=None if looked is None else str(looked),
        sources=tuple(source.reference for source in entry.sources) if entry else (),
        excerpt=excerpt(page, eye.finder, eye.weighed),
        fit=fits,
        explanation=explain(page, eye.weighed),
        modified_ms=page.modified_ms,
        alike=tuple(other.hit.path for other in group.alike),
        note=facts_of(page.note) if page.note else None,
        derived=bool(entry and entry.derived_from),
        fence=FROM_OUTSIDE if page.note and tainted(page.note) else "",
        age=age_words(looked, entry),
    )


def _standing(page: RankedPage) -> ServingStatus:
    return (page.standing or as_the_file_says(page.frontmatter)).serving
