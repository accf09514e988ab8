"""Pages that are not ours to edit: which of their links are sources, and what an audit of them writes down.

Documentation links to much: to itself, to pictures, to downloads. What is left are pages that somebody else writes, and
those a page may rely on. What is known about them stands in `cairn.lock`; the page itself stays as it is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from cairn.core.isolate import each
from cairn.core.model.change import FileEdit
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Corpus, Entry, Source, corpus_of
from cairn.core.model.verdict import Verdict, VerdictOutcome
from cairn.core.ports.graph import NodeFilter
from cairn.errors import ConfigError
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.verdict_edits import drifted_sources, refuse_unfit
from cairn.knowledge.corpora import kind_of
from cairn.knowledge.lockfile import Lock, PageRecord, lock_file, lock_text, parse_lock, render_lock
from cairn.knowledge.read import read_tolerant
from cairn.lib.urls.url import UrlProblem, split_url

MOST_LINKS: Final = 200
"""Of a whole corpus; beyond, its links are looked at only where the settings say so."""
MOST_OF_A_PAGE: Final = 10
"""A page with more is a list of links, and the first ones stand for it."""

_FEW: Final = 3
_FILE: Final = re.compile(
    r"\.(?:png|svg|jpe?g|gif|webp|ico|pdf|zip|t?gz|xz|7z|mp4|webm|whl|jar|exe|dmg|css|js|xml|ya?ml|json)$", re.I
)
_BADGES: Final = ("shields.io", "badgen.net", "badge.fury.io", "codecov.io", "travis-ci.org", "readthedocs.org")


def is_watched(mode: str, pages: Mapping[str, Sequence[str]]) -> bool:
    """Whether a corpus is audited, by the setting `freshness.plain` and the links of its pages."""
    if mode == "auto":
        return len({link for links in pages.values() for link in links}) <= MOST_LINKS
    return mode == "on"


def own_sites(pages: Iterable[Sequence[str]]) -> frozenset[str]:
    """Hosts that most of the linking pages lead to: the project's own site, or where its code lives."""
    linking = [{host for link in links if (host := _host(link))} for links in pages if links]
    counts = Counter(host for hosts in linking for host in hosts)
    return frozenset(host for host, number in counts.items() if number >= _FEW and number * 2 > len(linking))


def linked_sources(links: Sequence[str], own: frozenset[str], record: PageRecord | None) -> tuple[Source, ...]:
    """Links of a page to pages of others, with what the lock file knows of each; those that it knows from elsewhere
    too."""
    known = {source.reference: source for source in (record.sources if record else ()) if source.kind == "url"}
    found = dict(known)
    for link in links:
        if len(found) >= max(MOST_OF_A_PAGE, len(known)):
            break
        if _is_page_of_others(link, own):
            target, mark, anchor = link.partition("#")
            source = Source("url", target, f"#{anchor}" if mark and anchor else None)
            found.setdefault(source.reference, source)
    return tuple(found.values())


def _is_page_of_others(link: str, own: frozenset[str]) -> bool:
    host = _host(link)
    if host is None or host in own or any(host == badge or host.endswith(f".{badge}") for badge in _BADGES):
        return False
    return not _FILE.search(link.partition("#")[0].partition("?")[0])


def _host(link: str) -> str | None:
    try:
        return split_url(link).host.text.removeprefix("www.")
    except UrlProblem:
        return None


# --- what is written down -------------------------------------------------------------------------------------------


def stamped_by_verdict(
    text: str,
    entry: Entry,
    verdict: Verdict,
    *,
    file: str,
    inside: str,
    trusted: Mapping[str, str],
    raw: Mapping[str, str],
    canon: int,
    bearing: Mapping[str, str],
) -> str:
    """The lock file after a verdict about one of its pages: the day, and the hash of each source that was judged."""
    refuse_unfit(entry, verdict)
    lock = parse_lock(text, file)
    record = lock.pages.get(inside, PageRecord())
    drifted = drifted_sources(verdict, entry.sources, verdict.findings)
    judged = {
        one.reference: one._replace(
            hash=trusted[one.reference],
            raw=raw.get(one.reference),
            canon=canon,
            retrieved=verdict.audit_date,
            drifted=None,
        )
        for one in entry.sources
        if one.kind == "url" and one.reference in trusted and one.reference not in drifted
    }
    marked = {
        one.reference: _with_bearing(one, bearing, canon)._replace(drifted=one.drifted or verdict.audit_date)
        for one in entry.sources
        if one.kind == "url" and one.reference in drifted
    }
    sources = {source.reference: source for source in record.sources} | judged | marked
    stays = bool(drifted) or verdict.outcome is VerdictOutcome.SUPERSEDED
    reviewed = record.last_reviewed if stays else verdict.audit_date
    known = replace(record, last_reviewed=reviewed, sources=tuple(sources.values()))
    return render_lock(lock.with_page(inside, known))


def _with_bearing(source: Source, bearing: Mapping[str, str], canon: int) -> Source:
    before = bearing.get(source.reference)
    return source if before in (None, source.hash) else source._replace(hash=before, canon=canon)


def one_edit_a_file(edits: Iterable[FileEdit]) -> tuple[FileEdit, ...]:
    """Pages of one corpus share a lock file: what each wrote there is taken together, the later look counts."""
    by_path: dict[str, list[bytes | None]] = {}
    for edit in edits:
        contents = by_path.setdefault(edit.path, [])
        if edit.content not in contents:
            contents.append(edit.content)
    return tuple(FileEdit(path, _united(contents)) for path, contents in by_path.items())


def _united(contents: Sequence[bytes | None]) -> bytes | None:
    if len(contents) == 1:
        return contents[0]
    lines = "\n".join((content or b"").decode("utf-8", "replace") for content in contents)
    return render_lock(parse_lock(lines)).encode()


SETTING = "freshness.plain"


class ReviewRecordPlace(NamedTuple):
    """Where what is known about a page is kept."""

    file: str
    inside: str
    """The page, from the root of its corpus."""
    text: str
    """Of the whole lock file; empty when there is none yet."""


class _Watched(NamedTuple):
    corpus: Corpus
    file: str
    text: str
    lock: Lock
    pages: dict[str, Node]
    own: frozenset[str]


class PlainCorpora:
    """What the last scan and the lock files say, read when it is made."""

    def __init__(self, ports: FreshnessPorts) -> None:
        mode = ports.settings.text(SETTING)
        plain = [corpus for corpus in ports.corpora if corpus.layout == "plain" and mode != "off"]
        found = (_watched(ports, corpus, mode) for corpus in plain)
        self._corpora = {one.corpus.name: one for one in found if one is not None}

    def __bool__(self) -> bool:
        return bool(self._corpora)

    def entries(self) -> Iterator[Entry]:
        """Pages that link to anything that could change."""
        for watched in self._corpora.values():
            pages = [node for _, node in sorted(watched.pages.items())]
            found = each(pages, partial(self._entry, watched), lambda node: node.path)
            yield from (entry for entry in found if entry is not None and entry.sources)

    def of(self, corpus: Corpus, path: str) -> tuple[Entry, ReviewRecordPlace] | None:
        """None for a page that nobody looks at."""
        watched = self._corpora.get(corpus.name)
        node = watched.pages.get(path) if watched else None
        entry = self._entry(watched, node) if watched and node else None
        if entry is None or watched is None:
            return None
        return entry, ReviewRecordPlace(watched.file, corpus.inside(path), watched.text)

    def _entry(self, watched: _Watched, node: Node) -> Entry | None:
        kind = kind_of(watched.corpus, node.path)
        entry = read_tolerant(node.path, node.frontmatter, kind=kind, layout="plain") if kind else None
        if entry is None:
            return None
        record = watched.lock.pages.get(watched.corpus.inside(node.path))
        declared = tuple(source for source in entry.sources if source.kind == "url")
        known = {source.reference for source in declared}
        linked = linked_sources(_links(node), watched.own, record)
        return replace(
            entry,
            sources=(*_with_facts(declared, linked), *(one for one in linked if one.reference not in known)),
            last_reviewed=(record.last_reviewed if record else None) or entry.last_reviewed,
            volatility=(record.volatility if record else None) or entry.volatility,
        )


def _with_facts(declared: tuple[Source, ...], linked: tuple[Source, ...]) -> Iterator[Source]:
    facts = {source.reference: source for source in linked}
    yield from (facts.get(source.reference, source) for source in declared)


def _watched(ports: FreshnessPorts, corpus: Corpus, mode: str) -> _Watched | None:
    """None when it has too many links, or a lock file that nobody can read: `cairn check` says so."""
    nodes = ports.store.find_nodes(NodeFilter(path_glob=f"{corpus.root}/*" if corpus.root else None))
    pages = {node.path: node for node in nodes if not node.virtual and corpus_of(node.path, ports.corpora) == corpus}
    links = {path: _links(node) for path, node in pages.items()}
    if not is_watched(mode, links):
        return None
    text = lock_text(ports.files, corpus)
    try:
        lock = parse_lock(text, lock_file(corpus))
    except ConfigError:
        return None
    return _Watched(corpus, lock_file(corpus), text, lock, pages, own_sites(links.values()))


def _links(node: Node) -> list[str]:
    return [ref.original or ref.url for ref in node.external_refs]
