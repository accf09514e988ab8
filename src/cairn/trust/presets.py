"""How much scrutiny a page needs for each status: three presets, and the numbers that a workspace may tune."""

from typing import Final, Literal, NamedTuple

from cairn.core.ports.runtime import Settings
from cairn.core.ports.trust import QUARTERS, SOURCES, Source

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS

PresetName = Literal["solo", "team", "hub"]


class Rung(NamedTuple):
    """What it takes to reach a status from the one below."""

    points: int
    """Confirming ballots, weighed, in quarters."""
    hours: int
    """Since the cohort began."""
    rejects: int | None = None
    """Rejecting ballots at most, in quarters; None where only the rate counts."""
    rate: int = 0
    """Percent of the ballots that must confirm, and strictly more."""
    voters: int = 0
    """Distinct people and agents."""
    persons: int = 0
    """People among those who confirm."""
    kinds: int = 0
    """Distinct kinds of evidence: people, use, checks."""


class Preset(NamedTuple):
    name: PresetName
    weights: tuple[int, ...]
    """Quarters by source, in the order of `SOURCES`."""
    beta: Rung
    stable: Rung
    rollback: int = 2 * QUARTERS
    """So much more must reject than confirm."""
    flags: int = 1
    """Of a page that is not stable, for quarantine."""
    stable_flags: int = 2
    """Of a stable one; the first puts it on hold."""
    window_days: int = 90
    """A stable page is judged by its ballots of so many days."""
    stale_days: int = 180
    """A page that nothing confirmed for so long is stale."""
    route_stale_days: int = 30
    route_ends_days: int = 90
    """A route that nothing confirmed for so long is deprecated."""
    votes_per_day: int = 60


def _weights(**points: int) -> tuple[int, ...]:
    known: dict[Source, int] = {name: points.get(name, 0) for name in SOURCES}
    return tuple(known.values())


PRESETS: Final[dict[PresetName, Preset]] = {
    "hub": Preset(
        "hub",
        _weights(person=4, agent=4, probe=1),
        beta=Rung(points=12, hours=48, rejects=0, voters=3),
        stable=Rung(points=40, hours=14 * 24, rate=85, voters=10),
        rollback=5 * QUARTERS,  # of strangers, 2 take 8 % of the good pages down; see `cairn trust simulate`
    ),
    "team": Preset(
        "team",
        _weights(person=4, agent=4, probe=1),
        beta=Rung(points=8, hours=48, rejects=0, voters=2),
        stable=Rung(points=16, hours=14 * 24, rate=85, voters=4, persons=1),
    ),
    "solo": Preset(
        "solo",
        _weights(person=8, agent=4, merge=8, check=4, use=4, probe=1),
        beta=Rung(points=12, hours=48, rejects=0, kinds=2),
        stable=Rung(points=40, hours=14 * 24, rate=85, kinds=2),
    ),
}


_TUNABLE: Final = ("stable_flags", "window_days", "stale_days", "votes_per_day")


def preset_of(settings: Settings) -> Preset:
    """The one of the settings, with the numbers that they tune."""
    name = settings.text("trust.preset")
    chosen = next(preset for preset in PRESETS.values() if preset.name == name)
    beta, stable = _tuned(settings, "beta", chosen.beta), _tuned(settings, "stable", chosen.stable)
    own = chosen._replace(beta=beta, stable=stable)
    for name in _TUNABLE:
        value = settings.optional_integer(f"trust.{name}")
        own = own if value is None else Preset(**{**own._asdict(), name: value})
    return own


def _tuned(settings: Settings, name: str, rung: Rung) -> Rung:
    """Points and voters are raised together where voters count: no one may stand for several."""
    points = settings.optional_integer(f"trust.{name}.points")
    hours = settings.optional_integer(f"trust.{name}.hours")
    if points is not None:
        rung = rung._replace(points=points * QUARTERS, voters=points if rung.voters else 0)
    return rung if hours is None else rung._replace(hours=hours)
