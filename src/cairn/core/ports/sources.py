"""Pages of the web: how they are fetched, guarded, and what is remembered about those that are sources."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

from cairn.lib.html.charset import FetchedPage


class SourceRow(NamedTuple):
    """A place on the web that entries rely on: a page, or one section of it."""

    url: str
    """Without what follows `#`, in its normal spelling."""
    anchor: str = ""
    """With its `#`; empty is the whole page."""
    canon: int = 0
    """Version of the canonicaliser that made the hashes."""
    hash: str | None = None
    """Of the canonical text that is settled: the first one ever, or one that was seen twice."""
    raw: str | None = None
    """Of the bytes at the last look."""
    snapshot: str | None = None
    """Key of the blob with the settled page."""
    etag: str | None = None
    modified: str | None = None
    seen_at_ms: int | None = None
    """The last look that brought a page."""
    changed_at_ms: int | None = None
    """When the settled text came to be another one."""
    pending_hash: str | None = None
    """Of a text that was seen once and may be a change."""
    pending_snapshot: str | None = None
    pending_at_ms: int | None = None
    looks: int = 0
    flips: int = 0
    """Looks that brought a text which the next look did not confirm."""
    failures: int = 0
    """In a row."""
    cause: str | None = None
    """Of the last failure, as `FetchFailed` has it."""
    reason: str | None = None
    failed_at_ms: int | None = None
    next_try_ms: int | None = None
    shown_snapshot: str | None = None
    """Key of a newer page with the same text, whose banners or menus show other editions; None when there is none."""
    shown_at_ms: int | None = None
    """Since when the page has shown what it shows around its text."""

    @property
    def stability(self) -> float | None:
        """Share of looks that could be relied on; None before there were two."""
        return None if self.looks < 2 else 1 - self.flips / self.looks


class SourceTextRow(NamedTuple):
    """A settled text of a source, as it is or once was."""

    url: str
    anchor: str
    canon: int
    hash: str
    raw: str
    snapshot: str
    seen_at_ms: int


class UrlCheckRow(NamedTuple):
    """What the last check of a URL gave."""

    url: str
    ok: bool
    status: int | None
    cause: str | None
    reason: str | None
    checked_at_ms: int
    failures: int
    """In a row."""


class AttemptRow(NamedTuple):
    """An entry whose audit failed, and until when it is left alone."""

    path: str
    failures: int
    """In a row."""
    cause: str
    reason: str
    at_ms: int
    next_try_ms: int


class AuditRow(NamedTuple):
    """What an audit said, so that a run which was stopped asks nobody twice."""

    key: str
    """Of the day, the entry as it was, the texts of its sources, and who judged."""
    path: str
    day: str
    at_ms: int
    verdict: str
    """JSON."""


class SourceStore(Protocol):
    def sources(self) -> list[SourceRow]:
        """In order of url and anchor."""
        ...

    def texts(self) -> list[SourceTextRow]:
        """By url and anchor, the newest first."""
        ...

    def keep_sources(self, rows: Sequence[SourceRow], texts: Sequence[SourceTextRow] = ()) -> None:
        """All at once; a row takes the place of the one with the same url and anchor."""
        ...

    def drop_texts(self, rows: Collection[SourceTextRow]) -> None: ...
    def links(self) -> list[UrlCheckRow]: ...
    def keep_links(self, rows: Sequence[UrlCheckRow]) -> None: ...
    def attempts(self) -> list[AttemptRow]: ...
    def keep_attempts(self, rows: Sequence[AttemptRow]) -> None: ...
    def forget_attempts(self, paths: Collection[str]) -> None: ...
    def audits(self) -> list[AuditRow]: ...
    def keep_audits(self, rows: Sequence[AuditRow]) -> None: ...
    def forget_audits(self, keys: Collection[str]) -> None: ...


Cause = Literal[
    "refused",
    "dns",
    "connect",
    "tls",
    "timeout",
    "status",
    "redirect",
    "too-large",
    "decoding",
    "unusable",
    "unauthorized",
    "internal",
]
"""`refused`: the guard; `unusable`: a stub, a login page or nothing at all; `internal`: Cairn failed on this page."""


class Conditions(NamedTuple):
    """What an earlier fetch left, to ask whether anything changed since."""

    etag: str | None = None
    modified: str | None = None


class FetchFailed(NamedTuple):
    url: str
    cause: Cause
    reason: str
    """One sentence."""
    retryable: bool = False
    status: int | None = None


Outcome = FetchedPage | FetchFailed


class Fetcher(Protocol):
    """One fetch a distinct URL in a run, polite to each host, results in the order in which they come."""

    def fetch(self, url: str, conditions: Conditions | None = None, *, again: bool = False) -> Outcome:
        """With `again`, ask once more although this run has an answer: a second look at what seems to have changed."""
        ...

    def fetch_all(self, wanted: Iterable[tuple[str, Conditions]], *, again: bool = False) -> Iterator[Outcome]: ...

    def probe(self, url: str) -> Outcome:
        """Whether it is there: HEAD, and a GET of one byte where that says too little."""
        ...

    def probe_all(self, urls: Iterable[str]) -> Iterator[Outcome]: ...
