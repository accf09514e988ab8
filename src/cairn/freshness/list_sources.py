"""Sources of a workspace: which pages cite them, what is known about them, and whether they can be reached."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.changes.gate import LinkResult
from cairn.core.model.knowledge import Source, corpus_of
from cairn.core.ports.runtime import Clock, Progress, ReadFailed, Silent
from cairn.core.ports.sources import Fetcher, FetchFailed, Outcome, SourceRow, SourceStore, UrlCheckRow
from cairn.errors import NotFound, UsageError
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.snapshots import needed_keys, outdated, sweep
from cairn.freshness.sources import Place, place_of
from cairn.freshness.unreliable_sources import AskedHosts
from cairn.knowledge.allowlist import Allowlist, packed_allowlist, parse_allowlist
from cairn.knowledge.corpora import knowledge_nodes
from cairn.knowledge.lockfile import read_locks
from cairn.knowledge.values import take_sources
from cairn.lib.urls.url import host_of, without_fragment

_SAME_FAILURE_MS = 60 * 60 * 1000
"""Two checks within the hour see one and the same outage."""
FRESH_MS = 24 * 60 * 60 * 1000
"""So long a result is good enough for a gate, which does not fetch itself."""


class LinkCheckResult(NamedTuple):
    rows: tuple[UrlCheckRow, ...]
    skipped: tuple[str, ...]
    """Left out because the settings say so."""
    offline: bool = False
    """No host answered: nothing was recorded."""

    @property
    def broken(self) -> tuple[UrlCheckRow, ...]:
        """Those that failed before come first."""
        return tuple(sorted((row for row in self.rows if not row.ok), key=lambda row: (-row.failures, row.url)))


def severity(row: UrlCheckRow) -> str:
    """A page may be away for an hour; one that is away twice is gone."""
    return "P1" if row.failures > 1 else "P2"


def check_links(
    urls: Iterable[str],
    *,
    fetcher: Fetcher,
    store: SourceStore,
    clock: Clock,
    skip: Collection[str] = (),
    progress: Progress | None = None,
) -> LinkCheckResult:
    distinct = dict.fromkeys(without_fragment(url) for url in urls)
    wanted = [url for url in distinct if not is_skipped(url, skip)]
    before = {row.url: row for row in store.links()}
    rows = []
    telling, reached = progress or Silent(), AskedHosts()
    for number, outcome in enumerate(fetcher.probe_all(wanted), 1):
        reached.note(outcome)
        rows.append(_row(outcome, before.get(outcome.url), clock.now_ms()))
        telling.step("checking links", number, len(wanted))
    skipped = tuple(url for url in distinct if is_skipped(url, skip))
    if reached.nobody:
        return LinkCheckResult((), skipped, offline=True)
    store.keep_links(rows)
    return LinkCheckResult(tuple(sorted(rows)), skipped)


def _row(outcome: Outcome, before: UrlCheckRow | None, now_ms: int) -> UrlCheckRow:
    if not isinstance(outcome, FetchFailed):
        return UrlCheckRow(outcome.url, True, outcome.status, None, None, now_ms, 0)
    failures = 1 if before is None else before.failures + _counts_anew(before, now_ms)
    return UrlCheckRow(outcome.url, False, outcome.status, outcome.cause, outcome.reason, now_ms, failures)


def _counts_anew(before: UrlCheckRow, now_ms: int) -> int:
    return 1 if before.ok or now_ms - before.checked_at_ms >= _SAME_FAILURE_MS else 0


def is_skipped(url: str, skip: Collection[str]) -> bool:
    """By its URL, or by its host or one above it."""
    if not skip:
        return False
    host = host_of(url)
    return any(_covers(word.strip(), url, host) for word in skip)


def _covers(word: str, url: str, host: str) -> bool:
    if "://" in word:
        return without_fragment(word) == url
    suffix = word.lower().strip(".")
    return bool(suffix) and (host == suffix or host.endswith(f".{suffix}"))


def recent(links: Iterable[UrlCheckRow], sources: Iterable[SourceRow], now_ms: int) -> dict[str, LinkResult]:
    """What is new enough for a gate to rely on, by URL without its fragment: checks, and looks at whole pages."""
    found = {
        row.url: LinkResult(row.url, row.failures == 0, row.reason or "", row.failed_at_ms or row.seen_at_ms or 0)
        for row in sources
        if row.cause not in ("unusable", "internal")  # the page is there, whatever it says, or nothing is known
    }
    for row in links:
        if row.url not in found or found[row.url].at_ms <= row.checked_at_ms:
            found[row.url] = LinkResult(row.url, row.ok, row.reason or "", row.checked_at_ms)
    return {url: result for url, result in found.items() if now_ms - result.at_ms <= FRESH_MS}


UNSTABLE = 0.75
"""A page with less than this share of looks to rely on is compared by section."""
ELSEWHERE = "not on the list"
"""Category of a host that the allowlist does not have."""


class Citation(NamedTuple):
    document: str
    source: Source


class CitedSource(NamedTuple):
    """One source, however many pages cite it."""

    reference: str
    source: Source
    documents: tuple[str, ...]
    host: str = ""
    category: str = ""
    row: SourceRow | None = None
    """What is known about it from earlier looks; None when nobody looked, or when it lies in the repository."""

    @property
    def unstable(self) -> bool:
        stability = self.row.stability if self.row else None
        return stability is not None and stability < UNSTABLE


class HostCount(NamedTuple):
    host: str
    category: str
    sources: int
    documents: int
    failing: int


def cited(citations: Iterable[Citation], rows: Sequence[SourceRow], allowlist: Allowlist) -> list[CitedSource]:
    """In order of host and reference; sources in the repository last."""
    known = {(row.url, row.anchor): row for row in rows}
    by_reference: dict[str, list[Citation]] = {}
    for citation in citations:
        by_reference.setdefault(citation.source.reference, []).append(citation)
    found = [_one(reference, listed, known, allowlist) for reference, listed in by_reference.items()]
    return sorted(found, key=lambda one: (one.source.kind == "path", one.host, one.reference))


def _one(
    reference: str, citations: Sequence[Citation], known: Mapping[Place, SourceRow], allowlist: Allowlist
) -> CitedSource:
    source = citations[0].source
    documents = tuple(sorted({citation.document for citation in citations}))
    if source.kind == "path":
        return CitedSource(reference, source, documents)
    category = allowlist.category(source.target) or ELSEWHERE
    return CitedSource(reference, source, documents, host_of(source.target), category, known.get(place_of(source)))


def by_host(listed: Iterable[CitedSource]) -> list[HostCount]:
    """The most cited first; what lies in the repository has no host."""
    groups: dict[tuple[str, str], list[CitedSource]] = {}
    for one in listed:
        if one.source.kind == "url":
            groups.setdefault((one.host, one.category), []).append(one)
    counts = [HostCount(host, category, *_counts(ones)) for (host, category), ones in groups.items()]
    return sorted(counts, key=lambda count: (-count.documents, count.host, count.category))


def by_category(listed: Iterable[CitedSource]) -> dict[str, tuple[int, int]]:
    """Sources and pages of each category of the allowlist."""
    groups: dict[str, list[CitedSource]] = {}
    for one in listed:
        if one.source.kind == "url":
            groups.setdefault(one.category, []).append(one)
    return {category: _counts(ones)[:2] for category, ones in sorted(groups.items())}


def _counts(ones: Sequence[CitedSource]) -> tuple[int, int, int]:
    documents = {document for one in ones for document in one.documents}
    failing = sum(one.row is not None and one.row.failures > 0 for one in ones)
    return len(ones), len(documents), failing


SKIP = "freshness.link_check.skip"


class CitationPlace(NamedTuple):
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


def cited_sources(ports: FreshnessPorts) -> list[CitedSource]:
    return cited(citations(ports), ports.store.web.sources(), allowlist(ports))


def allowlist(ports: FreshnessPorts) -> "Allowlist":
    """Of the workspace, else the one that comes with Cairn."""
    text = ports.knowledge.allowlist
    return parse_allowlist(text) if text else packed_allowlist()


# --- links ----------------------------------------------------------------------------------------------------------


def links_of(ports: FreshnessPorts, paths: Sequence[str]) -> dict[str, list[CitationPlace]]:
    """URLs of sources by where they are cited, in these pages or folders; everywhere when none is named."""
    found: dict[str, list[CitationPlace]] = {}
    texts: dict[str, str] = {}
    for citation in citations(ports):
        if citation.source.kind == "url" and _is_below(citation.document, paths):
            line = _line(ports, citation.document, citation.source.target, texts)
            found.setdefault(citation.source.target, []).append(CitationPlace(citation.document, line))
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


def check(ports: FreshnessPorts, urls: Sequence[str], *, progress: Progress) -> LinkCheckResult:
    return check_links(
        urls,
        fetcher=ports.fetcher,
        store=ports.store.web,
        clock=ports.clock,
        skip=ports.settings.texts(SKIP),
        progress=progress,
    )


def sweep_snapshots(ports: FreshnessPorts) -> int:
    """How many files went. The last texts of a source stay, and those that a hash in a page was taken of."""
    store = ports.store.web
    referred = {citation.source.hash for citation in citations(ports)} - {None}
    store.drop_texts(outdated(store.texts(), {hash for hash in referred if hash}))
    rows = store.sources()
    pages = [key for row in rows for key in (row.snapshot, row.pending_snapshot, row.shown_snapshot)]
    needed = needed_keys(pages, store.texts())
    days = ports.settings.integer("freshness.snapshots.days")
    most = ports.settings.integer("freshness.snapshots.max_bytes")
    return sweep(ports.blobs, needed, now_ms=ports.clock.now_ms(), days=days, most_bytes=most)
