"""Corpora whose pages are not ours to edit, as far as a night looks at them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from cairn.core.isolate import each
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Corpus, Entry, Source, corpus_of
from cairn.core.ports.graph import NodeFilter
from cairn.errors import ConfigError
from cairn.freshness.plain_pages import is_watched, linked_sources, own_sites
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.layouts import kind_of
from cairn.knowledge.lockfile import Lock, lock_file, lock_text, parse_lock
from cairn.knowledge.read import read_tolerant

SETTING = "freshness.plain"


class Place(NamedTuple):
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


class Plain:
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

    def of(self, corpus: Corpus, path: str) -> tuple[Entry, Place] | None:
        """None for a page that nobody looks at."""
        watched = self._corpora.get(corpus.name)
        node = watched.pages.get(path) if watched else None
        entry = self._entry(watched, node) if watched and node else None
        if entry is None or watched is None:
            return None
        return entry, Place(watched.file, corpus.inside(path), watched.text)

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
