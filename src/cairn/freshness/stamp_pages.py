"""Recording that somebody looked and it is still right: the pages, the files they are stamped in, the ledger."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.changes.lock_files import GIT_ATTRIBUTES, attributes_beside, write_attributes
from cairn.changes.write import write_file
from cairn.core.model.graph import Node
from cairn.core.model.knowledge import Source, corpus_of
from cairn.core.ports.files import ReadFailed
from cairn.core.ports.runtime import utc_day
from cairn.errors import CairnError, NotFound, Refused
from cairn.freshness.drift import CHANGED, drift_issues
from cairn.freshness.path_sources import PlaceNow, look
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.stamp import LockedPage, Stamped, stamp_in_lock, stamp_page
from cairn.freshness.states import WorkTree
from cairn.graph.run_scan import append
from cairn.graph.subgraph import node_called
from cairn.knowledge.layouts import ROUTES
from cairn.knowledge.lockfile import lock_file, lock_text
from cairn.lib.markdown.frontmatter import parse


class Outcome(NamedTuple):
    stamped: tuple[Stamped, ...]
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


def stamp(ports: FreshnessPorts, pages: Sequence[str], *, only: Collection[str], dry_run: bool) -> Outcome:
    """What was written, or would be. All pages are looked at before the first is written."""
    today = utc_day(ports.clock.now_ms()).isoformat()
    stamped: list[Stamped] = []
    texts: dict[str, str] = {}
    for page in pages:
        stamped.append(_stamped(ports, page, texts, today, only))
        texts[stamped[-1].file] = stamped[-1].after
    attributes = attributes_beside(ports, {one.file for one in stamped if one.file != one.document})
    outcome = Outcome(tuple(stamped), () if attributes is None else (GIT_ATTRIBUTES,))
    if dry_run:
        return outcome
    for file, text in texts.items():
        write_file(ports.root, file, text)
    return outcome._replace(warnings=(*write_attributes(ports, attributes), *_recorded(ports, stamped)))


def _stamped(ports: FreshnessPorts, page: str, texts: Mapping[str, str], today: str, only: Collection[str]) -> Stamped:
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


def _look(ports: FreshnessPorts, sources: Collection[Source]) -> Mapping[Source, PlaceNow]:
    return look(sources, WorkTree(ports.files).read({source.target for source in sources}), ports.probe)


def _text(ports: FreshnessPorts, path: str) -> str:
    try:
        return ports.files.read(path)[0].decode("utf-8")
    except ReadFailed as error:
        raise NotFound(str(error)) from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8; save it as UTF-8, then stamp it.") from None


def _recorded(ports: FreshnessPorts, stamped: Sequence[Stamped]) -> list[str]:
    """It is written already, so a ledger that cannot be is only said, once."""
    try:
        for one in stamped:
            corpus = corpus_of(one.document, ports.corpora)
            payload = {"path": one.document, "corpus": corpus.name if corpus else "", "sources": len(one.sources)}
            append(ports, "entry_stamped", payload)
    except CairnError as error:
        return [f"it is stamped, but could not be recorded: {error.message}"]
    return []
