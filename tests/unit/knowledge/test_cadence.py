from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.knowledge import Entry, Volatility
from cairn.knowledge.cadence import Review, age_days, is_due, next_due, review, window_days

TODAY = date(2026, 3, 1)


def entry(reviewed: str | None, volatility: Volatility = Volatility.EVOLVING) -> Entry:
    return Entry("a.md", "entry", "a", "A", "", volatility=volatility, last_reviewed=reviewed)


def ago(days: int) -> str:
    return (TODAY - timedelta(days=days)).isoformat()


@pytest.mark.parametrize(
    ("volatility", "window"), [(Volatility.FAST_MOVING, 14), (Volatility.EVOLVING, 60), (Volatility.STABLE, 180)]
)
def test_an_entry_is_due_on_the_day_after_its_window(volatility: Volatility, window: int) -> None:
    assert window_days(volatility) == window
    last, first = entry(ago(window), volatility), entry(ago(window + 1), volatility)
    assert (is_due(last, TODAY), next_due(last)) == (False, TODAY + timedelta(days=1))
    assert (is_due(first, TODAY), next_due(first)) == (True, TODAY)


# last-reviewed, state, age, days until it is due
STATES = [
    (None, Review.NEVER, None, None),
    ("", Review.NEVER, None, None),
    ("soon", Review.UNREADABLE, None, None),
    ("2026-02-30", Review.UNREADABLE, None, None),
    ("20260101", Review.UNREADABLE, None, None),
    (ago(0), Review.CURRENT, 0, 61),
    (ago(-10), Review.CURRENT, -10, 71),
    (ago(400), Review.OVERDUE, 400, -339),
]


@pytest.mark.parametrize(("reviewed", "state", "age", "left"), STATES)
def test_where_an_entry_stands(reviewed: str | None, state: Review, age: int | None, left: int | None) -> None:
    looked = entry(reviewed)
    assert review(looked, TODAY) is state
    assert is_due(looked, TODAY) == (state is not Review.CURRENT)
    due = None if left is None else TODAY + timedelta(days=left)
    assert (age_days(looked, TODAY), next_due(looked)) == (age, due)


def test_the_end_of_the_calendar_is_no_end_of_the_program() -> None:
    assert next_due(entry("9999-12-31")) == date.max


@given(st.dates(), st.dates(max_value=date(9990, 1, 1)), st.sampled_from(Volatility))
def test_whether_and_when_it_is_due_tell_the_same(today: date, looked: date, volatility: Volatility) -> None:
    one = entry(looked.isoformat(), volatility)
    due = next_due(one)
    assert due is not None
    assert is_due(one, today) == (due <= today)
