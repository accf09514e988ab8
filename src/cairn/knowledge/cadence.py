"""Is it time to look again? By how fast the world behind an entry moves."""

from datetime import date, timedelta
from enum import StrEnum

from cairn.core.model.knowledge import Entry, Volatility
from cairn.knowledge.values import parse_date

_WINDOWS = {Volatility.FAST_MOVING: 14, Volatility.EVOLVING: 60, Volatility.STABLE: 180}


class Review(StrEnum):
    """Where an entry stands between two looks."""

    NEVER = "never"
    """Nobody has looked yet."""
    UNREADABLE = "unreadable"
    """There is a date, but it is none; that counts as longer ago than any."""
    OVERDUE = "overdue"
    """Longer ago than its window."""
    CURRENT = "current"
    """Within its window."""


def window_days(volatility: Volatility) -> int:
    """For so many days a look holds; on the day after the entry is due."""
    return _WINDOWS[volatility]


def review(entry: Entry, today: date) -> Review:
    if not entry.last_reviewed:
        return Review.NEVER
    age = age_days(entry, today)
    if age is None:
        return Review.UNREADABLE
    return Review.OVERDUE if age > window_days(entry.volatility) else Review.CURRENT


def is_due(entry: Entry, today: date) -> bool:
    return review(entry, today) is not Review.CURRENT


def age_days(entry: Entry, today: date) -> int | None:
    """Whole days since the last look; None when there was none, or nobody can read when."""
    looked = parse_date(entry.last_reviewed)
    return None if looked is None else (today - looked).days


def next_due(entry: Entry) -> date | None:
    """The first day on which it is due; None when it is due already, whatever the day."""
    looked = parse_date(entry.last_reviewed)
    if looked is None:
        return None
    try:
        return looked + timedelta(days=window_days(entry.volatility) + 1)
    except OverflowError:
        return date.max
