"""Which artefacts have to move: the store counts and preselects, and each decision is made by `decide`."""

from collections.abc import Iterator
from typing import NamedTuple

from cairn.core.ports.trust import NO_BALLOTS, ArtefactRow, Preselection, TrustStore
from cairn.trust.decide import Aggregates, Decision, decide
from cairn.trust.presets import DAY_MS, Preset
from cairn.trust.table import Transition, possibilities, table

_WINDOWED = ("stable", "deprecated")


class Evaluated(NamedTuple):
    artefact: ArtefactRow
    aggregates: Aggregates
    decision: Decision


def evaluate(store: TrustStore, preset: Preset, now_ms: int) -> Iterator[Evaluated]:
    """Every artefact that moves, in order of their names."""
    rows = table(preset)
    wanted = Preselection(now_ms, preset.weights, preset.stable.rate, possibilities(rows))
    found = list(store.preselect(wanted))
    windowed = [artefact.cohort for artefact, _ in found if artefact.status in _WINDOWED]
    recent = store.tallies_since(windowed, window_start(preset, now_ms)) if windowed else {}
    for artefact, tally in found:
        whole = Aggregates(tally, recent.get(artefact.cohort, tally))
        decision = decide(artefact, whole, now_ms, preset, rows)
        if decision.transition is not Transition.STAY:
            yield Evaluated(artefact, whole, decision)


def aggregates_of(store: TrustStore, artefact: ArtefactRow, preset: Preset, now_ms: int) -> Aggregates:
    """Of one artefact, as they are now."""
    tally = store.tallies([artefact.cohort]).get(artefact.cohort, NO_BALLOTS)
    if artefact.status not in _WINDOWED:
        return Aggregates(tally, tally)
    recent = store.tallies_since([artefact.cohort], window_start(preset, now_ms))
    return Aggregates(tally, recent.get(artefact.cohort, NO_BALLOTS))


def window_start(preset: Preset, now_ms: int) -> int:
    return now_ms - preset.window_days * DAY_MS
