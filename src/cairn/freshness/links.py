"""Are the pages that sources name still there? Each URL is asked for once, whoever cites it."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from cairn.changes.gate import LinkResult
from cairn.core.ports.fetch import Fetcher, FetchFailed, Outcome
from cairn.core.ports.runtime import Clock, Progress, Silent
from cairn.core.ports.sources import SourceRow, SourceStore, UrlCheckRow
from cairn.freshness.offline import Reached
from cairn.lib.urls.join import without_fragment
from cairn.lib.urls.url import host_of

_SAME_FAILURE_MS = 60 * 60 * 1000
"""Two checks within the hour see one and the same outage."""
FRESH_MS = 24 * 60 * 60 * 1000
"""So long a result is good enough for a gate, which does not fetch itself."""


class Checked(NamedTuple):
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
) -> Checked:
    distinct = dict.fromkeys(without_fragment(url) for url in urls)
    wanted = [url for url in distinct if not is_skipped(url, skip)]
    before = {row.url: row for row in store.links()}
    rows = []
    telling, reached = progress or Silent(), Reached()
    for number, outcome in enumerate(fetcher.probe_all(wanted), 1):
        reached.note(outcome)
        rows.append(_row(outcome, before.get(outcome.url), clock.now_ms()))
        telling.step("checking links", number, len(wanted))
    skipped = tuple(url for url in distinct if is_skipped(url, skip))
    if reached.nobody:
        return Checked((), skipped, offline=True)
    store.keep_links(rows)
    return Checked(tuple(sorted(rows)), skipped)


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
