"""The frontier: whether a newer edition of what an entry is about was seen in its sources' own pages.

Nothing is fetched for it: the pages are those that were kept when the sources were last looked at.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from cairn.freshness.editions import Own, is_newer, named_in_name, of_source, pinned, stays_behind
from cairn.freshness.extractive.edition import order, written_like
from cairn.freshness.signs import Sign, named_statements, signs_of
from cairn.kernel.knowledge.entry import Entry, Source
from cairn.kernel.model.verdict import EDITION_UPGRADE, Finding, Outcome, Verdict
from cairn.kernel.page.shown import Shown

_LONGEST: Final = 300
_SOME_NUMBER: Final = re.compile(r"[A-Za-z]\s+v?\d")
_BOUNDED: Final = re.compile(r"(?:since|from|before|until|below|above|than|to|via|through|≥|>=|<|>)\s*$", re.IGNORECASE)


class Ahead(NamedTuple):
    """A newer edition that a source shows."""

    source: Source
    own: Own
    sign: Sign
    instead: str | None = None
    """The pin as it would be written now; None without a pin, or when the page does not say which edition is newer."""

    @property
    def sentence(self) -> str:
        return shortened(self.sign.sentence)

    @property
    def said(self) -> str:
        """One sentence for people."""
        have = f"{self.own.family} {self.own.version}".strip()
        newer = f"{self.sign.version} is out" if self.sign.version else "there is a newer one"
        return f"It is about {have}, and {newer}, by {self.source.reference}: “{self.sentence}”"

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


class Kept(NamedTuple):
    """A page as it was kept."""

    shown: Shown
    since: date
    """Since when it has been like this."""


PageOf = Callable[[Source], Kept | None]
"""What was kept of a source; None when nobody looked at it yet."""


def ahead_of(entry: Entry, body: Callable[[], str], pages: PageOf) -> Ahead | None:
    """The newest edition that a source of the entry shows. Pages are only read where the entry names any edition."""
    if stays_behind(entry):
        return None
    urls = [source for source in entry.sources if source.kind == "url" and _asks(entry, source)]
    found = [
        ahead
        for source in urls
        if (kept := pages(source)) and _is_news(entry, kept)
        for ahead in _on_page(entry, body, source, kept.shown)
    ]
    return max(found, key=_strength, default=None)


def _asks(entry: Entry, source: Source) -> bool:
    if entry.edition:
        return bool(pinned(entry))
    return any(of_source(source)) or bool(_SOME_NUMBER.search(f"{entry.title} {entry.summary}"))


def _is_news(entry: Entry, kept: Kept) -> bool:
    """Without a pin nothing in the entry would ever say that it was seen: a review does, when it came later."""
    return bool(entry.edition) or entry.last_reviewed is None or kept.since.isoformat() > entry.last_reviewed


def _strength(ahead: Ahead) -> tuple[bool, bool, tuple[int, ...], int]:
    """A version is better than a hint, a sentence better than an entry of a menu."""
    spoken = ahead.sign.kind != "selector"
    return ahead.own.pinned, bool(ahead.sign.version), order(ahead.sign.version), spoken


def _on_page(entry: Entry, body: Callable[[], str], source: Source, page: Shown) -> Iterator[Ahead]:
    pins = pinned(entry)
    for own in pins or _unpinned(entry, source):
        for sign in signs_of(own, page):
            yield Ahead(source, own, sign, _instead(entry, own, sign))
    if not entry.edition:
        yield from _by_text(entry, body, source, page)


def _unpinned(entry: Entry, source: Source) -> list[Own]:
    if entry.edition:
        return []  # a pin that nobody understands is still somebody's word
    return [own for own in of_source(source) if not named_in_name(entry, own)]


def _instead(entry: Entry, own: Own, sign: Sign) -> str | None:
    if not own.pinned or not sign.version or entry.edition is None:
        return None
    return entry.edition.replace(own.version, written_like(own.version, sign.version))


# --- by what the entry says -----------------------------------------------------------------------------------------


def _by_text(entry: Entry, body: Callable[[], str], source: Source, page: Shown) -> Iterator[Ahead]:
    """The page states what is newest of a thing by its name, and the entry is about an older one of the same name."""
    said = f"{entry.title}\n{entry.summary}"
    for name, sign in named_statements(page):
        versions = _versions_of(name, said)
        if not versions or _versions_of(name, body()) - versions:
            continue  # not its subject, or it speaks of several
        own = Own(name, max(versions, key=order))
        if not named_in_name(entry, own) and is_newer(own, sign.version, sign.sentence):
            yield Ahead(source, own, sign)


def _versions_of(name: str, text: str) -> set[str]:
    """That stand behind the name, unless as the end of a range."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    pattern = re.compile(rf"(?<!\w){words}\s+(?:version\s+)?v?(\d+(?:\.\d+)*)(?![\w%+]|\.\d)", re.IGNORECASE)
    return {found[1] for found in pattern.finditer(text) if not _BOUNDED.search(text[: found.start()])}


# --- in a verdict ---------------------------------------------------------------------------------------------------


def with_frontier(verdict: Verdict, entry: Entry, ahead: Ahead | None, *, today: str) -> Verdict:
    """A verdict that knows of the newer edition, also where passages are still to be read. A verdict about a source that
    could not be compared stays as it is: that comes first."""
    known = any(one.drift_kind == EDITION_UPGRADE for one in verdict.findings)
    if ahead is None or known or (verdict.source_unverifiable and not verdict.to_be_read):
        return verdict
    claim = f"version-pin: {entry.edition}" if ahead.own.pinned else f"about {ahead.own.family} {ahead.own.version}"
    finding = Finding(" ".join(claim.split()), ahead.source.reference, today, ahead.sentence, "P1", EDITION_UPGRADE)
    found = verdict._replace(findings=(finding, *verdict.findings), source_unverifiable=False)
    if ahead.instead is None:
        drift = Outcome.MINOR_DRIFT if verdict.outcome is Outcome.CURRENT else verdict.outcome
        return found._replace(outcome=drift)
    if verdict.outcome is Outcome.MAJOR_DRIFT:
        return found._replace(proposed_version_pin=verdict.proposed_version_pin or ahead.instead)
    return found._replace(outcome=Outcome.SUPERSEDED, proposed_version_pin=ahead.instead)


def shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[:_LONGEST].rsplit(" ", 1)[0]


def hosts_linked(pages: Sequence[Shown]) -> Iterator[tuple[str, str]]:
    """Pairs of the page's own host and one that its content links to."""
    for page in pages:
        own = host_name(page.url)
        for host in {host_name(link.url) for link in page.links if link.content}:
            if host and host != own:
                yield own, host


def host_name(url: str) -> str:
    from cairn.kernel.net.url import UrlProblem, split_url

    try:
        return split_url(url).host.text.removeprefix("www.")
    except UrlProblem:
        return ""
