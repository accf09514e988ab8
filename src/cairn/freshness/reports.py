"""Reports over all entries: what the corpora cover, where newer editions were seen, which hosts nobody cites yet."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.core.model.event import Event
from cairn.core.model.knowledge import Entry, category_of, corpus_of
from cairn.core.ports.runtime import utc_day
from cairn.errors import NotFound, UsageError
from cairn.freshness.coverage import (
    CoverageGap,
    CoverageRow,
    CoveredItem,
    PlacedEntry,
    Taxonomy,
    covered_by,
    gaps_of,
    parse_taxonomy,
    rows_of,
)
from cairn.freshness.frontier import EditionAhead, Frontier, hosts_linked
from cairn.freshness.list_sources import allowlist, citations
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.select_entries import entries_of
from cairn.lib.urls.url import host_of

GAP: Final = "knowledge_gap_signal"
_LARGEST: Final = 1_000_000
_LEAST: Final = 2
"""So many sites have to link to a host, and so many entries to cite them."""
_EVERYWHERE: Final = frozenset(
    {"github.com", "twitter.com", "x.com", "facebook.com", "linkedin.com", "youtube.com", "instagram.com", "reddit.com"}
    | {"medium.com", "wikipedia.org", "en.wikipedia.org", "google.com", "bsky.app", "t.me", "discord.gg", "discord.com"}
    | {"creativecommons.org", "web.archive.org", "mastodon.social", "stackoverflow.com", "slack.com", "npmjs.com"}
)
"""Hosts that every page links to, whatever it is about."""


class CoverageReport(NamedTuple):
    rows: list[CoverageRow]
    gaps: list[CoverageGap]
    taxonomy: Taxonomy | None
    covered: list[CoveredItem]

    def json(self) -> dict[str, Any]:
        said = None
        if self.taxonomy is not None:
            said = {"name": self.taxonomy.name, "items": [one.json() for one in self.covered]}
        return {
            "categories": [row.json() for row in self.rows],
            "gaps": [gap._asdict() for gap in self.gaps],
            "taxonomy": said,
        }


def coverage(ports: FreshnessPorts, *, taxonomy: str | None, here: Path) -> CoverageReport:
    asked = _taxonomy(here / taxonomy, taxonomy) if taxonomy else None
    entries = list(entries_of(ports))
    today = utc_day(ports.clock.now_ms())
    rows = rows_of(_placed(ports, entries), allowlist(ports), today)
    return CoverageReport(rows, gaps_of(_missed(ports), entries), asked, covered_by(asked, entries) if asked else [])


def _placed(ports: FreshnessPorts, entries: list[Entry]) -> Iterator[PlacedEntry]:
    for entry in entries:
        corpus = corpus_of(entry.path, ports.corpora)
        if corpus is not None:
            yield PlacedEntry(entry, corpus.name, category_of(corpus, entry.path))


def _missed(ports: FreshnessPorts) -> Iterator[str]:
    for file in ports.ledger.files():
        for _, event in ports.ledger.read(file.name):
            if isinstance(event, Event) and event.type == GAP:
                yield str(event.payload.get("topic", ""))


def _taxonomy(file: Path, name: str) -> Taxonomy:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"There is no file {name}; a taxonomy is YAML with `name` and `items`.") from None
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from None
    if len(data) > _LARGEST:
        raise UsageError(f"{name} is too large for a taxonomy; it has {len(data):,} bytes.")
    return parse_taxonomy(data.decode("utf-8", "replace"), name=name)


# --- the frontier ---------------------------------------------------------------------------------------------------


class HostCandidate(NamedTuple):
    """A host that several sources link to, but nobody cites."""

    host: str
    sites: int
    """That link to it."""
    entries: int
    """That cite those."""


class FrontierReport(NamedTuple):
    ahead: list[tuple[Entry, EditionAhead]]
    candidates: list[HostCandidate]
    pages: int
    """Of sources, that were kept."""

    def json(self) -> dict[str, Any]:
        return {
            "entries": [{"name": entry.name, "path": entry.path, **ahead.json()} for entry, ahead in self.ahead],
            "hosts": [one._asdict() for one in self.candidates],
            "pages": self.pages,
        }


def frontier_report(ports: FreshnessPorts) -> FrontierReport:
    """From what was kept; nothing is fetched."""
    frontier = Frontier(ports)
    entries = list(entries_of(ports))
    ahead = [(entry, found) for entry in entries if (found := frontier.ahead(entry))]
    candidates = _candidates(ports, frontier, entries)
    return FrontierReport(ahead, candidates, frontier.pages_read)


def _candidates(ports: FreshnessPorts, frontier: Frontier, entries: list[Entry]) -> list[HostCandidate]:
    listed = allowlist(ports)
    cited = {host_of(citation.source.target).removeprefix("www.") for citation in citations(ports)}
    linked: dict[str, tuple[set[str], set[str]]] = {}
    for entry in entries:
        pages = [kept.shown for s in entry.sources if s.kind == "url" and (kept := frontier.page(s))]
        for site, host in hosts_linked(pages):
            sites, paths = linked.setdefault(host, (set(), set()))
            sites.add(_domain(site))
            paths.add(entry.path)
    found = (
        HostCandidate(host, len(sites), len(paths))
        for host, (sites, paths) in linked.items()
        if len(sites) >= _LEAST and len(paths) >= _LEAST and host not in cited and host not in _EVERYWHERE
    )
    fresh = [one for one in found if not listed.allows(f"https://{one.host}/")]
    return sorted(fresh, key=lambda one: (-one.entries, -one.sites, one.host))


def _domain(host: str) -> str:
    """Two subdomains of one house are one voice."""
    return ".".join(host.split(".")[-2:])
