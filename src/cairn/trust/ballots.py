"""Ballots: what people, agents and machines say about a page, stamped with the cohort that they are about."""

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from cairn.core.ledger_events import redact_text
from cairn.core.ports.trust import SOURCES, VERDICTS, ArtefactRow, Source
from cairn.errors import Conflict, Refused, UsageError
from cairn.trust.events import BALLOT, hexed
from cairn.trust.presets import DAY_MS, Preset, preset_of
from cairn.trust.table import Transition

if TYPE_CHECKING:
    from cairn.trust.ports import TrustPorts

Verdict = Literal["confirm", "reject", "flag"]
REASON_MOST: Final = 400


class Ballot(NamedTuple):
    """One to be cast."""

    artefact: ArtefactRow
    voter: int
    source: Source
    verdict: Verdict
    revision: str
    """Of the text that was read."""
    reason: str | None = None
    session: str | None = None
    agent: str | None = None

    @property
    def payload(self) -> dict[str, object]:
        said: dict[str, object] = {"entry": self.artefact.artefact, "revision": self.revision}
        said |= {"verdict": self.verdict, "reason": self.reason, "session": self.session, "agent": self.agent}
        stamped = {"anchor": self.artefact.anchor, "founding": self.artefact.founding}
        return {**said, **stamped, "voter": hexed(self.voter), "source": self.source}


def needed_reason(verdict: Verdict, reason: str | None) -> str | None:
    """Whoever rejects or flags says why; secrets and personal data are removed before anything is stored."""
    said = redact_text((reason or "").strip())[:REASON_MOST].strip() or None
    if verdict != "confirm" and said is None:
        raise UsageError(f"To {verdict} a page, say in `reason` what is wrong with it.")
    return said


class CastBallot(NamedTuple):
    id: str
    """Empty for one that was there already."""
    ballot: Ballot


def cast(ports: "TrustPorts", ballot: Ballot) -> CastBallot:
    """Recorded, unless the same voter said the same before."""
    artefact, preset = ballot.artefact, preset_of(ports.settings)
    if ballot.voter == artefact.submitter:
        raise Refused(f"You brought what `{artefact.artefact}` says now, so others have to confirm it.")
    known = {row.voter: row for row in ports.store.trust.ballots(artefact.cohort)}.get(ballot.voter)
    if known is not None and VERDICTS[known.verdict] == ballot.verdict and SOURCES[known.source] == ballot.source:
        return CastBallot("", ballot)
    _refuse_too_many(ports, ballot, preset)
    id = ports.ledger.append(BALLOT, ballot.payload, now_ms=ports.clock.now_ms())
    ports.index_ledger()
    return CastBallot(id, ballot)


def _refuse_too_many(ports: "TrustPorts", ballot: Ballot, preset: Preset) -> None:
    if ballot.source not in ("person", "agent"):
        return
    today = ports.clock.now_ms() - DAY_MS
    if ports.store.trust.ballots_by(ballot.voter, today) >= preset.votes_per_day:
        raise Refused(
            f"You cast {preset.votes_per_day} ballots within a day, and `trust.votes_per_day` allows no more; "
            "go on tomorrow."
        )


def must_be_current(artefact: ArtefactRow, content: str) -> None:
    """A ballot is about the text that the base branch has; a draft in the working tree is not voted on."""
    if content != artefact.content:
        raise Conflict(
            f"`{artefact.artefact}` says something else here than on the base branch; merge that, then vote on it.",
            path=artefact.artefact,
        )
    if artefact.status == "quarantined" and artefact.transition != Transition.REINSTATE:
        raise Refused(f"`{artefact.artefact}` is in quarantine; a person has to reinstate it first.")
