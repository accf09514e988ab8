"""Sources of a workspace: who cites them, what is known about them, and whether their pages are still there."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.model.knowledge import corpus_of
from cairn.core.ports.files import ReadFailed
from cairn.core.ports.runtime import Progress
from cairn.errors import NotFound, UsageError
from cairn.freshness.citations import Citation, Cited, cited
from cairn.freshness.links import Checked, check_links
from cairn.freshness.ports import FreshnessPorts
from cairn.knowledge.allowlist import packed_allowlist, parse_allowlist
from cairn.knowledge.corpora import knowledge_nodes
from cairn.knowledge.lockfile import read_locks
from cairn.knowledge.values import take_sources

if TYPE_CHECKING:
    from cairn.knowledge.allowlist import Allowlist

SKIP = "freshness.link_check.skip"


class Place(NamedTuple):
    """Where a URL is cited."""

    document: str
    line: int


def citations(ports: FreshnessPorts) -> Iterator[Citation]:
    """Of every page of every corpus, and of the lock files of those that are not ours to write in."""
    locks, _ = read_locks(ports.files, ports.corpora)
    for node in knowledge_nodes(ports.store, ports.corpora):
        corpus = corpus_of(node.path, ports.corpora)
        record = locks[corpus.name].pages.get(corpus.inside(node.path)) if corpus and corpus.name in locks else None
        sources = {source.reference: source for source in take_sources(node.frontmatter.get("sources"))}
        sources |= {source.reference: source for source in (record.sources if record else ())}
        yield from (Citation(node.path, source) for source in sources.values())


def cited_sources(ports: FreshnessPorts) -> list[Cited]:
    return cited(citations(ports), ports.store.web.sources(), allowlist(ports))


def allowlist(ports: FreshnessPorts) -> "Allowlist":
    """Of the workspace, else the one that comes with Cairn."""
    text = ports.knowledge.allowlist
    return parse_allowlist(text) if text else packed_allowlist()


# --- links ----------------------------------------------------------------------------------------------------------


def links_of(ports: FreshnessPorts, paths: Sequence[str]) -> dict[str, list[Place]]:
    """URLs of sources by where they are cited, in these pages or folders; everywhere when none is named."""
    found: dict[str, list[Place]] = {}
    texts: dict[str, str] = {}
    for citation in citations(ports):
        if citation.source.kind == "url" and _is_below(citation.document, paths):
            line = _line(ports, citation.document, citation.source.target, texts)
            found.setdefault(citation.source.target, []).append(Place(citation.document, line))
    return found


def _is_below(document: str, paths: Sequence[str]) -> bool:
    return not paths or any(path in ("", document) or document.startswith(f"{path}/") for path in paths)


def _line(ports: FreshnessPorts, document: str, url: str, texts: dict[str, str]) -> int:
    if document not in texts:
        try:
            texts[document] = ports.files.read(document)[0].decode("utf-8", "replace")
        except ReadFailed:
            texts[document] = ""
    at = texts[document].find(url)
    return texts[document].count("\n", 0, at) + 1 if at >= 0 else 1


def changed_pages(ports: FreshnessPorts) -> list[str]:
    """Pages of corpora that the branch and edits changed, as the gates see it."""
    from cairn.changes.check_changes import base_of

    base = base_of(ports)
    if not base:
        raise UsageError("There is no commit to compare with; name the pages to look at, or give --all.")
    pages = {node.path for node in knowledge_nodes(ports.store, ports.corpora)}
    return sorted(pages & {change.path for change in ports.vcs.changed(base, None)})


def must_be_pages(ports: FreshnessPorts, paths: Sequence[str]) -> None:
    """A name that nobody has is a mistake, not an empty answer."""
    pages = [node.path for node in knowledge_nodes(ports.store, ports.corpora)]
    for path in paths:
        if not any(_is_below(page, [path]) for page in pages):
            raise NotFound(f"There is no page of knowledge at {path}; `cairn freshness sources` shows who cites what.")


def check(ports: FreshnessPorts, urls: Sequence[str], *, progress: Progress) -> Checked:
    return check_links(
        urls,
        fetcher=ports.fetcher,
        store=ports.store.web,
        clock=ports.clock,
        skip=ports.settings.texts(SKIP),
        progress=progress,
    )
