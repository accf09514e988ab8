"""Evidence that nobody had to give: merges by a person, use in sessions, and checks of sources become ballots."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cairn.core.ports.trust import SOURCES, VERDICTS, ArtefactRow, BallotRow
from cairn.knowledge.approval import ApprovedBy, content_hash
from cairn.trust.ballots import Ballot
from cairn.trust.presets import DAY_MS, Preset

if TYPE_CHECKING:
    from cairn.trust.base_pages import BasePages
    from cairn.trust.ports import PageUsed, TrustPorts
    from cairn.trust.voters import Voters

SETTLED_MS: Final = DAY_MS
"""A session that used a page had so long to correct it."""
MOST_CHECKS: Final = 3
"""Passing checks of one cohort that count, one a day: a source that stays as it is says nothing new."""
_OPEN: Final = ("alpha", "beta", "stable")


class Evidence:
    def __init__(self, ports: "TrustPorts", preset: Preset, voters: "Voters", base: "BasePages") -> None:
        self._ports, self._preset, self._voters, self._base = ports, preset, voters, base
        self._now_ms = ports.clock.now_ms()

    def gather(self, artefacts: Sequence[ArtefactRow]) -> list[Ballot]:
        """What is new since the last time, and counts in this preset."""
        followed = [row for row in artefacts if row.content and row.status in _OPEN]
        if not followed:
            return []
        found = [*self._merges(followed), *self._uses(followed), *self._checks(followed)]
        return [one for one in found if one.voter != one.artefact.submitter and self._is_new(one)]

    def _counts(self, source: str) -> bool:
        return self._preset.weights[SOURCES.index(source)] > 0

    def _is_new(self, ballot: Ballot) -> bool:
        known = self._known(ballot.artefact.cohort).get(ballot.voter)
        return known is None or VERDICTS[known.verdict] == "confirm" != ballot.verdict

    def _known(self, cohort: int) -> Mapping[int, BallotRow]:
        return {row.voter: row for row in self._ports.store.trust.ballots(cohort)}

    def _merges(self, artefacts: Sequence[ArtefactRow]) -> Iterator[Ballot]:
        """A person merged the text, or approved it by name."""
        if not self._counts("merge"):
            return
        pages, record = self._base.read(row.artefact for row in artefacts), self._ports.approvals
        for row in artefacts:
            data = pages.get(row.artefact)
            by = record.by(content_hash(data)) if data is not None else None
            if by in (ApprovedBy.MERGE, ApprovedBy.NAMED):
                yield Ballot(row, self._voters.person(row.artefact), "merge", "confirm", row.revision)

    def _uses(self, artefacts: Sequence[ArtefactRow]) -> Iterator[Ballot]:
        """A session read the page, and had time to correct it. What it corrected counts against the page; while any
        correction waits, nobody's use counts for it."""
        if not self._counts("use"):
            return
        by_path = {row.artefact: row for row in artefacts}
        corrected = self._ports.corrected_pages()
        used: dict[tuple[str, str], PageUsed] = {}
        for use in self._ports.page_uses(by_path, min(row.since_ms for row in artefacts)):
            if use.at_ms >= by_path[use.path].since_ms:
                used[use.path, use.session] = use
        for (path, session), use in used.items():
            row, origins = by_path[path], corrected.get(path, ())
            ballot = Ballot(row, self._voters.session(path, session), "use", "confirm", row.revision, session=session)
            if any(session in origin for origin in origins):
                yield ballot._replace(verdict="reject", reason="The session corrected it.")
            elif not origins and self._now_ms - use.at_ms >= SETTLED_MS:
                yield ballot

    def _checks(self, artefacts: Sequence[ArtefactRow]) -> Iterator[Ballot]:
        """The sources that the page has in the repository still say what they said."""
        if not self._counts("check"):
            return
        place = SOURCES.index("check")
        day = self._now_ms // DAY_MS
        held = self._ports.pages_whose_sources_hold([row.artefact for row in artefacts])
        for row in artefacts:
            if row.artefact not in held:
                continue
            path = row.artefact
            known = [one for one in self._ports.store.trust.ballots(row.cohort) if one.source == place]
            if len(known) < MOST_CHECKS:
                yield Ballot(row, self._voters.machine(path, f"check@{day}"), "check", "confirm", row.revision)
