"""Decides what becomes of candidates as readers answered, and asks about those that nobody has read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cairn.core.model.candidate import CandidateDecision, Fate, KnowledgeCandidate, KnowledgeConflict
from cairn.curate.ask_reader import Placing, Readers
from cairn.curate.import_document import revising
from cairn.curate.place_candidate import answered, decide, proposed, refused
from cairn.curate.place_material import PAGES
from cairn.curate.plan import NoReaderAnswered, WaitsForReader
from cairn.curate.shortlist import Near, PlannedPages, Shortlist, best
from cairn.errors import CairnError
from cairn.jobs.ask import Answer, Outcome, Unanswered

_WAITS = "it is waiting to be read"
_CHANGED = "pages near it change in this run; the next one asks about it"


class PlacingOptions(NamedTuple):
    everything: bool = False
    """Also of candidates that were kept word for word, which can be compared letter by letter."""
    ask: bool = True
    again: bool = False
    """Anew where no reader gave an answer."""


class PlaceDecider:
    """A candidate with a reader's answer has that fate. One that was kept word for word can do without; nobody needs to
    be asked where no page is near."""

    def __init__(
        self,
        readers: Readers,
        wanted: PlacingOptions,
        *,
        shortlist: Shortlist,
        before: PlannedPages,
        conflicts: Sequence[KnowledgeConflict],
        revises: Mapping[str, str],
    ) -> None:
        """`before` are the pages of an open request, without those of this run."""
        self._readers, self._wanted, self._shortlist = readers, wanted, shortlist
        self._before, self._conflicts, self._revises = before, conflicts, revises
        self._looked: dict[str, list[Near]] = {}
        self.readers: dict[str, None] = {}
        """Who gave the answers that were used."""

    def __call__(self, candidate: KnowledgeCandidate, near: Sequence[Near]) -> CandidateDecision:
        if candidate.origin in self._revises:
            return revising(decide, self._revises)(candidate, near)
        if reason := refused(candidate):
            return CandidateDecision(Fate.DROP, candidate.origin, reason)
        shown = self._as_before(candidate)
        placing = self._placing(candidate, shown)
        outcome = self._readers.find(placing.asked)
        if isinstance(outcome, Answer):
            return self._answered(outcome, candidate, placing, shown, near)
        if candidate.verbatim and not self._wanted.everything:
            return decide(candidate, near)
        if not near and not placing.shown and not placing.asked.input["others"]:
            return CandidateDecision(
                Fate.ADD, candidate.origin, "No page is similar to it.", proposed_node=proposed(candidate)
            )
        if near and not shown:
            raise WaitsForReader(_CHANGED)
        return self._not_answered(placing, outcome)

    def looked(self, candidate: KnowledgeCandidate) -> Sequence[Near]:
        """Pages that its reader asked to see."""
        return self._looked.get(candidate.origin, ())

    def _as_before(self, candidate: KnowledgeCandidate) -> list[Near]:
        """The nearest pages without what this run does: all its questions can be asked at the same time."""
        known = [*self._before.over(self._shortlist(candidate)), *self._before.near(candidate)]
        return best(candidate, known)

    def _placing(self, candidate: KnowledgeCandidate, near: Sequence[Near]) -> Placing:
        return self._readers.placed(candidate, near, self._conflicts)

    def _not_answered(self, placing: Placing, outcome: Outcome | None) -> CandidateDecision:
        if isinstance(outcome, Unanswered) and not self._wanted.again:
            raise NoReaderAnswered(f"no reader could answer: {outcome.message or outcome.reason}")
        if self._wanted.ask:
            self._readers.ask(placing.asked, again=self._wanted.again)
        raise WaitsForReader(_WAITS)

    def _answered(
        self,
        answer: Answer,
        candidate: KnowledgeCandidate,
        placing: Placing,
        shown: Sequence[Near],
        near: Sequence[Near],
    ) -> CandidateDecision:
        """Unless this run makes a page that comes nearest, or changes the words that would be replaced: then the reader
        has to see that."""
        known = {page.path for page in shown[:PAGES]}
        if near and near[0].path not in known and answer.value["fate"] == Fate.ADD:
            raise WaitsForReader(_CHANGED)
        self._looked[candidate.origin] = looked = self._readers.pages_of(placing, near)
        pages = [*near, *looked]
        try:
            found = answered(answer.value, candidate, pages, placing.shown)
        except CairnError:
            raise WaitsForReader(_CHANGED) from None
        self.readers.setdefault(f"{answer.runner or 'reader'}/{answer.model or '?'}")
        return found
