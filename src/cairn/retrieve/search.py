"""A search as a person asks for it: what the words mean here, checked against what there is."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, Literal, NamedTuple

from cairn.core.model.knowledge import KINDS, Corpus, Status
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.runtime import utc_day
from cairn.core.ports.store import Store
from cairn.core.ports.turns import NoteFilter
from cairn.core.scope import Scope, scope_of
from cairn.errors import CairnError, UsageError
from cairn.knowledge.serving_status import is_searched, page_scope
from cairn.lib.text.nearest import did_you_mean
from cairn.retrieve.factors import NOTE
from cairn.retrieve.fences import fences
from cairn.retrieve.find import Answer, Hit, Request, find, path_glob
from cairn.retrieve.hide_secrets import without_secrets
from cairn.retrieve.meaning_factor import NONE, Meaning
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.query import Filters, Query, parse_query
from cairn.retrieve.served import order_words
from cairn.retrieve.work_context import NOWHERE, Around

Notes = Literal["none", "usual", "all"]
"""Which notes of turns are asked: none, those that are usually shown, or also those of low visibility."""


_MOST_WORDINGS: Final = 4
"""Other wordings of a question that are asked."""


class Wanted(NamedTuple):
    limit: int = 10
    everything: bool = False
    """Also pages with few of the words, documents that are left out by scope, and each hit for itself, even where
    several say the same."""
    notes: Notes = "usual"
    near: Sequence[str] | None = ()
    """Files at hand; none for those that git says are being worked on, None when nearness shall not count."""
    around: Callable[[], Around] | None = None
    """The files that are being edited, if the search for them was started."""
    also: tuple[str, ...] = ()
    """Other wordings of the same question."""
    as_it_is: bool = False
    """Don't bring the index of notes up to date: somebody else writes, and that was waited for already."""
    weak: bool = False
    """Also pages with few of the words, and nothing else of `everything`."""


def run_search(ports: RetrievePorts, text: str, filters: Filters, wanted: Wanted = Wanted()) -> Answer:  # noqa: B008, immutable
    query = parse_query(text)
    if wanted.notes != "none" and not wanted.as_it_is:
        _read_ledger(ports)
    others = [(other, words) for words in wanted.also[:_MOST_WORDINGS] if (other := _parsed(words))]
    if not others:
        return _fenced(ports, _ask(ports, query, text, filters, wanted))
    from cairn.retrieve.fuse import DEPTH, fused

    deep = wanted._replace(limit=max(wanted.limit, DEPTH), weak=True)
    asked = [_ask(ports, other, words, filters | query.filters, deep) for other, words in others]
    answers = (_ask(ports, query, text, filters, deep), *asked)
    return _fenced(ports, fused(answers, wanted.limit, everything=wanted.everything))


def _parsed(text: str) -> Query | None:
    """None for a wording that has no word in it; the question itself counts then."""
    with suppress(UsageError):
        return parse_query(text)
    return None


def _ask(ports: RetrievePorts, query: Query, text: str, filters: Filters, wanted: Wanted) -> Answer:
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


def _request(ports: RetrievePorts, filters: Filters, wanted: Wanted) -> Request:
    now_ms = ports.clock.now_ms()
    around = NOWHERE
    if wanted.around is not None:
        around = wanted.around()
    elif wanted.near is not None:
        from cairn.retrieve.current_work import around_of

        around = around_of(ports, wanted.near)
    everything = wanted.everything
    return Request(
        wanted.limit,
        utc_day(now_ms),
        filters,
        everything or wanted.weak,
        apart=everything,
        low=wanted.notes == "all",
        around=around,
        at_ms=now_ms,
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


def _meaning(ports: RetrievePorts, text: str) -> Meaning:
    if ports.settings.text("retrieve.embeddings") == "off":
        return NONE
    from cairn.retrieve.embeddings import meaning_of

    return meaning_of(ports, text)


def _read_ledger(ports: RetrievePorts) -> None:
    """Bring what was noted since into the index; where that cannot be, it is asked as it is."""

    with suppress(CairnError):
        ports.index_ledger()


# --- what nobody has approved -----------------------------------------------------------------------------------------


def _fenced(ports: RetrievePorts, answer: Answer) -> Answer:
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
        kinds = [*store.kinds(), *([NOTE] if with_notes else [])]
        _must_be_known("kind", [kind.rpartition("/")[2] for kind in filters.kinds], kinds)
    if filters.tags and not set(filters.tags) <= (known := set(store.tag_counts())):
        _must_be_known("tag", filters.tags, sorted(known | (_note_tags(store) if with_notes else set())))
    _must_be_known("status", filters.statuses, [str(status) for status in Status])


def _note_tags(store: Store) -> set[str]:
    import json

    return {str(tag) for seen in store.turns.notes(NoteFilter(low=True)) for tag in json.loads(seen.note.tags)}


def check_rare_filters(store: Store, filters: Filters, *, with_notes: bool = False) -> None:
    """What takes a look at every page to know; worth it when nothing was found."""
    if filters.types:
        from cairn.capture.turn_request import NOTE_TYPES

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


def changed_since_scan(store: Store, answer: Answer) -> tuple[str, ...]:
    """Paths of hits whose files are not as the last scan saw them."""
    scanned = store.meta().get("scanned_at_ms") or 0
    pages = (hit for hit in answer.hits if hit.note is None)
    return tuple(hit.path for hit in pages if hit.modified_ms == 0 or hit.modified_ms > scanned)
