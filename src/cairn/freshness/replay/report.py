"""What a replayed year looks like: a bar a week, a row a quarter, and how good the requests were."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cairn.freshness.replay.year import Week, Year

_BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(numbers: Sequence[int]) -> str:
    """The highest bar is the highest number, and nothing is the lowest bar."""
    most = max([*numbers, 1])
    return "".join(_BARS[-(-number * (len(_BARS) - 1) // most)] for number in numbers)


def lines(year: Year) -> Iterator[str]:
    counts = [week.requests for week in year.weeks]
    yield f"requests a week  {sparkline(counts)}  (the highest bar is {max(counts)})"
    yield ""
    yield "weeks   about drift  false alarms  confirmations  all  for 1,000 entries a week"
    for (first, last), quarter in zip(_spans(len(year.weeks)), year.quarters(), strict=True):
        yield _row(f"{first}–{last}", quarter, year.rate(quarter, last - first + 1))
    yield ""
    yield from _quality(year)


def _spans(weeks: int) -> list[tuple[int, int]]:
    size = max(1, weeks // 4)
    return [(at * size + 1, (at + 1) * size if at < 3 else weeks) for at in range(4)]


def _row(name: str, week: Week, rate: float) -> str:
    numbers = (f"{week.right:>11}", f"{week.wrong:>12}", f"{week.confirmations:>13}", f"{week.requests:>3}")
    return f"{name:<6}  {'  '.join(numbers)}  {rate:>24.1f}"


def _quality(year: Year) -> Iterator[str]:
    answers = year.answers
    ended = max(1, answers.total())
    shares = ", ".join(f"{answers[key] / ended:.0%} {words}" for key, words in _ENDS)
    yield f"how requests ended: {shares}"
    alarms = sum(week.wrong for week in year.weeks)
    per = alarms * 1000 / max(1, year.noise)
    yield f"{year.noise:,} changes around what entries say: {_many(alarms, 'false alarm')} ({per:.1f} per 1,000)"
    yield f"{year.touching:,} changes of what an entry says: people were asked about {year.found:,}"
    yield f"{_many(year.to_read, 'entry', 'entries')} waited for a reader at some time, and nobody read"
    wrong = _many(year.before, "entry", "entries")
    yield f"{wrong} wrong before Cairn came: people were asked about {year.before_found:,}"


_ENDS: Final = (
    ("unchanged", "merged as they were"),
    ("mended", "merged and the sentence mended"),
    ("closed", "closed"),
)


def _many(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def year_json(year: Year) -> dict[str, Any]:
    played = year.played
    ended = max(1, year.answers.total())
    alarms = sum(week.wrong for week in year.weeks)
    return {
        "entries": played.entries,
        "seed": played.seed,
        "daysBetweenRuns": played.every,
        "weeks": [_week_json(week) for week in year.weeks],
        "quarters": [_week_json(week) for week in year.quarters()],
        "perThousandAndWeek": round(year.rate(_all(year), len(year.weeks)), 2),
        "mergedUnchanged": round(year.answers["unchanged"] / ended, 4),
        "answers": {key: year.answers[key] for key, _ in _ENDS},
        "noise": year.noise,
        "falseAlarmsPerThousand": round(alarms * 1000 / max(1, year.noise), 2),
        "toRead": year.to_read,
        "touching": {"changes": year.touching, "found": year.found},
        "wrongFromTheStart": {"entries": year.before, "found": year.before_found},
    }


def _all(year: Year) -> Week:
    return Week(*(sum(getattr(week, name) for week in year.weeks) for name in ("confirmations", "right", "wrong")))


def _week_json(week: Week) -> dict[str, int]:
    return {
        "drift": week.right,
        "falseAlarms": week.wrong,
        "confirmations": week.confirmations,
        "requests": week.requests,
    }
