"""When to try again what failed: after a day, then two, four and so on, up to a month."""

from cairn.core.ports.sources import AttemptRow

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
