"""One year of nights over a played world: how often people are asked, and whether there was a reason."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.freshness.replay.people import PlayedPeople, ReplayPorts
from cairn.freshness.replay.world import ChangeRates, PlayedEntry, PlayedWeb, PlayedWorld

if TYPE_CHECKING:
    from cairn.core.model.change import ChangeRequest
    from cairn.freshness.run_plan import FreshnessRunSummary

WEEKS: Final = 52
_DAY_MS: Final = 86_400_000
_MORNING_MS: Final = 6 * 3_600_000
"""From a night's run until people come to work."""
_START_MS: Final = 1_767_225_600_000 + 3 * 3_600_000
"""2026-01-01, at three in the morning."""


class ReplayOptions(NamedTuple):
    """What is replayed; the same of these gives the same year."""

    entries: int
    seed: int = 1
    weeks: int = WEEKS
    every: int = 1
    """Days from one run to the next."""
    years_before: float = 2
    """How old the corpus was when Cairn came."""
    rates: ChangeRates = ChangeRates()


@dataclass(slots=True)
class ReplayedWeek:
    """Requests that reached people."""

    confirmations: int = 0
    right: int = 0
    """About drift that was one."""
    wrong: int = 0
    """False alarms."""

    @property
    def requests(self) -> int:
        return self.confirmations + self.right + self.wrong


@dataclass(slots=True)
class ReplayedYear:
    played: ReplayOptions
    weeks: list[ReplayedWeek] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    """How requests ended: `unchanged`, `mended`, `closed`."""
    noise: int = 0
    """Changes of sources that matter to no entry, counted for each entry that cites them."""
    touching: int = 0
    """Changes that made a right entry wrong, and how many of those people were asked about."""
    found: int = 0
    before: int = 0
    """Entries that were wrong when Cairn came, and how many of those it found."""
    before_found: int = 0
    to_read: int = 0
    """Entries that waited for a reader at any time; in a replay nobody reads."""

    def quarters(self) -> list[ReplayedWeek]:
        size = max(1, len(self.weeks) // 4)
        return [_sum(self.weeks[at * size : (at + 1) * size if at < 3 else None]) for at in range(4)]

    def rate(self, week: ReplayedWeek, weeks: float) -> float:
        """Requests for 1,000 entries in a week."""
        return week.requests * 1000 / self.played.entries / max(1.0, weeks)


def _sum(weeks: Sequence[ReplayedWeek]) -> ReplayedWeek:
    return ReplayedWeek(*(sum(getattr(week, name) for week in weeks) for name in ("confirmations", "right", "wrong")))


def replay(
    played: ReplayOptions, open_played: Callable[[Mapping[str, bytes], PlayedWeb, int], ReplayPorts]
) -> ReplayedYear:
    """Every day the world moves, at night Cairn looks, in the morning people answer. A workspace is opened with its
    files, the web that it sees, and the time at which it begins."""
    world = PlayedWorld(played.entries, seed=played.seed, rates=played.rates)
    start_ms = _START_MS - int(played.years_before * 365) * _DAY_MS
    run = _Run(ReplayedYear(played), world, open_played(world.files(), PlayedWeb(world), start_ms))
    run.adopt(int(played.years_before * 52))
    for day in range(played.weeks * 7):
        run.day(day)
    run.app.close()
    return run.year


class _Run:
    def __init__(self, year: ReplayedYear, world: PlayedWorld, app: ReplayPorts) -> None:
        self.year, self.app = year, app
        self._world, self._clock = world, app.time
        self._people = PlayedPeople(world, app, seed=year.played.seed + 1)
        self._unnoticed: Counter[str] = Counter()
        self._old: set[str] = set()
        self._waited: set[str] = set()

    def adopt(self, weeks_before: int) -> None:
        """Cairn comes to a corpus that nobody has looked after."""
        self._world.age(weeks_before)
        self._clock.set(_START_MS)
        self._commit()
        self._old = {entry.path for entry in self._world.entries if entry.wrong}
        self.year.before = len(self._old)

    def day(self, day: int) -> None:
        if day % 7 == 0:
            self.year.weeks.append(ReplayedWeek())
        self._clock.set(_START_MS + day * _DAY_MS)
        self.app.web.day = day
        self._note(self._world.pass_day(day))
        self._commit()
        if day % self.year.played.every == 0:
            self._night()
        self._clock.advance(_MORNING_MS)
        self.year.answers.update(one.answer for one in self._people.answer())
        self.year.noise = self._world.noise

    def _note(self, touched: Sequence[PlayedEntry]) -> None:
        """An entry that was wrong before Cairn came can't become wrong; it is counted as one of those."""
        paths = [entry.path for entry in touched if entry.path not in self._old]
        self.year.touching += len(paths)
        self._unnoticed.update(paths)

    def _commit(self) -> None:
        """Files of the repository change by commits of whoever works on them."""
        before = self.app.repository.files()
        now = {page.place: page.text().encode() for page in self._world.pages if not page.on_the_web}
        edits: dict[str, bytes | None] = {path: text for path, text in now.items() if before[path] != text}
        if edits:
            self.app.repository.commit(edits)
            self.app.tree.note()

    def _night(self) -> None:
        tonight = night(self.app)
        self._waited.update(one.path for one in tonight.to_read)
        self.year.to_read = len(self._waited)
        for one in tonight.opened:
            week = self.year.weeks[-1]
            if one.kind == "confirmations":
                week.confirmations += 1
            elif self._people.hear(request := self.app.repository.request(one.id or "")):
                week.right += 1
                self._count(request)
            else:
                week.wrong += 1

    def _count(self, request: "ChangeRequest") -> None:
        for path in request.paths:
            if self._world.by_path[path].wrong:
                self.year.found += self._unnoticed.pop(path, 0)
                self.year.before_found += path in self._old
                self._old.discard(path)


def night(app: ReplayPorts) -> "FreshnessRunSummary":
    """One run, as `cairn freshness run` does it."""
    from cairn.freshness.run import prepare, run_night
    from cairn.graph.run_scan import run_scan

    run_scan(app, app.scan_request(), remember=False)
    return run_night(app, prepare(app), dry_run=False)


_BARS: Final = "▁▂▃▄▅▆▇█"


def sparkline(numbers: Sequence[int]) -> str:
    """The highest bar is the highest number, and nothing is the lowest bar."""
    most = max([*numbers, 1])
    return "".join(_BARS[-(-number * (len(_BARS) - 1) // most)] for number in numbers)


def lines(year: ReplayedYear) -> Iterator[str]:
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


def _row(name: str, week: ReplayedWeek, rate: float) -> str:
    numbers = (f"{week.right:>11}", f"{week.wrong:>12}", f"{week.confirmations:>13}", f"{week.requests:>3}")
    return f"{name:<6}  {'  '.join(numbers)}  {rate:>24.1f}"


def _quality(year: ReplayedYear) -> Iterator[str]:
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


def year_json(year: ReplayedYear) -> dict[str, Any]:
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


def _all(year: ReplayedYear) -> ReplayedWeek:
    return ReplayedWeek(
        *(sum(getattr(week, name) for week in year.weeks) for name in ("confirmations", "right", "wrong"))
    )


def _week_json(week: ReplayedWeek) -> dict[str, int]:
    return {
        "drift": week.right,
        "falseAlarms": week.wrong,
        "confirmations": week.confirmations,
        "requests": week.requests,
    }
