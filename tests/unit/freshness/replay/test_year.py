"""A year replayed: the bot gets quieter, asks about what matters, and does the same again for the same seed."""

from collections import Counter

import pytest

from cairn.app.played_workspace import open_played
from cairn.freshness.replay.world import ChangeRates, PlayedWorld
from cairn.freshness.replay.year import ReplayedWeek, ReplayedYear, ReplayOptions, lines, replay, sparkline, year_json
from program import fits_schema

FORTY = ReplayOptions(40, every=7)


@pytest.fixture(scope="module", params=[1, 2, 3])
def year(request: pytest.FixtureRequest) -> ReplayedYear:
    return replay(FORTY._replace(seed=request.param), open_played)


def test_the_last_quarter_is_less_than_half_as_loud_as_the_first(year: ReplayedYear) -> None:
    first, *_, last = (quarter.requests for quarter in year.quarters())
    assert last < first / 2


def test_alarms_have_a_reason(year: ReplayedYear) -> None:
    alarms = sum(week.wrong for week in year.weeks)
    assert year.noise > 200 and alarms * 1000 / year.noise <= 10


def test_what_becomes_wrong_is_asked_about(year: ReplayedYear) -> None:
    """All but what happened after the last run."""
    assert year.touching - year.found <= 1


def test_confirmations_come_once_in_four_weeks_in_the_end(year: ReplayedYear) -> None:
    assert sum(week.confirmations for week in year.weeks[26:]) <= 7


def test_people_answered_in_every_way_or_nearly(year: ReplayedYear) -> None:
    assert year.answers["unchanged"] > 10 and year.answers["mended"] > 0


def test_the_same_seed_is_the_same_year() -> None:
    short = ReplayOptions(15, seed=7, weeks=6, every=7)
    one, again, other = (replay(one, open_played) for one in (short, short, short._replace(seed=8)))
    assert one == again and year_json(one) == year_json(again)
    assert (one.noise, one.before) != (other.noise, other.before)


def test_nothing_happens_in_a_world_that_stands_still() -> None:
    still = ReplayOptions(12, weeks=20, every=7, rates=ChangeRates(touching=0, noise=0, outage=0, unstable=0))
    year = replay(still, open_played)
    assert sum(week.right + week.wrong for week in year.weeks) == 0 and year.noise == year.touching == year.before == 0


def test_pages_that_never_look_the_same_raise_no_alarm() -> None:
    whims = ReplayOptions(12, weeks=20, every=7, rates=ChangeRates(touching=0, noise=0, outage=0, unstable=1))
    assert sum(week.right + week.wrong for week in replay(whims, open_played).weeks) == 0


def test_a_night_every_night_is_no_louder_in_the_end() -> None:
    """Looking more often finds things sooner; it does not ask more often."""
    nightly = replay(ReplayOptions(15, seed=3, weeks=12), open_played)
    assert sum(week.confirmations for week in nightly.weeks[6:]) <= 3


# --- how it is shown --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "bars"),
    [([], ""), ([0, 0], "▁▁"), ([0, 7], "▁█"), ([1, 7], "▂█"), ([100, 1, 0], "█▂▁"), ([3, 3], "██")],
)
def test_bars(numbers: list[int], bars: str) -> None:
    assert sparkline(numbers) == bars


def test_what_people_read() -> None:
    weeks = [ReplayedWeek(1, 2, 1), *[ReplayedWeek()] * 12, *[ReplayedWeek(right=1)] * 39]
    shown = ReplayedYear(ReplayOptions(500), weeks, Counter(unchanged=1, mended=2, closed=1), 2000, 43, 41, 9, 4, 12)
    fits_schema(year_json(shown), "demo-year")
    assert year_json(shown)["perThousandAndWeek"] == 1.65
    assert list(lines(shown)) == [
        "requests a week  █" + "▁" * 12 + "▃" * 39 + "  (the highest bar is 4)",
        "",
        "weeks   about drift  false alarms  confirmations  all  for 1,000 entries a week",
        "1–13              2             1              1    4                       0.6",
        "14–26            13             0              0   13                       2.0",
        "27–39            13             0              0   13                       2.0",
        "40–52            13             0              0   13                       2.0",
        "",
        "how requests ended: 25% merged as they were, 50% merged and the sentence mended, 25% closed",
        "2,000 changes around what entries say: 1 false alarm (0.5 per 1,000)",
        "43 changes of what an entry says: people were asked about 41",
        "12 entries waited for a reader at some time, and nobody read",
        "9 entries wrong before Cairn came: people were asked about 4",
    ]


# --- the world --------------------------------------------------------------------------------------------------------


def test_a_change_of_a_value_makes_those_wrong_who_repeat_it() -> None:
    world = PlayedWorld(30, seed=5, rates=ChangeRates(touching=7))
    touched = world.pass_day(0)
    assert touched and all(entry.wrong for entry in touched)
    assert {entry.path for entry in world.entries if entry.wrong} == {entry.path for entry in touched}


def test_noise_makes_nobody_wrong() -> None:
    world = PlayedWorld(30, seed=5, rates=ChangeRates(touching=0, noise=7))
    before = [page.html(0) for page in world.pages]
    assert [entry for day in range(40) for entry in world.pass_day(day)] == []
    assert not any(entry.wrong for entry in world.entries) and world.noise > 1000
    assert [page.html(0) for page in world.pages] != before
