"""Is every turn accounted for? Counts become issues, issues become alerts, and an alert is not said twice a day."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.core.ports.turns import AlertRow, TurnRow

Severity = Literal["warn", "critical"]
Verdict = Literal["fine", "warn", "critical"]

WARN_RATIO: Final = 0.99
CRITICAL_RATIO: Final = 0.95
FAILED_RATIO: Final = 0.05
LEAST: Final = 20
"""Turns below which a share of failures says nothing."""
COOL_DOWN_MS: Final = 86_400_000
PAUSE_MS: Final = 4 * 3_600_000
"""Between two looks of the watchdog."""
DAY_MS: Final = 86_400_000
WINDOW_MS: Final = 7 * DAY_MS


class Counts(NamedTuple):
    """Of turns that were eligible; those within the grace period don't count yet unless they have an outcome."""

    eligible: int = 0
    completed: int = 0
    skipped: int = 0
    failed: int = 0
    unaccounted: int = 0
    interrupted: int = 0

    @property
    def ratio(self) -> float | None:
        """Share of turns with an outcome; None without turns."""
        return None if not self.eligible else 1 - self.unaccounted / self.eligible

    @property
    def failed_ratio(self) -> float:
        return self.failed / self.eligible if self.eligible else 0.0


class Issue(NamedTuple):
    kind: str
    source: str
    severity: Severity
    text: str
    number: int = 0
    """Of turns."""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.source}"

    def payload(self) -> dict[str, Any]:
        facts = {"key": self.key, "kind": self.kind, "source": self.source, "severity": self.severity}
        return {**facts, "text": self.text, "count": self.number}


def is_unaccounted(row: TurnRow, *, now_ms: int, grace_ms: int) -> bool:
    """Without an outcome although there was time for one. A turn may take hours; what counts is when it was last told
    of, and one of which only the prompt is known gets a day."""
    if row.outcome or row.eligible_at_ms is None:
        return False
    return now_ms - (row.told_at_ms or row.eligible_at_ms) >= (max(grace_ms, DAY_MS) if row.under_way else grace_ms)


def count(rows: Iterable[TurnRow], *, now_ms: int, grace_ms: int) -> Counts:
    number = dict.fromkeys(Counts._fields, 0)
    for row in rows:
        outcome = row.outcome or ("unaccounted" if is_unaccounted(row, now_ms=now_ms, grace_ms=grace_ms) else "")
        if outcome:
            number["eligible"] += 1
            number[outcome] += 1
    return Counts(**number)


def by_source(rows: Iterable[TurnRow]) -> dict[str, list[TurnRow]]:
    found: dict[str, list[TurnRow]] = {}
    for row in rows:
        found.setdefault(row.source or "unknown", []).append(row)
    return found


def _turns(some: int, all: int) -> str:
    """`the only turn`, or `1 of 12 turns`."""
    return "the only turn" if some == all == 1 else f"{some:,} of {all:,} turn{'' if all == 1 else 's'}"


def issues_of(source: str, counts: Counts) -> list[Issue]:
    found: list[Issue] = []
    ratio = counts.ratio
    if ratio is not None and (counts.unaccounted or ratio < WARN_RATIO):
        text = f"{_turns(counts.unaccounted, counts.eligible)} of {source} ended without a note or a reason"
        severity: Severity = "critical" if ratio < CRITICAL_RATIO and counts.eligible >= LEAST else "warn"
        found.append(Issue("unaccounted", source, severity, text, counts.unaccounted))
    if counts.eligible >= LEAST and counts.failed_ratio > FAILED_RATIO:
        text = f"{_turns(counts.failed, counts.eligible)} of {source} could not be written"
        found.append(Issue("failed", source, "critical", text, counts.failed))
    return found


def unreadable(reason: str) -> Issue:
    """What cannot be verified is not fine."""
    return Issue("unreadable", "ledger", "critical", f"nobody can tell whether turns are accounted for: {reason}")


def verdict_of(issues: Sequence[Issue]) -> Verdict:
    if not issues:
        return "fine"
    return "critical" if any(issue.severity == "critical" for issue in issues) else "warn"


# --- alerts ---------------------------------------------------------------------------------------------------------


class Changes(NamedTuple):
    raised: tuple[Issue, ...]
    resolved: tuple[AlertRow, ...]

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        said = [("alert_raised", i.payload()) for i in self.raised]
        over = [("alert_resolved", {"key": a.key, "kind": a.kind, "source": a.source}) for a in self.resolved]
        return [*said, *over]


def compare(issues: Sequence[Issue], alerts: Sequence[AlertRow], *, now_ms: int) -> Changes:
    """An issue is an alert when it is new, worse than before, or when a day has gone by; an alert without its issue is
    over."""
    known = {alert.key: alert for alert in alerts}
    raised = tuple(issue for issue in issues if _is_news(issue, known.get(issue.key), now_ms))
    still = {issue.key for issue in issues}
    return Changes(raised, tuple(alert for alert in alerts if alert.open and alert.key not in still))


def _is_news(issue: Issue, alert: AlertRow | None, now_ms: int) -> bool:
    if alert is None or alert.raised_at_ms < 0:
        return True
    if issue.severity == "critical" and alert.severity == "warn" and alert.open:
        return True
    return now_ms - alert.raised_at_ms >= COOL_DOWN_MS
