"""Decides what becomes of an artefact: a pure function of its state, the ballots of its cohort, and the time."""

import operator as op
from collections.abc import Callable
from typing import Final, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import SOURCES, ArtefactRow, Condition, Operator, Tally
from cairn.trust.presets import Preset
from cairn.trust.table import Row, Transition, table

_PERSON, _AGENT, _MERGE, _CHECK, _USE, _PROBE = range(len(SOURCES))
_COMPARE: Final[dict[Operator, Callable[[int, int], bool]]] = {
    ">=": op.ge,
    "<=": op.le,
    ">": op.gt,
    "=": op.eq,
    "<": op.lt,
}


class Aggregates(NamedTuple):
    """The ballots of a cohort: all of them, and those of the window, by which stable artefacts are judged."""

    all: Tally = Tally()
    window: Tally = Tally()


class Decision(NamedTuple):
    transition: Transition
    to: EntryStatus
    restores: bool = False
    """Whether the last good revision takes the place of this one."""
    row: Row | None = None
    """Of the transition table."""


Measures = dict[str, int]


def measures(artefact: ArtefactRow, tally: Tally, now_ms: int, preset: Preset, *, rate: int | None = None) -> Measures:
    """The numbers that the transition table compares. The store computes the same in SQL."""
    confirms = sum(map(op.mul, preset.weights, tally.confirms))
    rejects = sum(map(op.mul, preset.weights, tally.rejects))
    heard = tally.confirms
    return {
        "confirms": confirms,
        "rejects": rejects,
        "net": rejects - confirms,
        "margin": 100 * confirms - (preset.stable.rate if rate is None else rate) * (confirms + rejects),
        "voters": heard[_PERSON] + heard[_AGENT] + tally.rejects[_PERSON] + tally.rejects[_AGENT],
        "persons": heard[_PERSON] + heard[_MERGE],
        "kinds": (heard[_PERSON] + heard[_MERGE] > 0)
        + (heard[_AGENT] + heard[_USE] > 0)
        + (heard[_CHECK] + heard[_PROBE] > 0),
        "flags": tally.flags,
        "hold": artefact.hold,
        "age_ms": now_ms - artefact.since_ms,
        "quiet_ms": now_ms - max(tally.last_confirm_ms, artefact.since_ms),
    }


def holds(condition: Condition, known: Measures) -> bool:
    return _COMPARE[condition.operator](known[condition.measure], condition.value)


def decide(
    artefact: ArtefactRow, aggregates: Aggregates, now_ms: int, preset: Preset, rows: tuple[Row, ...] | None = None
) -> Decision:
    """The first row of the table that fits. `rows` is the table of the preset, for whoever decides about many."""
    status, seen = artefact.status, measures(artefact, aggregates.all, now_ms, preset)
    recent = seen if aggregates.window is aggregates.all else measures(artefact, aggregates.window, now_ms, preset)
    for row in table(preset) if rows is None else rows:
        if status not in row.statuses or (row.kinds and artefact.kind not in row.kinds):
            continue
        known = recent if row.windowed else seen
        if all(_COMPARE[sign](known[measure], value) for measure, sign, value in row.when):
            return _decision(artefact, EntryStatus(status), row)
    return Decision(Transition.STAY, EntryStatus(status))


def _decision(artefact: ArtefactRow, status: EntryStatus, row: Row) -> Decision:
    if row.transition not in (Transition.QUARANTINE, Transition.ROLLBACK):
        return Decision(row.transition, row.to or status, row=row)
    if has_good(artefact):
        return Decision(row.transition, EntryStatus(artefact.good_status), True, row)
    hidden = EntryStatus.QUARANTINED if row.transition is Transition.QUARANTINE else EntryStatus.DRAFT
    return Decision(row.transition, hidden, row=row)


def has_good(artefact: ArtefactRow) -> bool:
    """Whether there is an earlier revision to fall back to, and it says something else."""
    return artefact.good_rev > 0 and artefact.good_content != artefact.content
