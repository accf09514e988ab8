"""Who cites what: every source with the pages that rely on it, and what is known about it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cairn.core.model.knowledge import Source
from cairn.core.ports.sources import SourceRow
from cairn.freshness.sources import Place, place_of
from cairn.knowledge.allowlist import Allowlist
from cairn.lib.urls.url import host_of

UNSTABLE = 0.75
"""A page with less than this share of looks to rely on is compared by section."""
ELSEWHERE = "not on the list"
"""Category of a host that the allowlist does not have."""


class Citation(NamedTuple):
    document: str
    source: Source


class Cited(NamedTuple):
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


def cited(citations: Iterable[Citation], rows: Sequence[SourceRow], allowlist: Allowlist) -> list[Cited]:
    """In order of host and reference; sources in the repository last."""
    known = {(row.url, row.anchor): row for row in rows}
    by_reference: dict[str, list[Citation]] = {}
    for citation in citations:
        by_reference.setdefault(citation.source.reference, []).append(citation)
    found = [_one(reference, listed, known, allowlist) for reference, listed in by_reference.items()]
    return sorted(found, key=lambda one: (one.source.kind == "path", one.host, one.reference))


def _one(
    reference: str, citations: Sequence[Citation], known: Mapping[Place, SourceRow], allowlist: Allowlist
) -> Cited:
    source = citations[0].source
    documents = tuple(sorted({citation.document for citation in citations}))
    if source.kind == "path":
        return Cited(reference, source, documents)
    category = allowlist.category(source.target) or ELSEWHERE
    return Cited(reference, source, documents, host_of(source.target), category, known.get(place_of(source)))


def by_host(listed: Iterable[Cited]) -> list[HostCount]:
    """The most cited first; what lies in the repository has no host."""
    groups: dict[tuple[str, str], list[Cited]] = {}
    for one in listed:
        if one.source.kind == "url":
            groups.setdefault((one.host, one.category), []).append(one)
    counts = [HostCount(host, category, *_counts(ones)) for (host, category), ones in groups.items()]
    return sorted(counts, key=lambda count: (-count.documents, count.host, count.category))


def by_category(listed: Iterable[Cited]) -> dict[str, tuple[int, int]]:
    """Sources and pages of each category of the allowlist."""
    groups: dict[str, list[Cited]] = {}
    for one in listed:
        if one.source.kind == "url":
            groups.setdefault(one.category, []).append(one)
    return {category: _counts(ones)[:2] for category, ones in sorted(groups.items())}


def _counts(ones: Sequence[Cited]) -> tuple[int, int, int]:
    documents = {document for one in ones for document in one.documents}
    failing = sum(one.row is not None and one.row.failures > 0 for one in ones)
    return len(ones), len(documents), failing
