"""What is not asked: what somebody declined, and confirmations before their time."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.change import ChangeRequest, ChangeSet, RequestState
from cairn.freshness.open_requests import declined, too_soon
from cairn.freshness.proposal import proposal
from cairn.freshness.verdict_json import verdict_of
from verdicts import checked, entry_of, finding, verdict

A, B = "https://example.org/a", "https://example.org/b"
DAY_MS = 86_400_000
NOW = 1_772_323_200_000  # 2026-03-01, at midnight
HOURS = 3_600_000


def change(name: str, *urls: str, text: str = "1", says: str = "60 calls", outcome: str = "minor-drift") -> ChangeSet:
    """About an entry that cites these, and drifts because of each of them. `text` is which text they have."""
    entry = replace(entry_of(), name=name, path=f"knowledge/{name}.md")
    findings = [] if outcome == "current" else [finding(says, url) for url in urls]
    looked = [checked(url) for url in urls]
    said = verdict_of(verdict(entry_name=name, verdict=outcome, findings=findings, sources_checked=looked))
    return proposal(entry, said, b"", base="b", trusted=dict.fromkeys(urls, f"sha256:{text * 64}"))


def request(of: ChangeSet, state: RequestState, *, id: str = "c-1", at_ms: int = 0) -> ChangeRequest:
    given: dict[str, Any] = {"body": "", "branch": "b", "base_branch": "main", "base": "b", "head": "h"}
    return ChangeRequest(
        id=id,
        state=state,
        origin=of.origin,
        subject=of.subject,
        title=of.title,
        **given,
        paths=tuple(edit.path for edit in of.edits),
        labels=(),
        rulings=(),
        evidence=of.evidence,
        taint=of.taint,
        landing="manual",
        kind=of.kind,
        opened_at_ms=at_ms,
        updated_at_ms=at_ms,
    )


# --- declined ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "before", "now", "expected"),
    [
        (RequestState.CLOSED, change("x", A), change("x", A), True),
        (RequestState.REVERTED, change("x", A), change("x", A), True),
        (RequestState.MERGED, change("x", A), change("x", A), False),
        (RequestState.CLOSED, change("x", A), change("x", B), False),
        (RequestState.CLOSED, change("x", A), change("y", A), False),
        (RequestState.CLOSED, change("x", A, outcome="current"), change("x", A, outcome="current"), False),
        # the page changed again, but not in what it says about this
        (RequestState.CLOSED, change("x", A), change("x", A, text="2"), True),
        (RequestState.CLOSED, change("x", A, says="60  calls"), change("x", A, text="2", says="60 calls"), True),
        (RequestState.CLOSED, change("x", A), change("x", A, text="2", says="50 calls"), False),
        (RequestState.CLOSED, change("x", A), change("x", A, B, text="2"), False),
        (RequestState.MERGED, change("x", A), change("x", A, text="2"), False),
        (RequestState.CLOSED, change("x", A), change("y", A, text="2"), False),
    ],
)
def test_what_was_declined_is_known(state: RequestState, before: ChangeSet, now: ChangeSet, expected: bool) -> None:
    reason = declined(now, [request(before, state)])
    assert (reason is not None) is expected and (not expected or "c-1" in str(reason))


def test_two_requests_may_have_declined_it_together() -> None:
    closed = [request(change("x", A), RequestState.CLOSED), request(change("x", B), RequestState.CLOSED, id="c-2")]
    assert declined(change("x", A, B, text="2"), closed) is not None


def test_evidence_of_somebody_else_is_no_obstacle() -> None:
    odd = replace(request(change("x", A), RequestState.CLOSED), evidence={"hashes": [1], "verdict": "yes"})
    assert declined(change("x", A), [odd]) is None


# --- confirmations ----------------------------------------------------------------------------------------------------


def confirmations(count: int, *, last_at: int = NOW, state: RequestState = RequestState.MERGED) -> list[ChangeRequest]:
    before = [request(change(f"e{n}", A, outcome="current"), state, id=f"c-{n}") for n in range(count)]
    return [replace(one, opened_at_ms=last_at - n * DAY_MS) for n, one in enumerate(before)]


@pytest.mark.parametrize(
    ("before", "days", "waits"),
    [
        (0, 0, False),
        (1, 0, True),
        (1, 1, False),
        (2, 1, True),
        (2, 2, False),
        (4, 7, True),
        (4, 8, False),
        (9, 27, True),
        (9, 28, False),
        (2000, 28, False),
    ],
)
def test_the_pause_doubles_up_to_four_weeks(before: int, days: int, waits: bool) -> None:
    now = max(NOW, NOW + days * DAY_MS - 2 * HOURS)  # tonight's run may start a little earlier
    reason = too_soon(confirmations(before), most_days=28, now_ms=now)
    assert (reason is not None) is waits


def test_why_and_until_when_is_said() -> None:
    assert too_soon(confirmations(3), most_days=28, now_ms=NOW) == (
        "confirmations were asked for on 2026-03-01 and pause for 4 days; the next go out on 2026-03-05"
    )


def test_one_that_is_open_is_answered_first() -> None:
    reason = too_soon(confirmations(1, state=RequestState.OPEN), most_days=28, now_ms=NOW + 90 * DAY_MS)
    assert reason is not None and "c-0" in reason and "still open" in reason


def test_one_that_was_closed_is_not_brought_back_the_next_night() -> None:
    assert too_soon(confirmations(3, state=RequestState.CLOSED), most_days=28, now_ms=NOW + DAY_MS) is not None


def test_a_clock_that_was_put_back_holds_nothing_for_years() -> None:
    assert too_soon(confirmations(2), most_days=28, now_ms=NOW - 1000 * DAY_MS) is None


@given(st.integers(0, 40), st.integers(1, 60))
def test_it_is_asked_at_the_latest_after_the_longest_pause(before: int, most: int) -> None:
    assert too_soon(confirmations(before), most_days=most, now_ms=NOW + most * DAY_MS) is None
