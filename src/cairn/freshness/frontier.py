"""Finds newer editions of what an entry is about in the stored pages of its sources. Fetches nothing."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Any, Final, NamedTuple

from cairn.core.model.knowledge import Entry, Source
from cairn.core.model.verdict import EDITION_UPGRADE, TO_BE_READ, Verdict, VerdictFinding, VerdictOutcome
from cairn.core.ports.runtime import utc_day
from cairn.freshness.editions import (
    OwnEdition,
    is_newer,
    named_in_name,
    of_source,
    order,
    pinned,
    stays_behind,
    written_like,
)
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.signs import EditionSign, signs_of
from cairn.freshness.sources import Place, SourceMemory, place_of
from cairn.lib.html.shown import ShownPage

_LONGEST: Final = 300


class EditionAhead(NamedTuple):
    """A newer edition that a source shows."""

    source: Source
    own: OwnEdition
    sign: EditionSign
    instead: str | None = None
    """The pin as it would be written now; None without a pin."""

    @property
    def sentence(self) -> str:
        return shortened(self.sign.sentence)

    @property
    def subject(self) -> str:
        """What the entry is about, with its edition."""
        return f"{self.own.family} {self.own.version}".strip()

    @property
    def said(self) -> str:
        """One sentence for people."""
        shows = f"shows {self.sign.version}" if self.sign.version else "says"
        return f"It is about {self.subject}, and {self.source.reference} {shows}: “{self.sentence}”"

    def json(self) -> dict[str, Any]:
        return {
            "source": self.source.reference,
            "family": self.own.family or None,
            "version": self.own.version,
            "newer": self.sign.version or None,
            "sign": self.sign.kind,
            "sentence": self.sentence,
            "versionPin": self.instead,
        }


class StoredPage(NamedTuple):
    """A page as it was kept."""

    shown: ShownPage
    since: date
    """Since when it has been like this."""


PageOf = Callable[[Source], StoredPage | None]
"""What was kept of a source; None when nobody looked at it yet."""


def ahead_of(entry: Entry, pages: PageOf) -> EditionAhead | None:
    """The newest edition that a source of the entry shows, on a page that changed since somebody last read the entry.
    Pages are only read where the entry names any edition."""
    if stays_behind(entry):
        return None
    urls = [source for source in entry.sources if source.kind == "url" and _asks(entry, source)]
    found = [
        ahead
        for source in urls
        if (kept := pages(source)) and (entry.last_reviewed or "") < kept.since.isoformat()
        for ahead in _on_page(entry, source, kept.shown)
    ]
    return max(found, key=_strength, default=None)


def _asks(entry: Entry, source: Source) -> bool:
    return bool(pinned(entry)) if entry.edition else any(of_source(source))


def _strength(ahead: EditionAhead) -> tuple[bool, tuple[int, ...], bool]:
    """A pin first, then the higher version, then a line of the page before an entry of a menu."""
    return ahead.own.pinned, order(ahead.sign.version), ahead.sign.kind != "selector"


def _on_page(entry: Entry, source: Source, page: ShownPage) -> Iterator[EditionAhead]:
    for own in pinned(entry) or _unpinned(entry, source):
        for sign in signs_of(own, page):
            yield EditionAhead(source, own, sign, _instead(entry, own, sign))


def _unpinned(entry: Entry, source: Source) -> list[OwnEdition]:
    if entry.edition:
        return []  # a pin that nobody understands is still somebody's word
    return [own for own in of_source(source) if not named_in_name(entry, own)]


def _instead(entry: Entry, own: OwnEdition, sign: EditionSign) -> str | None:
    if not own.pinned or entry.edition is None or not is_newer(own, sign.version):
        return None
    return entry.edition.replace(own.version, written_like(own.version, sign.version))


# --- in a verdict ---------------------------------------------------------------------------------------------------


def with_frontier(verdict: Verdict, entry: Entry, ahead: EditionAhead | None, *, today: str) -> Verdict:
    """Adds the sign to a verdict, to be read: only a reader can tell what it means for the entry. A verdict about a
    source that could not be compared stays as it is: that comes first."""
    if ahead is None or (verdict.source_unverifiable and not verdict.to_be_read):
        return verdict
    claim = f"version-pin: {entry.edition}" if ahead.own.pinned else f"about {ahead.own.family} {ahead.own.version}"
    claim = " ".join(claim.split())
    if any(one.drift_kind == EDITION_UPGRADE or one.claim_in_entry == claim for one in verdict.findings):
        return verdict
    finding = VerdictFinding(claim, ahead.source.reference, today, ahead.sentence, "P3", TO_BE_READ)
    found = verdict._replace(findings=(*verdict.findings, finding))
    if verdict.outcome is VerdictOutcome.CURRENT:
        return found._replace(outcome=VerdictOutcome.MINOR_DRIFT, source_unverifiable=True)
    return found


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[:_LONGEST].rsplit(" ", 1)[0]


def hosts_linked(pages: Sequence[ShownPage]) -> Iterator[tuple[str, str]]:
    """Pairs of the page's own host and one that its content links to."""
    for page in pages:
        own = host_name(page.url)
        for host in {host_name(link.url) for link in page.links if link.content}:
            if host and host != own:
                yield own, host


def host_name(url: str) -> str:
    from cairn.lib.urls.url import UrlProblem, split_url

    try:
        return split_url(url).host.text.removeprefix("www.")
    except UrlProblem:
        return ""


class Frontier:
    """Each kept page is read at most once."""

    def __init__(self, ports: FreshnessPorts) -> None:
        self._ports = ports
        self._pages: dict[Place, StoredPage | None] = {}

    @cached_property
    def _memory(self) -> SourceMemory:
        return SourceMemory(self._ports.store.web, self._ports.blobs)

    def ahead(self, entry: Entry) -> "EditionAhead | None":

        return ahead_of(entry, self.page)

    def said(self, entry: Entry) -> str:
        """As a reason to look at an entry; empty when there is none."""
        found = self.ahead(entry)
        return "" if found is None else found.said

    @property
    def pages_read(self) -> int:
        return sum(kept is not None for kept in self._pages.values())

    def page(self, source: Source) -> "StoredPage | None":
        place = place_of(source)
        if place not in self._pages:
            self._pages[place] = self._read(source)
        return self._pages[place]

    def _read(self, source: Source) -> "StoredPage | None":
        from cairn.lib.html.shown import show

        kept = self._memory.page(source)
        shown = show(kept[0]) if kept else None
        if kept is None or shown is None:
            return None
        return StoredPage(shown, utc_day(kept[1]))
