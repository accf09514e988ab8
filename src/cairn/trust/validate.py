"""Ballots of people, agents and probes about pages as they are read here."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from cairn.core.ports.runtime import ReadFailed
from cairn.errors import NotFound
from cairn.knowledge.content_hash import revision_of
from cairn.trust.ballots import Ballot, CastBallot, Verdict
from cairn.trust.ballots import cast as cast_ballot
from cairn.trust.maintain import Desk, ValidateBy, living, validate
from cairn.trust.presets import DAY_MS

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts

NOBODY = ValidateBy()


def validate_page(
    ports: "TrustPorts", path: str, verdict: str, *, reason: str | None, by: ValidateBy = NOBODY
) -> CastBallot:
    """About the text as it lies here, which must be what the base branch says."""
    try:
        data = ports.files.read(path)[0]
    except ReadFailed as problem:
        raise NotFound(f"`{path}` cannot be read: {problem}", path=path) from None
    said = cast("Verdict", verdict)
    return validate(Desk(ports), path, data, said, reason=reason, by=by, revision=revision_of(data))


class ProbedPage(NamedTuple):
    path: str
    verdict: str
    """Empty where nobody could tell."""


def probe(ports: "TrustPorts", paths: Iterable[str] | None = None) -> list[ProbedPage]:
    """Once a day for each page at most: a page that answers twice an hour is no better confirmed."""
    desk = Desk(ports)
    wanted = [desk.artefact(path) for path in paths] if paths is not None else living(ports.store.trust.artefacts())
    day, found = ports.clock.now_ms() // DAY_MS, list[ProbedPage]()
    for row in wanted:
        answers = ports.probe_page(row.artefact)
        if answers is None:
            found.append(ProbedPage(row.artefact, ""))
            continue
        verdict: Verdict = "confirm" if answers else "reject"
        voter = desk.voters.machine(row.artefact, f"probe@{day}")
        reason = None if answers else "A source on the web does not answer."
        cast_ballot(ports, Ballot(row, voter, "probe", verdict, row.revision, reason))
        found.append(ProbedPage(row.artefact, verdict))
    return found
