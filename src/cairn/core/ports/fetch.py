"""Fetching pages of the web, guarded. Nothing else in Cairn opens a connection to an address that a file names."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Protocol

from cairn.lib.html.charset import FetchedPage

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
