"""Sources that can't be relied on: no network, pages that differ at every look, and when to try again."""

import re

from cairn.core.ports.sources import AttemptRow, FetchFailed, Outcome
from cairn.lib.urls.url import host_of

OFFLINE = "offline"
"""Cause of a source that was not read because no host answered."""
REASON = "No host answered, so this machine seems to have no network."
_SILENT = frozenset({"dns", "connect", "timeout"})
_LEAST_HOSTS = 2
"""One host that does not answer to one page says more about the host."""
_LEAST_PAGES = 3
"""Of one host. Nobody can tell a host that is down from a missing network when there is no other to ask."""


class AskedHosts:
    """Counts the hosts that were asked in one run, and whether any of them answered."""

    def __init__(self) -> None:
        self._hosts: set[str] = set()
        self._pages: set[str] = set()
        self._answered = False

    def note(self, outcome: Outcome) -> None:
        """An address that the guard refuses says nothing: nobody was asked."""
        if is_silent(outcome):
            self._hosts.add(host_of(outcome.url))
            self._pages.add(outcome.url)
        elif not isinstance(outcome, FetchFailed) or outcome.cause != "refused":
            self._answered = True

    @property
    def nobody(self) -> bool:
        """Whether no host answered, and enough was asked for to say so."""
        return not self._answered and (len(self._hosts) >= _LEAST_HOSTS or len(self._pages) >= _LEAST_PAGES)


def is_silent(outcome: Outcome) -> bool:
    return isinstance(outcome, FetchFailed) and outcome.cause in _SILENT


_HEADING = re.compile(r"(?m)^(?=#{1,6} )")


def really_changed(settled: str, first: str, second: str) -> bool:
    """Whether two looks agree on something that the settled text does not have, or lacks what both of them lack."""
    if _HEADING.search(second):
        old, one, two = _sections(settled), _sections(first), _sections(second)
    else:
        old, one, two = (frozenset(text.splitlines()) for text in (settled, first, second))
    came = (one & two) - old
    went = old - one - two
    return bool(came) or _is_missing(went, one, two)


def _sections(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in _HEADING.split(text) if part.strip())


def _is_missing(went: frozenset[str], one: frozenset[str], two: frozenset[str]) -> bool:
    """A section that differs each time is still there under its heading."""
    heads = {_head(part) for part in one} | {_head(part) for part in two}
    return any(_head(part) not in heads for part in went if part.startswith("#"))


def _head(section: str) -> str:
    return section.partition("\n")[0]


DAY_MS = 24 * 60 * 60 * 1000
LONGEST_DAYS = 32
_EARLY_MS = 4 * 60 * 60 * 1000
"""Runs do not start to the minute; a day later means at tomorrow's run."""


def next_try(failures: int, now_ms: int) -> int:
    """After so many failures in a row."""
    days = min(1 << max(failures - 1, 0), LONGEST_DAYS) if failures < 10 else LONGEST_DAYS
    return now_ms + days * DAY_MS - _EARLY_MS


def failed_again(before: AttemptRow | None, path: str, *, cause: str, reason: str, now_ms: int) -> AttemptRow:
    failures = (before.failures if before else 0) + 1
    return AttemptRow(path, failures, cause, reason, now_ms, next_try(failures, now_ms))


def waits(row: AttemptRow | None, now_ms: int) -> bool:
    return row is not None and row.next_try_ms > now_ms
