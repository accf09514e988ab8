"""A search as a person asks for it: what the words mean here, checked against what there is."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from cairn.core.model.graph import shown_kind
from cairn.core.model.knowledge import KINDS, Corpus, EntryStatus
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.runtime import utc_day
from cairn.core.ports.store import Store
from cairn.core.ports.turns import NoteFilter
from cairn.core.scope import Scope, scope_of
from cairn.core.search_query import Filters, Query, parse_query
from cairn.errors import CairnError, UsageError
from cairn.knowledge.serving_status import is_searched, page_scope
from cairn.lib.text.names import did_you_mean
from cairn.retrieve.factors import NONE, NOTE, NOWHERE, SemanticNearness, WorkContext
from cairn.retrieve.find import CLOSEST, WORTH_SHOWING, Hit, SearchAnswer, SearchRequest, find, path_glob
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.read_page import fences, order_words

if TYPE_CHECKING:
    from cairn.retrieve.excerpt import Excerpt

DEPTH: Final = 30
"""Pages of each answer that are compared: one that stands far behind in two answers may be the best of both."""
_AS_ASKED: Final = 1.25
"""How much the question itself counts, against another wording that fits as well."""
_FIRST: Final = 3
"""How well a wording fits, its first pages say."""


class _Found(NamedTuple):
    wording: int
    worth: float
    """Its score, of the best score in this answer, times how much the wording counts."""
    hit: Hit


@dataclass(slots=True)
class _Page:
    """What several wordings found of one page, or of pages that say the same."""

    found: list[_Found] = field(default_factory=list)

    @property
    def score(self) -> float:
        return sum(self._best().values())

    def _best(self) -> Mapping[int, float]:
        """By wording: the best of several that say the same."""
        best: dict[int, float] = {}
        for one in self.found:
            best[one.wording] = max(one.worth, best.get(one.wording, 0.0))
        return best

    def fits(self, wordings: int) -> list[float]:
        """How well it fits each wording; those that did not find it are not fitted by it at all."""
        best = [0.0] * wordings
        for one in self.found:
            best[one.wording] = max(one.hit.fit, best[one.wording])
        return best

    def hit(self, wordings: int) -> Hit:
        """As the wording that found it best shows it; it fits as well as in the middle one."""
        shown = max(self.found, key=lambda one: one.worth).hit
        names = dict.fromkeys(name for one in self.found for name in (one.hit.path, *one.hit.alike))
        alike = tuple(name for name in names if name != shown.path)
        return replace(shown, alike=alike, fit=round(median(self.fits(wordings)), 3))


def fused(answers: Sequence[SearchAnswer], limit: int, *, everything: bool = False) -> SearchAnswer:
    """The first is the question as it was asked. Something fits when the first page fits the middle one of the
    wordings: among many pages, one short wording of an unanswerable question fits somewhere."""
    first, wordings = answers[0], len(answers)
    pages = sorted(_pages(answers), key=lambda page: -page.score)
    line = min(answer.line for answer in answers)
    fits = bool(pages) and pages[0].hit(wordings).fit >= line
    least = line * WORTH_SHOWING if fits and not everything else 0.0
    shown = [page.hit(wordings) for page in pages if max(page.fits(wordings)) >= least]
    most = limit if fits or everything else min(limit, CLOSEST)
    return replace(
        first,
        fits=fits,
        hits=tuple(shown[:most]),
        total=max(len(shown), *(answer.total for answer in answers)),
        withheld=max(answer.withheld for answer in answers),
        more=any(answer.more for answer in answers),
    )


def _pages(answers: Sequence[SearchAnswer]) -> list[_Page]:
    by_name: dict[str, _Page] = {}
    for found in _found(answers):
        names = (found.hit.path, *found.hit.alike)
        page = next((by_name[name] for name in names if name in by_name), None) or _Page()
        page.found.append(found)
        by_name |= dict.fromkeys(names, page)
    return list({id(page): page for page in by_name.values()}.values())


def _found(answers: Sequence[SearchAnswer]) -> Iterator[_Found]:
    for wording, answer in enumerate(answers):
        best = max((hit.explanation.score for hit in answer.hits), default=0.0) or 1.0
        counts = max((hit.fit for hit in answer.hits[:_FIRST]), default=0.0) * (1.0 if wording else _AS_ASKED)
        for hit in answer.hits:
            yield _Found(wording, counts * hit.explanation.score / best, hit)


_MAY: Final = re.compile(
    r"(?:pass|pwd|pw|psk|secret|token|key|credential|kennwort|contrase\w|senha|wachtwoord|parol\w|has[łl]o|heslo|парол\w|密码|パスワード)"
    r"\w{0,24}[\"'`\])*]{0,3}(?:\s{0,3}[:=]|\s\w{0,12}\s?\S{0,40}\d)|://[^\s/@]{0,80}:[^\s/@]{1,80}@|-----BEGIN|"
    r"[A-Za-z0-9_-]{24}|\s-[pua]\s",
    re.IGNORECASE,
)
"""A text without any of this has no secret that a rule would find. Rules take longer to load than a search takes."""


def without_secrets(hit: "Hit") -> "Hit":
    """The hit as it may be shown; positions of marks fit the text again."""
    texts = (hit.title, hit.summary, hit.excerpt.heading, hit.excerpt.text, hit.excerpt.code)
    if not any(text and _MAY.search(text) for text in texts):
        return hit
    summary = _clean(hit.summary) if hit.summary else hit.summary
    return replace(hit, title=_clean(hit.title), summary=summary, excerpt=_excerpt(hit.excerpt))


def _clean(text: str) -> str:
    from cairn.lib.scrub.find import redact
    from cairn.lib.scrub.rules import SHOWN

    return redact(text, SHOWN).text


def _excerpt(excerpt: "Excerpt") -> "Excerpt":
    from cairn.lib.scrub.find import find
    from cairn.lib.scrub.rules import SHOWN

    pieces: list[str] = []
    marks = list(excerpt.marks)
    position = shift = 0
    moved: list[tuple[int, int]] = []
    for hit in find(excerpt.text, SHOWN):
        moved += [(a + shift, b + shift) for a, b in marks if position <= a and b <= hit.start]
        sign = f"[REDACTED:{hit.rule}]"
        pieces += (excerpt.text[position : hit.start], sign)
        shift += len(sign) - (hit.end - hit.start)
        position = hit.end
    moved += [(a + shift, b + shift) for a, b in marks if a >= position]
    text = "".join((*pieces, excerpt.text[position:]))
    return replace(excerpt, text=text, marks=tuple(moved), heading=_clean(excerpt.heading), code=_clean(excerpt.code))


Notes = Literal["none", "usual", "all"]
"""Which notes of turns are asked: none, those that are usually shown, or also those of low visibility."""


_MOST_WORDINGS: Final = 4
"""Other wordings of a question that are asked."""


class SearchOptions(NamedTuple):
    limit: int = 10
    everything: bool = False
    """Also pages with few of the words, documents that are left out by scope, and each hit for itself, even where
    several say the same."""
    notes: Notes = "usual"
    near: Sequence[str] | None = ()
    """Files at hand; none for those that git says are being worked on, None when nearness shall not count."""
    around: Callable[[], WorkContext] | None = None
    """The files that are being edited, if the search for them was started."""
    also: tuple[str, ...] = ()
    """Other wordings of the same question."""
    as_it_is: bool = False
    """Don't bring the index of notes up to date: somebody else writes, and that was waited for already."""
    weak: bool = False
    """Also pages with few of the words, and nothing else of `everything`."""


def run_search(
    ports: RetrievePorts,
    text: str,
    filters: Filters,
    wanted: SearchOptions = SearchOptions(),  # noqa: B008 - a tuple
) -> SearchAnswer:
    query = parse_query(text)
    if wanted.notes != "none" and not wanted.as_it_is:
        _read_ledger(ports)
    others = [(other, words) for words in wanted.also[:_MOST_WORDINGS] if (other := _parsed(words))]
    if not others:
        return _fenced(ports, _ask(ports, query, text, filters, wanted))

    deep = wanted._replace(limit=max(wanted.limit, DEPTH), weak=True)
    asked = [_ask(ports, other, words, filters | query.filters, deep) for other, words in others]
    answers = (_ask(ports, query, text, filters, deep), *asked)
    return _fenced(ports, fused(answers, wanted.limit, everything=wanted.everything))


def _parsed(text: str) -> Query | None:
    """None for a wording that has no word in it; the question itself counts then."""
    with suppress(UsageError):
        return parse_query(text)
    return None


def _ask(ports: RetrievePorts, query: Query, text: str, filters: Filters, wanted: SearchOptions) -> SearchAnswer:
    store = ports.scanned_store()
    with_notes = wanted.notes != "none"
    asked = query.filters | filters
    check_filters(store, asked, with_notes=with_notes)
    notes = store.turns if with_notes else None
    request = _request(ports, filters, wanted)._replace(meaning=_meaning(ports, query.in_english or text))
    if not wanted.everything and not _names_left_out(asked):
        request = request._replace(shows=partial(_shows, ports.corpora, query))
    query = replace(query, notes=(*query.notes, *request.meaning.notes))
    answer = find(query, request, index=store, files=ports.files, notes=notes, uses=store.usage.counts)
    if not answer.hits and not answer.withheld:
        check_rare_filters(store, asked, with_notes=with_notes)
    return answer


def _request(ports: RetrievePorts, filters: Filters, wanted: SearchOptions) -> SearchRequest:
    now_ms = ports.clock.now_ms()
    around = NOWHERE
    if wanted.around is not None:
        around = wanted.around()
    elif wanted.near is not None:
        from cairn.retrieve.factors import around_of

        around = around_of(ports, wanted.near)
    everything = wanted.everything
    return SearchRequest(
        wanted.limit,
        utc_day(now_ms),
        filters,
        everything or wanted.weak,
        apart=everything,
        low=wanted.notes == "all",
        around=around,
        at_ms=now_ms,
        standings=ports.standings(as_it_is=wanted.as_it_is),
    )


def _shows(corpora: tuple[Corpus, ...], query: Query, path: str, kind: str, text: str) -> bool:
    """Also a translation, for a question in its language."""
    if is_searched(path, kind, corpora, text):
        return True
    translated = query.foreign and page_scope(path, corpora, text) is Scope.TRANSLATION
    return translated and (not text or query.is_language_of(text))


def _names_left_out(asked: Filters) -> bool:
    """Whether a path is asked for that is left out by scope, such as `CHANGELOG.md` or `tests/fixtures/`."""
    return any(scope_of(path) is not Scope.CURRENT for path in asked.paths)


def _meaning(ports: RetrievePorts, text: str) -> SemanticNearness:
    if ports.settings.text("retrieve.embeddings") == "off":
        return NONE
    from cairn.retrieve.embeddings import meaning_of

    return meaning_of(ports, text)


def _read_ledger(ports: RetrievePorts) -> None:
    """Bring what was noted since into the index; where that cannot be, it is asked as it is."""

    with suppress(CairnError):
        ports.index_ledger()


# --- what nobody has approved -----------------------------------------------------------------------------------------


def _fenced(ports: RetrievePorts, answer: SearchAnswer) -> SearchAnswer:
    made = {hit.path for hit in answer.hits if not hit.note and (hit.derived or _orders(hit))}
    said = fences(ports, made, {hit.path for hit in answer.hits if hit.kind in KINDS and not hit.note} - made)
    said |= {hit.path: order for hit in answer.hits if hit.note and not hit.fence and (order := _orders(hit))}
    hits = (replace(hit, fence=said.get(hit.path, hit.fence)) for hit in answer.hits)
    return replace(answer, hits=tuple(without_secrets(hit) for hit in hits))


def _orders(hit: Hit) -> str:
    """What to say where it talks to machines in what is shown of it. The rest is looked at when somebody reads it."""
    return order_words("\n".join((hit.title, hit.summary, hit.excerpt.heading, hit.excerpt.text, hit.excerpt.code)))


# --- filters ----------------------------------------------------------------------------------------------------------


def check_filters(store: Store, filters: Filters, *, with_notes: bool = False) -> None:
    """A filter that nothing here can pass is a slip of the finger; say what was meant."""
    if filters.kinds:
        kinds = [*map(shown_kind, store.kinds()), *([NOTE] if with_notes else [])]
        _must_be_known("kind", [shown_kind(kind.rpartition("/")[2]) for kind in filters.kinds], kinds)
    if filters.tags and not set(filters.tags) <= (known := set(store.tag_counts())):
        _must_be_known("tag", filters.tags, sorted(known | (_note_tags(store) if with_notes else set())))
    _must_be_known("status", filters.statuses, [str(status) for status in EntryStatus])


def _note_tags(store: Store) -> set[str]:
    import json

    return {str(tag) for seen in store.turns.notes(NoteFilter(low=True)) for tag in json.loads(seen.note.tags)}


def check_rare_filters(store: Store, filters: Filters, *, with_notes: bool = False) -> None:
    """What takes a look at every page to know; worth it when nothing was found."""
    if filters.types:
        from cairn.core.model.session import NOTE_TYPES

        written = {str(node.frontmatter["type"]) for node in store.nodes() if "type" in node.frontmatter}
        of_notes = NOTE_TYPES if with_notes else ()
        _must_be_known("type", filters.types, sorted({*written, *store.kinds(), *of_notes}))
    for path in filters.paths:
        if not store.count_nodes(NodeFilter(path_glob=path_glob(path))):
            raise UsageError(f"no page's path fits '{path}'; `cairn list` shows the paths, from the workspace's root")


def _must_be_known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names) or _there_is(names)
            raise UsageError(f"there is no {what} '{name}' here{hint}")


def _there_is(names: list[str]) -> str:
    if not names:
        return "; no page has any"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"; there are {', '.join(names[:8])}{more}"


def changed_since_scan(store: Store, answer: SearchAnswer) -> tuple[str, ...]:
    """Paths of hits whose files are not as the last scan saw them."""
    scanned = store.meta().get("scanned_at_ms") or 0
    pages = (hit for hit in answer.hits if hit.note is None)
    return tuple(hit.path for hit in pages if hit.modified_ms == 0 or hit.modified_ms > scanned)
