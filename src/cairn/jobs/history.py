"""Statistics of the jobs that ended: tokens, durations, and how many failed why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from statistics import mean, median
from typing import Any, Literal

from cairn.core.ports.jobs import FAILURE_REASONS, Execution

Period = Literal["day", "week", "month"]


def history_stats(
    rows: Sequence[Execution], *, since_ms: int | None, until_ms: int, period: Period, top: int
) -> dict[str, Any]:
    """As JSON; `elapsedMs` is left to the caller."""
    return {
        "schemaVersion": 1,
        "range": {"since": None if since_ms is None else _iso(since_ms), "until": _iso(until_ms)},
        "totals": _totals(rows),
        "tokensPerAction": _per_action(rows),
        "executionsPerPeriod": _per_period(rows, period),
        "topNodes": _top_nodes(rows, top),
        "errorRates": _error_rates(rows),
    }


def _totals(rows: Sequence[Execution]) -> dict[str, int]:
    failed = sum(_failed(row) for row in rows)
    return {
        "executionsCount": len(rows),
        "completedCount": len(rows) - failed,
        "failedCount": failed,
        **_tokens(rows),
        "durationMsTotal": sum(row.duration_ms or 0 for row in rows),
    }


def _failed(row: Execution) -> bool:
    return row.status != "completed"


def _tokens(rows: Iterable[Execution]) -> dict[str, int]:
    rows = list(rows)
    return {
        "tokensIn": sum(row.tokens_in or 0 for row in rows),
        "tokensOut": sum(row.tokens_out or 0 for row in rows),
    }


def _per_action(rows: Sequence[Execution]) -> list[dict[str, Any]]:
    grouped: dict[tuple[str, str], list[Execution]] = defaultdict(list)
    for row in rows:
        grouped[row.extension_id, row.extension_version].append(row)
    found = [
        {
            "actionId": action,
            "actionVersion": version,
            "executionsCount": len(own),
            **_tokens(own),
            "durationMsMean": round(mean(row.duration_ms or 0 for row in own)),
            "durationMsMedian": round(median(row.duration_ms or 0 for row in own)),
        }
        for (action, version), own in sorted(grouped.items())
    ]
    return sorted(found, key=lambda one: -(one["tokensIn"] + one["tokensOut"]))


def _per_period(rows: Sequence[Execution], period: Period) -> list[dict[str, Any]]:
    grouped: dict[datetime, list[Execution]] = defaultdict(list)
    for row in rows:
        grouped[_period_start(row.finished_at_ms, period)].append(row)
    return [
        {"periodStart": _written(start), "periodUnit": period, "executionsCount": len(own), **_tokens(own)}
        for start, own in sorted(grouped.items())
    ]


def _period_start(at_ms: int, period: Period) -> datetime:
    """Midnight of the day, of its Monday, or of the first of its month."""
    day = datetime.fromtimestamp(at_ms // 1000, UTC).replace(hour=0, minute=0, second=0)
    if period == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period == "month" else day


def _top_nodes(rows: Sequence[Execution], top: int) -> list[dict[str, Any]]:
    counts = Counter(row.node_id for row in rows)
    last: dict[str, int] = {}
    for row in rows:
        last[row.node_id] = max(row.finished_at_ms, last.get(row.node_id, 0))
    ranked = sorted(counts, key=lambda node: (-counts[node], -last[node], node))
    return [{"nodePath": node, "executionsCount": counts[node], "lastExecutedAt": last[node]} for node in ranked[:top]]


def _error_rates(rows: Sequence[Execution]) -> dict[str, Any]:
    counts = Counter(row.extension_id for row in rows)
    failed = Counter(row.extension_id for row in rows if _failed(row))
    reasons = Counter(row.failure_reason for row in rows if row.failure_reason is not None)
    return {
        "global": failed.total() / len(rows) if rows else 0,
        "perAction": [
            {"actionId": id, "rate": failed[id] / counts[id], "executionsCount": counts[id], "failedCount": failed[id]}
            for id in sorted(counts)
        ],
        "perFailureReason": _all_reasons(reasons),
    }


def _all_reasons(reasons: Mapping[Any, int]) -> dict[str, int]:
    return {reason: reasons.get(reason, 0) for reason in FAILURE_REASONS}


def _iso(at_ms: int) -> str:
    return _written(datetime.fromtimestamp(at_ms / 1000, UTC))


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
