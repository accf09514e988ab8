"""How turns ended, day by day or by whose they were, and how long that took."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from cairn.capture.watchdog import Counts, count
from cairn.core.ports.turns import TurnRow

By = Literal["day", "source", "agent", "stage", "host"]
BY: Final[tuple[By, ...]] = ("day", "source", "agent", "stage", "host")
DAY_MS: Final = 86_400_000
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
NONE: Final = "(none)"


class TrendRow(NamedTuple):
    key: str
    counts: Counts
    lag_p95_ms: int | None
    """From the end of the turn to its outcome, for 95 of 100 turns at most that."""
    days: tuple[int, ...]
    """Eligible turns of each day of the window, the last one today."""

    def json(self) -> dict[str, Any]:
        ratio = self.counts.ratio
        numbers = {**self.counts._asdict(), "ratio": None if ratio is None else round(ratio, 4)}
        return {"key": self.key, **numbers, "lagP95Ms": self.lag_p95_ms, "days": list(self.days)}


def trend(rows: Sequence[TurnRow], *, by: By, days: int, now_ms: int, grace_ms: int) -> list[TrendRow]:
    """Days in their order, with those on which nothing was; others by how many turns they had."""
    grouped: dict[str, list[TurnRow]] = {day: [] for day in _days(now_ms, days)} if by == "day" else {}
    key: Callable[[TurnRow], str] = _day_of if by == "day" else lambda row: getattr(row, by) or NONE
    for row in rows:
        grouped.setdefault(key(row), []).append(row)
    found = [_row(name, group, days, now_ms, grace_ms) for name, group in grouped.items()]
    return sorted(found, key=lambda r: r.key if by == "day" else (-r.counts.eligible, r.key))


def total(rows: Sequence[TurnRow], *, days: int, now_ms: int, grace_ms: int) -> TrendRow:
    return _row("all", rows, days, now_ms, grace_ms)


def _row(key: str, rows: Sequence[TurnRow], days: int, now_ms: int, grace_ms: int) -> TrendRow:
    per_day = dict.fromkeys(_days(now_ms, days), 0)
    for row in rows:
        if (day := _day_of(row)) in per_day:
            per_day[day] += 1
    counts = count(rows, now_ms=now_ms, grace_ms=grace_ms)
    return TrendRow(key, counts, p95(_lags(rows)), tuple(per_day.values()))


def _days(now_ms: int, days: int) -> list[str]:
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    return [(today - timedelta(days=back)).isoformat() for back in range(days - 1, -1, -1)]


def _day_of(row: TurnRow) -> str:
    at = row.eligible_at_ms if row.eligible_at_ms is not None else row.ended_at_ms or 0
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _lags(rows: Iterable[TurnRow]) -> list[int]:
    times = ((row.told_at_ms or row.eligible_at_ms, row.ended_at_ms) for row in rows)
    return [max(0, end - begin) for begin, end in times if begin is not None and end is not None]


def p95(values: Sequence[int]) -> int | None:
    """The smallest value that 95 of 100 don't exceed."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 95 // 100) - 1]


def sparkline(values: Sequence[int]) -> str:
    """A day without a turn is a dot, so that it cannot be taken for a day with few."""
    most = max(values, default=0)
    return "".join(_BLOCKS[(value * (len(_BLOCKS) - 1)) // most] if value else "·" for value in values)
