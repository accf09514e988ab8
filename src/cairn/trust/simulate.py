"""Simulates months of voters around artefacts, good and bad, with the decisions of the real engine.

The world is fixed, so that numbers can be compared: a fifth of the artefacts is bad, honest voters are right 95 times
of 100, careless ones 75, a tenth are vandals who are always wrong, a clique of five colludes with addresses of its own,
and a third of all voters sleep.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, Literal, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import QUARTERS, SOURCES, ArtefactRow, Tally
from cairn.trust.artefact import PageState, enrolled, moved
from cairn.trust.decide import Aggregates, decide
from cairn.trust.presets import DAY_MS, HOUR_MS, Preset
from cairn.trust.table import Row, Transition, table

Voter = Literal["honest", "careless", "vandal", "clique", "sleeper"]

HONEST_RIGHT: Final = 0.95
CARELESS_RIGHT: Final = 0.75
CARELESS_SHARE: Final = 0.2
SLEEPERS: Final = 0.3
CLIQUE: Final = 5
BAD: Final = 0.2
SEEDS: Final = 20
_STEP_MS: Final = 12 * HOUR_MS
_NONE: Final = (0,) * (len(SOURCES) - 1)
"""Everybody here is a person, the first of the sources."""


class SimulatedWorld(NamedTuple):
    artefacts: int = 50
    voters: int = 100
    days: int = 120
    vandals: float = 0.1
    """Share of the voters."""
    visits: float = 0.5
    """Pages that a voter who is awake uses in a day."""


class SimulationResult(NamedTuple):
    """Counted over all seeds."""

    good: int
    bad: int
    stable: int
    """Good artefacts that became stable."""
    wrong_promotions: int
    """Bad artefacts that became stable."""
    wrong_rollbacks: int
    """Good artefacts that were withdrawn because more rejected than confirmed them."""
    caught: int
    """Bad artefacts that were withdrawn."""
    days_to_stable: tuple[float, ...]
    vandals: float

    @property
    def promotion_rate(self) -> float:
        return self.wrong_promotions / self.bad if self.bad else 0.0

    @property
    def rollback_rate(self) -> float:
        return self.wrong_rollbacks / self.good if self.good else 0.0

    @property
    def median_days(self) -> float | None:
        known = sorted(self.days_to_stable)
        return known[len(known) // 2] if known else None

    def json(self) -> dict[str, Any]:
        return {
            "vandals": self.vandals,
            "good": self.good,
            "bad": self.bad,
            "stable": self.stable,
            "wrongPromotions": self.wrong_promotions,
            "wrongRollbacks": self.wrong_rollbacks,
            "caught": self.caught,
            "promotionRate": round(self.promotion_rate, 4),
            "rollbackRate": round(self.rollback_rate, 4),
            "medianDaysToStable": self.median_days,
        }


class _Played:
    """One artefact with the ballots of its cohort."""

    def __init__(self, number: int, bad: bool) -> None:
        page = PageState(f"{number:016x}", EntryStatus.ALPHA, "", f"{number:040x}")
        self.row: ArtefactRow = enrolled(str(number), "entry", page, 0, status=EntryStatus.ALPHA, by="person")
        self.bad = bad
        self.cast: dict[int, tuple[bool, int]] = {}
        """By voter: whether they confirm it, and when they said so."""
        self.stable_ms: int | None = None
        self.withdrawn = False

    def tally(self, since_ms: int = 0) -> Tally:
        said = [confirms for confirms, at_ms in self.cast.values() if at_ms >= since_ms]
        confirms = sum(said)
        return Tally((confirms, *_NONE), (len(said) - confirms, *_NONE))


def simulate(preset: Preset, world: SimulatedWorld, seeds: int = SEEDS) -> SimulationResult:
    runs = [_run(preset, world, Random(seed)) for seed in range(seeds)]
    played = [one for run in runs for one in run]
    good, bad = [one for one in played if not one.bad], [one for one in played if one.bad]
    return SimulationResult(
        good=len(good),
        bad=len(bad),
        stable=sum(one.stable_ms is not None for one in good),
        wrong_promotions=sum(one.stable_ms is not None for one in bad),
        wrong_rollbacks=sum(one.withdrawn for one in good),
        caught=sum(one.withdrawn for one in bad),
        days_to_stable=tuple(round(one.stable_ms / DAY_MS, 1) for one in good if one.stable_ms is not None),
        vandals=world.vandals,
    )


def _run(preset: Preset, world: SimulatedWorld, draw: Random) -> list[_Played]:
    bad = round(world.artefacts * BAD)
    played = [_Played(number, number < bad) for number in range(world.artefacts)]
    voters = list(_voters(world))
    favoured = {one.row.artefact for one in draw.sample(played[:bad], max(1, bad // 2))} if bad else set[str]()
    rows, steps = table(preset), int(world.days * DAY_MS / _STEP_MS)
    for step in range(1, steps + 1):
        now_ms = step * _STEP_MS
        _vote(played, voters, favoured, world, draw, now_ms)
        for one in played:
            if not one.withdrawn:
                _move(one, preset, rows, now_ms)
    return played


def _voters(world: SimulatedWorld) -> Iterator[Voter]:
    """Sleepers are among all of them; the clique is awake."""
    vandals, sleeping = round(world.voters * world.vandals), round(world.voters * SLEEPERS)
    awake = world.voters - vandals - sleeping - CLIQUE
    careless = round(max(awake, 0) * CARELESS_SHARE)
    counts: tuple[tuple[Voter, int], ...] = (
        ("vandal", vandals),
        ("clique", CLIQUE),
        ("sleeper", sleeping),
        ("careless", careless),
        ("honest", max(awake, 0) - careless),
    )
    for kind, number in counts:
        yield from [kind] * number


def _vote(
    played: Sequence[_Played],
    voters: Sequence[Voter],
    favoured: set[str],
    world: SimulatedWorld,
    draw: Random,
    now_ms: int,
) -> None:
    chance = world.visits * _STEP_MS / DAY_MS
    for number, kind in enumerate(voters):
        if kind == "sleeper" or draw.random() >= chance:
            continue
        one = _visited(played, kind, favoured, draw)
        if not one.withdrawn and number not in one.cast:
            one.cast[number] = (_confirms(kind, one, favoured, draw), now_ms)


def _visited(played: Sequence[_Played], kind: Voter, favoured: set[str], draw: Random) -> _Played:
    """The clique pushes its own pages most of the time."""
    if kind == "clique" and favoured and draw.random() < 0.8:
        return played[int(draw.choice(sorted(favoured)))]
    return draw.choice(played)


def _confirms(kind: Voter, one: _Played, favoured: set[str], draw: Random) -> bool:
    if kind == "clique" and one.row.artefact in favoured:
        return True
    if kind == "vandal":
        return one.bad
    right = draw.random() < (CARELESS_RIGHT if kind == "careless" else HONEST_RIGHT)
    return right != one.bad


def _move(one: _Played, preset: Preset, rows: tuple[Row, ...], now_ms: int) -> None:
    whole = one.tally()
    older = one.row.status == "stable" and now_ms > preset.window_days * DAY_MS
    window = one.tally(now_ms - preset.window_days * DAY_MS) if older else whole
    decision = decide(one.row, Aggregates(whole, window), now_ms, preset, rows)
    if decision.transition is Transition.STAY:
        return
    one.row = moved(one.row, decision, now_ms)
    if decision.transition in (Transition.ROLLBACK, Transition.QUARANTINE):
        one.withdrawn = True
    elif decision.to is EntryStatus.STABLE and one.stable_ms is None:
        one.stable_ms = now_ms


class Sweep(NamedTuple):
    """The same world with ever more vandals."""

    results: tuple[SimulationResult, ...]

    @property
    def breaks_at(self) -> float | None:
        """The share of vandals at which more than 1 % of the promotions or of the rollbacks are wrong."""
        passed = (one for one in self.results if max(one.promotion_rate, one.rollback_rate) > TARGET)
        return next((one.vandals for one in passed), None)


TARGET: Final = 0.01
SHARES: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
NETS: Final = (2, 3, 4, 5)
"""Rollback thresholds that are compared."""


def sweep(preset: Preset, world: SimulatedWorld, seeds: int, shares: Sequence[float] = SHARES) -> Sweep:
    return Sweep(tuple(simulate(preset, world._replace(vandals=share), seeds) for share in shares))


def by_rollback(preset: Preset, world: SimulatedWorld, seeds: int) -> dict[int, SimulationResult]:
    """How the same world fares with other thresholds of rollback."""
    return {net: simulate(preset._replace(rollback=net * QUARTERS), world, seeds) for net in NETS}
