"""Recording that somebody looked and it is still right: the pages, the files they are stamped in, the ledger."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cairn.app.build import App
from cairn.changes.write import write_file
from cairn.core.model.corpus import corpus_of
from cairn.core.model.entry import Source
from cairn.core.model.node import Node
from cairn.core.ports.clock import utc_day
from cairn.core.ports.files import ReadFailed
from cairn.errors import CairnError, NotFound, Refused
from cairn.freshness.drift import CHANGED
from cairn.freshness.page_issues import drift_issues, lock_file, lock_text
from cairn.freshness.path_sources import PlaceNow, look
from cairn.freshness.stamp import LockedPage, Stamped, stamp_in_lock, stamp_page
from cairn.freshness.states import WorkTree
from cairn.graph.node_names import node_called
from cairn.graph.run_scan import append
from cairn.knowledge.layouts import ROUTES
from cairn.knowledge.lock_files import GIT_ATTRIBUTES, attributes_beside, write_attributes
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


def pages_meant(app: App, names: Sequence[str], *, here: Path, all_changed: bool) -> list[str]:
    """The pages that somebody names, or all with a source that changed."""
    if all_changed:
        return list(dict.fromkeys(issue.path for issue in drift_issues(app) if issue.analyzer == CHANGED))
    found = [node_called(app.store, name, root=app.root, here=here) for name in names]
    for node in found:
        _must_be_page(app, node)
    return list(dict.fromkeys(node.path for node in found))


def _must_be_page(app: App, node: Node) -> None:
    kind = None if node.virtual else app.knowledge.kind(node.path)
    if kind == ROUTES:
        raise Refused(
            f"{node.path} lists routes, and they have no place for a stamp; stamp the pages that they lead to."
        )
    if kind is None:
        raise NotFound(
            f"{node.path} is no page of a corpus, so there is nothing to stamp; `cairn config set "
            "corpora.docs.layout plain` would make a corpus of the folder docs."
        )


def stamp(app: App, pages: Sequence[str], *, only: Collection[str], dry_run: bool) -> Outcome:
    """What was written, or would be. All pages are looked at before the first is written."""
    today = utc_day(app.clock.now_ms()).isoformat()
    stamped: list[Stamped] = []
    texts: dict[str, str] = {}
    for page in pages:
        stamped.append(_stamped(app, page, texts, today, only))
        texts[stamped[-1].file] = stamped[-1].after
    attributes = attributes_beside(app, {one.file for one in stamped if one.file != one.document})
    outcome = Outcome(tuple(stamped), () if attributes is None else (GIT_ATTRIBUTES,))
    if dry_run:
        return outcome
    for file, text in texts.items():
        write_file(app.root, file, text)
    return outcome._replace(warnings=(*write_attributes(app, attributes), *_recorded(app, stamped)))


def _stamped(app: App, page: str, texts: Mapping[str, str], today: str, only: Collection[str]) -> Stamped:
    """`texts` are files as the pages before this one left them: those of one corpus may share a lock file."""
    corpus = corpus_of(page, app.corpora)
    text = _text(app, page)
    if corpus is None or corpus.layout != "plain":
        layout = corpus.layout if corpus else "entries"
        return stamp_page(page, text, look=lambda sources: _look(app, sources), today=today, only=only, layout=layout)
    file = lock_file(corpus)
    locked = LockedPage(page, corpus.inside(page), file, parse(text).frontmatter)
    known = texts[file] if file in texts else lock_text(app, corpus)
    return stamp_in_lock(locked, known, look=lambda sources: _look(app, sources), today=today, only=only)


def _look(app: App, sources: Collection[Source]) -> Mapping[Source, PlaceNow]:
    return look(sources, WorkTree(app.files).read({source.target for source in sources}), app.probe)


def _text(app: App, path: str) -> str:
    try:
        return app.files.read(path)[0].decode("utf-8")
    except ReadFailed as error:
        raise NotFound(str(error)) from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8; save it as UTF-8, then stamp it.") from None


def _recorded(app: App, stamped: Sequence[Stamped]) -> list[str]:
    """It is written already, so a ledger that cannot be is only said, once."""
    try:
        for one in stamped:
            corpus = corpus_of(one.document, app.corpora)
            payload = {"path": one.document, "corpus": corpus.name if corpus else "", "sources": len(one.sources)}
            append(app, "entry_stamped", payload)
    except CairnError as error:
        return [f"it is stamped, but could not be recorded: {error.message}"]
    return []
