"""Recording that somebody looked and it is still right: the pages, the files they are stamped in, the ledger."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cairn.app.build import App
from cairn.app.checking import drift_issues, knowledge_nodes, lock_file, lock_text
from cairn.app.scanning import append
from cairn.changes.write import write_file
from cairn.errors import CairnError, NotFound, Refused
from cairn.freshness.declared import PlaceNow, look
from cairn.freshness.drift import CHANGED
from cairn.freshness.stamp import LockedPage, Stamped, stamp_in_lock, stamp_page
from cairn.freshness.states import WorkTree
from cairn.kernel.knowledge.corpus import corpus_of
from cairn.kernel.knowledge.entry import Source
from cairn.kernel.ports.files import ReadFailed
from cairn.kernel.text.frontmatter import parse
from cairn.workspace.naming import node_called


def pages_meant(app: App, names: Sequence[str], *, here: Path, all_changed: bool) -> list[str]:
    """The pages that somebody names, or all with a source that changed."""
    if all_changed:
        return list(dict.fromkeys(issue.path for issue in drift_issues(app) if issue.analyzer == CHANGED))
    found = [node_called(app.store, name, root=app.root, here=here) for name in names]
    pages = {node.path for node in knowledge_nodes(app)}
    for node in found:
        if node.path not in pages:
            raise NotFound(f"{node.path} is in no corpus, so there is nothing to stamp; `cairn init` finds corpora.")
    return list(dict.fromkeys(node.path for node in found))


def stamp(app: App, pages: Sequence[str], *, only: Collection[str], dry_run: bool) -> tuple[list[Stamped], list[str]]:
    """What was written, or would be, and what a person should know besides. All pages are looked at before the first
    is written."""
    today = datetime.fromtimestamp(app.clock.now_ms() / 1000, UTC).date().isoformat()
    stamped: list[Stamped] = []
    texts: dict[str, str] = {}
    for page in pages:
        stamped.append(_stamped(app, page, texts, today, only))
        texts[stamped[-1].file] = stamped[-1].after
    if dry_run:
        return stamped, []
    for file, text in texts.items():
        write_file(app.root, file, text)
    return stamped, _recorded(app, stamped)


def _stamped(app: App, page: str, texts: Mapping[str, str], today: str, only: Collection[str]) -> Stamped:
    """`texts` are files as the pages before this one left them: those of one corpus may share a lock file."""
    corpus = corpus_of(page, app.corpora)
    text = _text(app, page)
    if corpus is None or corpus.layout != "plain":
        return stamp_page(page, text, look=lambda sources: _look(app, sources), today=today, only=only)
    file = lock_file(corpus)
    locked = LockedPage(page, corpus.inside(page), file, parse(text).frontmatter)
    known = texts[file] if file in texts else lock_text(app, corpus)
    return stamp_in_lock(locked, known, look=lambda sources: _look(app, sources), today=today, only=only)


def _look(app: App, sources: Collection[Source]) -> Mapping[Source, PlaceNow]:
    return look(sources, WorkTree(app.files).read({source.target for source in sources}))


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
