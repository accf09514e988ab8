"""Counts become issues, issues become alerts; and how turns went, day by day."""

from typing import Any

import pytest

from cairn.capture.list_turns import p95, total, trend
from cairn.capture.note import ACTIONS, PREFIX, records
from cairn.capture.watchdog import CaptureIssue, Counts, compare, count, issues_of, verdict_of
from cairn.core.ports.turns import AlertRow, TurnRow
from cairn.lib.text.sparkline import sparkline

DAY = 86_400_000
NOW = 20_000 * DAY + 1_000
MINUTES = 60_000


def row(turn_id: str = "t", **given: Any) -> TurnRow:
    return TurnRow(turn_id, **{"source": "claude", "eligible_at_ms": NOW - 60 * MINUTES, **given})


def test_turns_within_the_grace_period_count_when_they_are_over() -> None:
    rows = [
        row(outcome="completed"),
        row(outcome="skipped"),
        row(outcome="failed"),
        row(),
        row(eligible_at_ms=NOW - 9 * MINUTES),
        row(eligible_at_ms=NOW - 9 * MINUTES, outcome="completed"),
        TurnRow("asked for after the fact", outcome="completed", ended_at_ms=NOW),
    ]
    assert count(rows, now_ms=NOW, grace_ms=10 * MINUTES) == Counts(6, 3, 1, 1, 1)


VERDICTS: list[tuple[Counts, list[tuple[str, str]]]] = [
    (Counts(), []),
    (Counts(100, 90, 10), []),
    (Counts(100, 99, 0, 0, 1), [("unaccounted", "warn")]),
    (Counts(10, 9, 0, 0, 1), [("unaccounted", "warn")]),
    (Counts(100, 95, 0, 0, 5), [("unaccounted", "warn")]),
    (Counts(100, 94, 0, 0, 6), [("unaccounted", "critical")]),
    (Counts(19, 10, 0, 9, 0), []),
    (Counts(20, 19, 0, 1, 0), []),
    (Counts(20, 18, 0, 2, 0), [("failed", "critical")]),
    (Counts(20, 10, 0, 5, 5), [("unaccounted", "critical"), ("failed", "critical")]),
]


@pytest.mark.parametrize(("counts", "expected"), VERDICTS)
def test_the_thresholds(counts: Counts, expected: list[tuple[str, str]]) -> None:
    assert [(issue.kind, issue.severity) for issue in issues_of("claude", counts)] == expected


@pytest.mark.parametrize(
    ("eligible", "words"), [(1, "the only turn of claude ended "), (12, "1 of 12 turns of claude ended ")]
)
def test_issue_counts_turns_in_words_that_fit(eligible: int, words: str) -> None:
    rows = [row(f"t{n}", outcome="completed") for n in range(eligible - 1)]
    [issue] = issues_of("claude", count([*rows, row()], now_ms=NOW, grace_ms=10 * MINUTES))
    assert issue.text.startswith(words)


def test_the_worst_issue_is_the_verdict() -> None:
    warn, bad = CaptureIssue("a", "s", "warn", ""), CaptureIssue("b", "s", "critical", "")
    assert (verdict_of([]), verdict_of([warn]), verdict_of([warn, bad])) == ("fine", "warn", "critical")


ISSUE = CaptureIssue("unaccounted", "claude", "warn", "1 of 2", 1)


def alert(**given: Any) -> AlertRow:
    made = AlertRow("unaccounted:claude", "unaccounted", "claude", "warn", "x", 1, "k", NOW - 60 * MINUTES, None)
    return made._replace(**given)


NEWS: list[tuple[list[CaptureIssue], list[AlertRow], list[str], list[str]]] = [
    ([ISSUE], [], ["unaccounted:claude"], []),
    ([ISSUE], [alert()], [], []),
    ([ISSUE], [alert(raised_at_ms=NOW - DAY)], ["unaccounted:claude"], []),
    ([ISSUE._replace(severity="critical")], [alert()], ["unaccounted:claude"], []),
    ([ISSUE._replace(source="codex")], [alert()], ["unaccounted:codex"], ["unaccounted:claude"]),
    ([ISSUE], [alert(resolved_at_ms=NOW - 1)], [], []),
    ([], [alert()], [], ["unaccounted:claude"]),
    ([], [alert(resolved_at_ms=NOW - 1)], [], []),
]


@pytest.mark.parametrize(("issues", "alerts", "raised", "resolved"), NEWS)
def test_what_is_news(
    issues: list[CaptureIssue], alerts: list[AlertRow], raised: list[str], resolved: list[str]
) -> None:
    changes = compare(issues, alerts, now_ms=NOW)
    assert [issue.key for issue in changes.raised] == raised
    assert [over.key for over in changes.resolved] == resolved


# --- trend ----------------------------------------------------------------------------------------------------------


def test_days_without_turns_are_days() -> None:
    rows = [
        row(eligible_at_ms=NOW - 2 * DAY, outcome="completed", ended_at_ms=NOW - 2 * DAY + 500),
        row(eligible_at_ms=NOW - 30 * MINUTES),
    ]
    found = trend(rows, by="day", days=3, now_ms=NOW, grace_ms=0)
    assert [(r.counts.eligible, r.counts.unaccounted, r.lag_p95_ms) for r in found] == [
        (1, 0, 500),
        (1, 1, None),
        (0, 0, None),
    ]
    assert found[0].key < found[1].key < found[2].key
    assert total(rows, days=3, now_ms=NOW, grace_ms=0).days == (1, 1, 0)


def test_groups_come_by_their_number() -> None:
    rows = [row(stage="plan", outcome="skipped"), row(outcome="failed"), row(stage="plan", outcome="completed")]
    found = trend(rows, by="stage", days=1, now_ms=NOW, grace_ms=0)
    assert [(r.key, tuple(r.counts)) for r in found] == [("plan", (2, 1, 1, 0, 0, 0)), ("(none)", (1, 0, 0, 1, 0, 0))]


P95 = [([], None), ([7], 7), ([1, 2], 2), (list(range(1, 101)), 95), (list(range(1, 21)), 19)]


@pytest.mark.parametrize(("values", "expected"), P95)
def test_the_smallest_that_95_of_100_keep_to(values: list[int], expected: int | None) -> None:
    assert p95(values) == expected


def test_a_line_of_blocks() -> None:
    assert sparkline([0, 1, 4, 8]) == "·▁▄█"
    assert sparkline([]) == ""
    assert sparkline([0, 0]) == "··"


# --- telemetry ------------------------------------------------------------------------------------------------------

SAID: dict[str, Any] = {"turn_id": "t", "source": "s", "summary": "private words", "evidence": ["file:secret"]}


def test_every_action_has_the_turns_id_and_nothing_that_somebody_wrote() -> None:
    kinds = ("turn_eligible", "turn_completed", "turn_skipped", "turn_failed", "turn_retrying")
    found = [record for kind in kinds for record in records([(kind, {**SAID, "error": "boom", "duration_ms": 3})])]
    assert {record.action for record in found} == {PREFIX + action for action in (*ACTIONS, "retrying")}
    assert all(record.metadata["turn_id"] == "t" for record in found)
    assert all(name == name.lower() for record in found for name in record.metadata)
    assert "private" not in repr(found)
    assert "secret" not in repr(found)


def test_a_write_is_told_in_order() -> None:
    found = records([("turn_eligible", SAID), ("turn_failed", {**SAID, "error": "boom", "duration_ms": 3})])
    assert [r.action.removeprefix(PREFIX) for r in found] == ["eligible", "dispatched", "started", "failed"]
    assert [r.level for r in found] == ["info", "debug", "info", "error"]
    assert (found[-1].error, found[-1].duration_ms, found[-1].success) == ("boom", 3, False)
    assert found[2].metadata["has_skip_reason"] is False
