"""Artefacts, ballots and their counts, in any database that speaks the shared queries."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.trust import (
    BANNED_FROM,
    SOURCES,
    ArtefactRow,
    BallotRow,
    Possibility,
    Preselection,
    RejectedContent,
    Strike,
    Tally,
)

TABLES: Final = (
    "index_trust_artefacts",
    "index_trust_ballots",
    "index_trust_rejected",
    "index_trust_strikes",
    "index_trust_tallies",
)
_COLUMNS: Final = tuple("by_whom" if name == "by" else name for name in ArtefactRow._fields)
_MEASURES: Final = {
    "confirms": "m.confirms",
    "rejects": "m.rejects",
    "net": "m.rejects - m.confirms",
    "margin": "100 * m.confirms - :rate * (m.confirms + m.rejects)",
    "voters": "m.confirm_person + m.confirm_agent + m.reject_person + m.reject_agent",
    "persons": "m.confirm_person + m.confirm_merge",
    "kinds": "CASE WHEN m.confirm_person + m.confirm_merge > 0 THEN 1 ELSE 0 END"
    " + CASE WHEN m.confirm_agent + m.confirm_use > 0 THEN 1 ELSE 0 END"
    " + CASE WHEN m.confirm_check + m.confirm_probe > 0 THEN 1 ELSE 0 END",
    "flags": "m.flags",
    "hold": "m.hold",
    "age_ms": ":now - m.since_ms",
    "quiet_ms": ":now - CASE WHEN m.last_confirm_ms > m.since_ms THEN m.last_confirm_ms ELSE m.since_ms END",
}
"""The same measures as `cairn.trust.decide` takes of a tally; a test compares both on 100,000 artefacts."""

_CHEAP: Final = ("hold", "flags", "age_ms", "quiet_ms")
"""Asked first: nothing has to be added up for them."""


class SqlTrust:
    def __init__(self, database: Database) -> None:
        self._db = database

    # --- writing -------------------------------------------------------------------------------------------------

    def apply(
        self,
        artefacts: Sequence[ArtefactRow] = (),
        ballots: Sequence[BallotRow] = (),
        rejected: Sequence[RejectedContent] = (),
        strikes: Sequence[Strike] = (),
    ) -> None:
        with self._db.writing():
            told = [dict(zip(_COLUMNS, row, strict=True)) for row in artefacts]
            self._db.put("put_trust_artefact", "index_trust_artefacts", told)
            self._db.put("put_trust_ballot", "index_trust_ballots", [row._asdict() for row in ballots])
            self._db.each("put_trust_rejected", (row._asdict() for row in rejected))
            self._db.each("put_trust_strike", (row._asdict() for row in strikes))
            touched = sorted({row.cohort for row in artefacts} | {row.cohort for row in ballots})
            self._db.put("mark_trust_dirty", "index_trust_dirty", [{"cohort": cohort} for cohort in touched])
            self._db.each("mark_trust_voter_dirty", ({"voter": voter} for voter in sorted({s.voter for s in strikes})))

    def settle(self) -> None:
        if not any(self._db.rows("any_trust_dirty")):
            return
        with self._db.writing():
            self._db.run("drop_dirty_tallies")
            self._db.run("count_dirty_tallies", {"banned": BANNED_FROM})
            self._db.run("clear_trust_dirty")

    # --- reading -------------------------------------------------------------------------------------------------

    def preselect(self, wanted: Preselection) -> Iterator[tuple[ArtefactRow, Tally]]:
        parameters: dict[str, Any] = {f"w{place}": weight for place, weight in enumerate(wanted.weights)}
        parameters |= {"now": wanted.now_ms, "rate": wanted.rate}
        where = " OR ".join(_possible(number, one, parameters) for number, one in enumerate(wanted.possibilities))
        width = len(_COLUMNS)
        for row in self._db.rows("preselect_trust", parameters, where=f"({where or '1 = 0'})"):
            yield _artefact(row[:width]), _tally(row[width:])

    def artefacts(self, names: Collection[str] | None = None) -> list[ArtefactRow]:
        if names is None:
            return [_artefact(row) for row in self._db.rows("trust_artefacts")]
        return [_artefact(row) for row in self._db.rows("trust_artefacts_named", {"names": sorted(names)})]

    def any_artefact(self) -> bool:
        return any(self._db.rows("any_trust_artefact"))

    def tallies(self, cohorts: Collection[int]) -> Mapping[int, Tally]:
        return {row[0]: _tally(row[1:]) for row in self._db.rows("trust_tallies", {"cohorts": sorted(cohorts)})}

    def tallies_since(self, cohorts: Collection[int], since_ms: int) -> Mapping[int, Tally]:
        parameters = {"cohorts": sorted(cohorts), "since": since_ms, "banned": BANNED_FROM}
        return {row[0]: _tally(row[1:]) for row in self._db.rows("trust_tallies_since", parameters)}

    def ballots(self, cohort: int) -> list[BallotRow]:
        return [_ballot(row) for row in self._db.rows("trust_ballots", {"cohort": cohort})]

    def ballots_by(self, voter: int, since_ms: int) -> int:
        return int(next(iter(self._db.rows("count_trust_ballots_by", {"voter": voter, "since": since_ms})))[0])

    def rejected(self, artefacts: Collection[str]) -> set[tuple[str, str]]:
        return {(row[0], row[1]) for row in self._db.rows("trust_rejected", {"artefacts": sorted(artefacts)})}

    def strikes(self, voters: Iterable[int]) -> Mapping[int, int]:
        return {row[0]: int(row[1]) for row in self._db.rows("trust_strikes", {"voters": sorted(voters)})}

    def table(self, name: str) -> list[tuple[object, ...]]:
        assert name in TABLES, name
        return sorted(tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in self._db.table(name))


def _possible(number: int, one: Possibility, parameters: dict[str, Any]) -> str:
    """One possibility as a condition; its numbers and words travel as parameters."""
    parts = [_listed("m.status", f"s{number}", one.statuses, parameters)]
    if one.kinds:
        parts.append(_listed("m.kind", f"k{number}", one.kinds, parameters))
    for place, condition in enumerate(sorted(one.conditions, key=lambda known: known.measure not in _CHEAP)):
        name = f"v{number}_{place}"
        parameters[name] = condition.value
        parts.append(f"({_MEASURES[condition.measure]}) {condition.operator} :{name}")
    return f"({' AND '.join(parts)})"


def _listed(column: str, name: str, values: Sequence[str], parameters: dict[str, Any]) -> str:
    """Compared one by one, which is twice as fast as looking each row up in a list."""
    parameters |= {f"{name}_{place}": value for place, value in enumerate(values)}
    return f"({' OR '.join(f'{column} = :{name}_{place}' for place in range(len(values)))})"


def _artefact(row: Sequence[Any]) -> ArtefactRow:
    return ArtefactRow._make((*row[:-1], bytes(row[-1])))


def _ballot(row: Sequence[Any]) -> BallotRow:
    cohort, voter, source, verdict, at_ms, id, reason = row
    return BallotRow(cohort, voter, source, verdict, at_ms, bytes(id), reason)


def _tally(row: Sequence[Any]) -> Tally:
    numbers = [int(value) for value in row]
    each = len(SOURCES)
    return Tally(tuple(numbers[:each]), tuple(numbers[each : 2 * each]), *numbers[2 * each :])
