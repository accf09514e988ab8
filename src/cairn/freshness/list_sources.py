"""Sources of a workspace: who cites them, what is known about them, and whether their pages are still there."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.app.build import App
from cairn.core.model.corpus import corpus_of
from cairn.core.ports.files import ReadFailed
from cairn.core.ports.progress import Progress
from cairn.errors import NotFound, UsageError
from cairn.freshness.citations import Citation, Cited, cited
from cairn.freshness.links import Checked, check_links
from cairn.freshness.page_issues import knowledge_nodes, read_locks
from cairn.knowledge.allowlist import packed_allowlist, parse_allowlist
from cairn.knowledge.sources import take_sources

if TYPE_CHECKING:
    from cairn.knowledge.allowlist import Allowlist

SKIP = "freshness.link_check.skip"


class Place(NamedTuple):
    """Where a URL is cited."""

    document: str
    line: int


def citations(app: App) -> Iterator[Citation]:
    """Of every page of every corpus, and of the lock files of those that are not ours to write in."""
    locks, _ = read_locks(app)
    for node in knowledge_nodes(app):
        corpus = corpus_of(node.path, app.corpora)
        record = locks[corpus.name].pages.get(corpus.inside(node.path)) if corpus and corpus.name in locks else None
        sources = {source.reference: source for source in take_sources(node.frontmatter.get("sources"))}
        sources |= {source.reference: source for source in (record.sources if record else ())}
        yield from (Citation(node.path, source) for source in sources.values())


def cited_sources(app: App) -> list[Cited]:
    return cited(citations(app), app.store.web.sources(), allowlist(app))


def allowlist(app: App) -> "Allowlist":
    """Of the workspace, else the one that comes with Cairn."""
    text = app.knowledge.allowlist
    return parse_allowlist(text) if text else packed_allowlist()


# --- links ----------------------------------------------------------------------------------------------------------


def links_of(app: App, paths: Sequence[str]) -> dict[str, list[Place]]:
    """URLs of sources by where they are cited, in these pages or folders; everywhere when none is named."""
    found: dict[str, list[Place]] = {}
    texts: dict[str, str] = {}
    for citation in citations(app):
        if citation.source.kind == "url" and _is_below(citation.document, paths):
            line = _line(app, citation.document, citation.source.target, texts)
            found.setdefault(citation.source.target, []).append(Place(citation.document, line))
    return found


def _is_below(document: str, paths: Sequence[str]) -> bool:
    return not paths or any(path in ("", document) or document.startswith(f"{path}/") for path in paths)


def _line(app: App, document: str, url: str, texts: dict[str, str]) -> int:
    if document not in texts:
        try:
            texts[document] = app.files.read(document)[0].decode("utf-8", "replace")
        except ReadFailed:
            texts[document] = ""
    at = texts[document].find(url)
    return texts[document].count("\n", 0, at) + 1 if at >= 0 else 1


def changed_pages(app: App) -> list[str]:
    """Pages of corpora that the branch and edits changed, as the gates see it."""
    from cairn.changes.gate_alone import base_of

    base = base_of(app)
    if not base:
        raise UsageError("There is no commit to compare with; name the pages to look at, or give --all.")
    pages = {node.path for node in knowledge_nodes(app)}
    return sorted(pages & {change.path for change in app.vcs.changed(base, None)})


def must_be_pages(app: App, paths: Sequence[str]) -> None:
    """A name that nobody has is a mistake, not an empty answer."""
    pages = [node.path for node in knowledge_nodes(app)]
    for path in paths:
        if not any(_is_below(page, [path]) for page in pages):
            raise NotFound(f"There is no page of knowledge at {path}; `cairn freshness sources` shows who cites what.")


def check(app: App, urls: Sequence[str], *, progress: Progress) -> Checked:
    return check_links(
        urls,
        fetcher=app.fetcher,
        store=app.store.web,
        clock=app.clock,
        skip=app.settings.texts(SKIP),
        progress=progress,
    )
