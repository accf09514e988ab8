"""The transition table: which artefact moves where, and when. The first row whose conditions hold decides."""

from enum import StrEnum
from typing import Final, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import Condition, Operator, Possibility
from cairn.trust.presets import DAY_MS, HOUR_MS, Preset, Rung

DRAFT, ALPHA, BETA, STABLE = EntryStatus.DRAFT, EntryStatus.ALPHA, EntryStatus.BETA, EntryStatus.STABLE
DEPRECATED, QUARANTINED = EntryStatus.DEPRECATED, EntryStatus.QUARANTINED


class Transition(StrEnum):
    """What may happen to an artefact."""

    STAY = "stay"
    """Nothing."""
    QUARANTINE = "quarantine"
    """Somebody flagged it as harmful: the last good revision is served, or nothing."""
    HOLD = "hold"
    """One flag against a stable page: served with a warning until a person decided."""
    ROLLBACK = "rollback"
    """More reject than confirm it: the last good revision is served, or it is hidden."""
    DEPRECATE = "deprecate"
    """Nothing has confirmed it for too long."""
    PROMOTE = "promote"
    """One status up."""
    # What people, commits and the base branch do; the tick only records it.
    ENROLL = "enroll"
    REVISE = "revise"
    """The base branch has another content: a new cohort, at alpha."""
    MAINTAIN = "maintain"
    """An edit that was declared to change no meaning, and is small: the cohort stays."""
    ADOPT = "adopt"
    """A person lowered the status in the file."""
    RAISE = "raise"
    """The file claims more than was decided; it is set back."""
    REINSTATE = "reinstate"
    REVIVE = "revive"
    """A deprecated artefact was amended."""
    LAND = "land"
    """The base branch has the text of a rollback."""
    MOVE = "move"
    """The page has another path."""
    LEAVE = "leave"
    """The page is no longer on the base branch."""


NEXT: Final[dict[EntryStatus, frozenset[EntryStatus]]] = {
    DRAFT: frozenset({ALPHA, QUARANTINED, DEPRECATED, BETA, STABLE}),
    ALPHA: frozenset({DRAFT, BETA, STABLE, DEPRECATED, QUARANTINED}),
    BETA: frozenset({DRAFT, ALPHA, STABLE, DEPRECATED, QUARANTINED}),
    STABLE: frozenset({DRAFT, ALPHA, BETA, DEPRECATED, QUARANTINED}),
    DEPRECATED: frozenset({ALPHA, BETA, STABLE, QUARANTINED}),
    QUARANTINED: frozenset({DRAFT, ALPHA, BETA, STABLE, DEPRECATED}),
}
"""Every legal move. From alpha to stable only by a restored revision; out of quarantine only by a person."""


class Row(NamedTuple):
    transition: Transition
    statuses: tuple[EntryStatus, ...]
    when: tuple[Condition, ...]
    to: EntryStatus | None = None
    """None where it depends on whether there is a good revision, or where the status stays."""
    windowed: bool = False
    """Judged by the ballots of the window; the store preselects by all of them, with `may`."""
    may: tuple[Condition, ...] = ()
    kinds: tuple[str, ...] = ()


def table(preset: Preset) -> tuple[Row, ...]:
    """In the order of a tick: quarantine, rollback or deprecation, staleness, promotion by one status."""
    net = _if("net", ">=", preset.rollback)
    return (
        Row(Transition.QUARANTINE, (DRAFT, ALPHA, BETA), (_if("flags", ">=", preset.flags),)),
        Row(
            Transition.QUARANTINE,
            (STABLE, DEPRECATED),
            (_if("flags", ">=", preset.stable_flags),),
            windowed=True,
            may=(_if("flags", ">=", preset.stable_flags),),
        ),
        Row(
            Transition.HOLD,
            (STABLE,),
            (_if("flags", ">=", 1), _if("hold", "=", 0)),
            STABLE,
            windowed=True,
            may=(_if("flags", ">=", 1), _if("hold", "=", 0)),
        ),
        Row(Transition.ROLLBACK, (ALPHA, BETA), (net,)),
        Row(
            Transition.ROLLBACK,
            (STABLE,),
            (net,),
            windowed=True,
            may=(_if("rejects", ">=", preset.rollback),),
        ),
        Row(
            Transition.DEPRECATE,
            (ALPHA, BETA, STABLE),
            (_if("quiet_ms", ">=", preset.route_ends_days * DAY_MS),),
            DEPRECATED,
            kinds=("route",),
        ),
        Row(Transition.PROMOTE, (ALPHA,), climb(preset.beta), BETA),
        Row(Transition.PROMOTE, (BETA,), climb(preset.stable), STABLE),
    )


def climb(rung: Rung) -> tuple[Condition, ...]:
    """What it takes, each as a condition of its own, so that each can be told."""
    limits: tuple[tuple[str, Operator, int, bool], ...] = (
        ("confirms", ">=", rung.points, True),
        ("rejects", "<=", rung.rejects or 0, rung.rejects is not None),
        ("margin", ">", 0, rung.rate > 0),
        ("voters", ">=", rung.voters, rung.voters > 0),
        ("persons", ">=", rung.persons, rung.persons > 0),
        ("kinds", ">=", rung.kinds, rung.kinds > 0),
        ("age_ms", ">=", rung.hours * HOUR_MS, True),
    )
    return tuple(_if(measure, operator, value) for measure, operator, value, counts in limits if counts)


def possibilities(rows: tuple[Row, ...]) -> list[Possibility]:
    """What the store is asked for: each row that may decide, as far as it can tell by itself."""
    return [Possibility(tuple(map(str, row.statuses)), row.may or row.when, row.kinds) for row in rows]


def _if(measure: str, operator: Operator, value: int) -> Condition:
    return Condition(measure, operator, value)
