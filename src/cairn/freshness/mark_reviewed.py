"""Records that a person reviewed a page and found it right: in the page or its lock file, and in the ledger."""

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cairn.changes.lock_files import GIT_ATTRIBUTES, attributes_beside, write_attributes
from cairn.changes.write import write_file
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Layout, Source, corpus_of
from cairn.core.ports.runtime import ReadFailed, utc_day
from cairn.errors import CairnError, CannotEdit, NotFound, Refused
from cairn.freshness.drift import CHANGED, drift_issues
from cairn.freshness.path_sources import DeclaredSource, SourcePlace, declared_by_lock, declared_in, look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.states import WorkTree
from cairn.graph.run_scan import append
from cairn.graph.subgraph import node_called
from cairn.knowledge.corpora import ROUTES
from cairn.knowledge.edit import set_values
from cairn.knowledge.fields import reviewed_key
from cairn.knowledge.lockfile import PageRecord, lock_file, lock_text, parse_lock, render_lock
from cairn.knowledge.values import take_source, take_sources
from cairn.lib.markdown.frontmatter import parse


class ReviewedPage(NamedTuple):
    document: str
    sources: tuple[Source, ...]
    """As they are now recorded."""
    left: tuple[str, ...]
    """References of sources that a stamp says nothing about."""
    file: str
    """What was edited: the page itself, or the lock file beside it."""
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


class LockedPage(NamedTuple):
    """A page of a corpus whose pages stay untouched."""

    document: str
    inside: str
    """Its path below the root of the corpus."""
    lock_file: str
    frontmatter: Mapping[str, Any]


Look = Callable[[Collection[Source]], Mapping[Source, SourcePlace]]
"""What sources point at now."""


def stamp_page(
    document: str, text: str, *, look: Look, today: str, only: Collection[str] = (), layout: Layout = "entries"
) -> ReviewedPage:
    """The page with today's stamp in its frontmatter; with `only`, on these sources and no others."""
    parsed = parse(text)
    if parsed.raw is None and not parsed.problems:
        raise Refused(
            f"{document} has no frontmatter to put a stamp into; `cairn freshness validate` says what it needs."
        )
    frontmatter = parsed.frontmatter
    declared = list(declared_in(document, frontmatter))
    wanted = chosen(document, declared, only)
    fresh = {one: _fresh(one, place, today) for one, place in _places(wanted, look).items()}
    changes: dict[tuple[str | int, ...], Any] = {(reviewed_key(frontmatter, layout),): today}
    for one, source in fresh.items():
        changes[("sources", one.at, "hash")] = source.hash
        changes[("sources", one.at, "retrieved")] = today
    after = _edited(document, text, changes)
    return ReviewedPage(document, tuple(fresh.values()), _left(frontmatter), document, text, after)


def _edited(document: str, text: str, changes: Mapping[tuple[str | int, ...], Any]) -> str:
    try:
        return set_values(text, changes)
    except CannotEdit as error:
        raise CannotEdit(f"{document}: {error.message}", **error.details) from None


def stamp_in_lock(page: LockedPage, text: str, *, look: Look, today: str, only: Collection[str] = ()) -> ReviewedPage:
    """The lock file with today's stamp for a page. A source that is named and that nobody knew is added: a page that
    is not ours can't declare it."""
    lock = parse_lock(text, page.lock_file)
    record = lock.pages.get(page.inside, PageRecord())
    declared = declared_by_lock(page.document, page.frontmatter, record)
    added = [
        DeclaredSource(page.document, source, len(declared)) for name in only if (source := _unknown(name, declared))
    ]
    wanted = chosen(page.document, [*declared, *added], only)
    fresh = tuple(_fresh(one, place, today) for one, place in _places(wanted, look).items())
    kept = {source.reference: source for source in (*record.sources, *fresh)}
    known = dataclasses.replace(record, last_reviewed=today, sources=tuple(kept.values()))
    after = render_lock(lock.with_page(page.inside, known))
    left = tuple(source.reference for source in record.sources if source.kind == "url")
    return ReviewedPage(page.document, fresh, left, page.lock_file, text, after)


def _unknown(name: str, declared: Collection[DeclaredSource]) -> Source | None:
    if any(name in (one.source.reference, one.source.target) for one in declared):
        return None
    return take_source({"path": name})


def chosen(document: str, declared: Collection[DeclaredSource], only: Collection[str]) -> list[DeclaredSource]:
    """The sources that somebody means, by their reference or by their path alone."""
    for name in only:
        if not any(name in (one.source.reference, one.source.target) for one in declared):
            known = ", ".join(one.source.reference for one in declared) or "none"
            raise NotFound(f"{document} has no source `{name}` in the repository; it has: {known}.")
    return [one for one in declared if not only or {one.source.reference, one.source.target} & set(only)]


def _places(wanted: Collection[DeclaredSource], look: Look) -> dict[DeclaredSource, SourcePlace]:
    places = look({one.source for one in wanted})
    return {one: places[one.source] for one in wanted}


def _fresh(declared: DeclaredSource, now: SourcePlace, today: str) -> Source:
    source = declared.source
    if now.unread:
        raise Refused(f"{declared.document} cannot be stamped, since {source.target} can't be read. {now.unread}")
    if now.place is None:
        what = f"`{source.anchor}` is not in {source.target}" if now.outline else f"there is no file {source.target}"
        raise Refused(f"{declared.document} cannot be stamped: {what}; name what it relies on now, then stamp it.")
    return source._replace(hash=now.place.digest, retrieved=today)


def _left(frontmatter: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(source.reference for source in take_sources(frontmatter.get("sources")) if source.kind == "url")


class ReviewRecord(NamedTuple):
    stamped: tuple[ReviewedPage, ...]
    beside: tuple[str, ...]
    """What else was written, or would be."""
    warnings: tuple[str, ...] = ()

    @property
    def pages_changed(self) -> bool:
        """Whether the graph has yet to hear of it; a lock file is no part of it."""
        return any(one.changed and one.file == one.document for one in self.stamped)


def pages_meant(ports: FreshnessPorts, names: Sequence[str], *, here: Path, all_changed: bool) -> list[str]:
    """The pages that somebody names, or all with a source that changed."""
    if all_changed:
        return list(dict.fromkeys(issue.path for issue in drift_issues(ports) if issue.analyzer == CHANGED))
    found = [node_called(ports.store, name, root=ports.root, here=here) for name in names]
    for node in found:
        _must_be_page(ports, node)
    return list(dict.fromkeys(node.path for node in found))


def _must_be_page(ports: FreshnessPorts, node: Node) -> None:
    kind = None if node.virtual else ports.knowledge.kind(node.path)
    if kind == ROUTES:
        raise Refused(
            f"{node.path} lists routes, and they have no place for a stamp; stamp the pages that they lead to."
        )
    if kind is None:
        raise NotFound(
            f"{node.path} is no page of a corpus, so there is nothing to stamp; `cairn config set "
            "corpora.docs.layout plain` would make a corpus of the folder docs."
        )


def stamp(ports: FreshnessPorts, pages: Sequence[str], *, only: Collection[str], dry_run: bool) -> ReviewRecord:
    """What was written, or would be. All pages are looked at before the first is written."""
    today = utc_day(ports.clock.now_ms()).isoformat()
    stamped: list[ReviewedPage] = []
    texts: dict[str, str] = {}
    for page in pages:
        stamped.append(_stamped(ports, page, texts, today, only))
        texts[stamped[-1].file] = stamped[-1].after
    attributes = attributes_beside(ports, {one.file for one in stamped if one.file != one.document})
    outcome = ReviewRecord(tuple(stamped), () if attributes is None else (GIT_ATTRIBUTES,))
    if dry_run:
        return outcome
    for file, text in texts.items():
        write_file(ports.root, file, text)
    return outcome._replace(warnings=(*write_attributes(ports, attributes), *_recorded(ports, stamped)))


def _stamped(
    ports: FreshnessPorts, page: str, texts: Mapping[str, str], today: str, only: Collection[str]
) -> ReviewedPage:
    """`texts` are files as the pages before this one left them: those of one corpus may share a lock file."""
    corpus = corpus_of(page, ports.corpora)
    text = _text(ports, page)
    if corpus is None or corpus.layout != "plain":
        layout = corpus.layout if corpus else "entries"
        return stamp_page(page, text, look=lambda sources: _look(ports, sources), today=today, only=only, layout=layout)
    file = lock_file(corpus)
    locked = LockedPage(page, corpus.inside(page), file, parse(text).frontmatter)
    known = texts[file] if file in texts else lock_text(ports.files, corpus)
    return stamp_in_lock(locked, known, look=lambda sources: _look(ports, sources), today=today, only=only)


def _look(ports: FreshnessPorts, sources: Collection[Source]) -> Mapping[Source, SourcePlace]:
    return look(sources, WorkTree(ports.files).read({source.target for source in sources}), ports.probe)


def _text(ports: FreshnessPorts, path: str) -> str:
    try:
        return ports.files.read(path)[0].decode("utf-8")
    except ReadFailed as error:
        raise NotFound(str(error)) from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8; save it as UTF-8, then stamp it.") from None


def _recorded(ports: FreshnessPorts, stamped: Sequence[ReviewedPage]) -> list[str]:
    """It is written already, so a ledger that cannot be is only said, once."""
    try:
        for one in stamped:
            corpus = corpus_of(one.document, ports.corpora)
            payload = {"path": one.document, "corpus": corpus.name if corpus else "", "sources": len(one.sources)}
            append(ports, "entry_stamped", payload)
    except CairnError as error:
        return [f"it is stamped, but could not be recorded: {error.message}"]
    return []
