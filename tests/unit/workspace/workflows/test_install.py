"""Schedules that GitHub takes, and those that it does not."""

import pytest

from cairn.errors import UsageError
from cairn.workspace.workflows.install import checked_schedule


@pytest.mark.parametrize(
    "schedule", ["0 9 * * *", "*/15 0-6 1,15 JAN-MAR mon", "59 23 31 12 6", "  5   4 * *  SUN ", "0 0 1-31/2 * *"]
)
def test_a_schedule(schedule: str) -> None:
    assert checked_schedule(schedule) == " ".join(schedule.split())


@pytest.mark.parametrize(
    ("schedule", "says"),
    [
        ("", "five fields"),
        ("0 9 * *", "five fields"),
        ("0 9 * * * *", "five fields"),
        ("60 9 * * *", "no minute"),
        ("0 24 * * *", "no hour"),
        ("0 9 0 * *", "no day of the month"),
        ("0 9 * 13 *", "no month"),
        ("0 9 * * 7", "no day of the week"),
        ("0 9 * * FUN", "no day of the week"),
        ("*/0 9 * * *", "no minute"),
        ("5-1 9 * * *", "no minute"),
        ("1,,2 9 * * *", "no minute"),
        ('"; 9 * * *', "no minute"),
        ("@daily", "five fields"),
    ],
)
def test_what_is_none(schedule: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        checked_schedule(schedule)
