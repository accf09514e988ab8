"""Explains an artefact: what is missing for its next status, who stands against it, and what happens next."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import QUARTERS, SOURCES, VERDICTS, ArtefactRow, BallotRow, Condition
from cairn.journal import iso_utc
from cairn.trust.decide import Aggregates, Decision, Measures, decide, holds, measures
from cairn.trust.presets import DAY_MS, HOUR_MS, Preset
from cairn.trust.table import Row, Transition, table

_WORDS: Final = {
    "confirms": "points of confirmation",
    "rejects": "points of rejection",
    "voters": "distinct people and agents",
    "persons": "people who confirmed",
    "kinds": "kinds of evidence",
}
_LAST: Final = 10


class MissingCondition(NamedTuple):
    """One condition of the next status that does not hold yet."""

    measure: str
    have: float
    need: float
    words: str
    at_ms: int | None = None
    """When time alone will bring it."""

    def json(self) -> dict[str, Any]:
        known = {"measure": self.measure, "have": self.have, "need": self.need, "words": self.words}
        return known | {"at": None if self.at_ms is None else iso_utc(self.at_ms)}


class Objection(NamedTuple):
    """A ballot against it."""

    verdict: str
    source: str
    voter: str
    at_ms: int
    reason: str

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "at_ms": self.at_ms, "at": iso_utc(self.at_ms)}


class Why(NamedTuple):
    artefact: ArtefactRow
    decision: Decision
    target: str
    """The next status; empty where there is none to climb to."""
    missing: tuple[MissingCondition, ...]
    against: tuple[Objection, ...]
    next: str
    """What happens next, as a sentence."""
    measures: Measures

    @property
    def earliest_ms(self) -> int | None:
        times = [one.at_ms for one in self.missing if one.at_ms is not None]
        return max(times, default=None)


def explain(
    artefact: ArtefactRow, aggregates: Aggregates, ballots: Sequence[BallotRow], now_ms: int, preset: Preset
) -> Why:
    rows = table(preset)
    decision = decide(artefact, aggregates, now_ms, preset, rows)
    climbs = next((row for row in rows if _climbs(row, artefact)), None)
    known = measures(artefact, aggregates.all, now_ms, preset)
    missing = tuple(_missing(artefact, climbs, known)) if climbs else ()
    recent = measures(artefact, aggregates.window, now_ms, preset)
    return Why(
        artefact,
        decision,
        str(climbs.to) if climbs else "",
        missing,
        tuple(_against(ballots)),
        _next(artefact, decision, climbs, missing),
        recent if artefact.status == EntryStatus.STABLE else known,
    )


def _climbs(row: Row, artefact: ArtefactRow) -> bool:
    return row.transition is Transition.PROMOTE and EntryStatus(artefact.status) in row.statuses


def _missing(artefact: ArtefactRow, row: Row, known: Measures) -> Iterator[MissingCondition]:
    for condition in row.when:
        if not holds(condition, known):
            yield _told(artefact, condition, known)


def _told(artefact: ArtefactRow, condition: Condition, known: Measures) -> MissingCondition:
    have, need = known[condition.measure], condition.value
    if condition.measure == "age_ms":
        at_ms = artefact.since_ms + need
        words = f"{_span(need)} since {_day(artefact.since_ms)}, which is on {_day(at_ms)}"
        return MissingCondition("hours", round(have / HOUR_MS, 1), need / HOUR_MS, words, at_ms)
    if condition.measure == "margin":
        total = known["confirms"] + known["rejects"]
        share = round(100 * known["confirms"] / total, 1) if total else 0.0
        rate = (100 * known["confirms"] - known["margin"]) // total if total else 85
        return MissingCondition("rate", share, rate, f"more than {rate} % of the ballots must confirm; {share:g} % do")
    if condition.measure == "rejects":
        return MissingCondition(
            "rejects", have / QUARTERS, need / QUARTERS, f"{have / QUARTERS:g} points reject it; none may"
        )
    scale = QUARTERS if condition.measure == "confirms" else 1
    words = f"{have / scale:g} of {need / scale:g} {_WORDS[condition.measure]}"
    return MissingCondition(condition.measure, have / scale, need / scale, words)


def _span(ms: int) -> str:
    return f"{ms // DAY_MS} days" if ms >= 3 * DAY_MS else f"{ms // HOUR_MS} hours"


def _day(at_ms: int) -> str:
    return iso_utc(at_ms)[:16].replace("T", " ")


def _against(ballots: Sequence[BallotRow]) -> Iterator[Objection]:
    """The latest first, by a short form of who cast them."""
    found = [row for row in ballots if VERDICTS[row.verdict] != "confirm"]
    for row in reversed(found[-_LAST:]):
        yield Objection(VERDICTS[row.verdict], SOURCES[row.source], f"{row.voter:016x}"[:8], row.at_ms, row.reason)


_ENDS: Final = {
    EntryStatus.DRAFT: "It is hidden until somebody changes its text.",
    EntryStatus.STABLE: "It stays stable as long as confirmations of the last days outweigh rejections.",
    EntryStatus.DEPRECATED: "It stays deprecated until somebody amends it.",
    EntryStatus.QUARANTINED: "It is not served until a person runs `cairn trust reinstate`.",
}


def _next(artefact: ArtefactRow, decision: Decision, climbs: Row | None, missing: tuple[MissingCondition, ...]) -> str:
    if artefact.hold:
        return "A person decides (`cairn trust reinstate` or `quarantine`); a second flag puts it in quarantine."
    if decision.transition is not Transition.STAY:
        return f"The next tick moves it: {decision.transition} to {decision.to}."
    if climbs is None:
        return _ENDS[EntryStatus(artefact.status)]
    if all(one.at_ms is not None for one in missing):
        return f"It becomes {climbs.to} with the first tick after {_day(max(one.at_ms or 0 for one in missing))}."
    return f"It becomes {climbs.to} once all of that is there."
