"""Decides what becomes of candidates as readers answered, and asks about those that nobody has read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cairn.core.model.candidate import CandidateDecision, Fate, KnowledgeCandidate, KnowledgeConflict
from cairn.curate.ask_reader import Placing, Readers
from cairn.curate.curated_pages import Neighbours
from cairn.curate.import_document import revising
from cairn.curate.place_candidate import answered, decide, proposed, refused
from cairn.curate.plan import NoReaderAnswered, WaitsForReader
from cairn.curate.second_look import PlaceLook, look_at_pages
from cairn.curate.shortlist import Near, PlannedPages, best
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
        neighbours: Neighbours,
        before: PlannedPages,
        conflicts: Sequence[KnowledgeConflict],
        revises: Mapping[str, str],
    ) -> None:
        """`before` are the pages of an open request, without those of this run."""
        self._readers, self._wanted, self._neighbours = readers, wanted, neighbours
        self._before, self._conflicts, self._revises = before, conflicts, revises
        self.readers: dict[str, None] = {}
        """Who gave the answers that were used."""
        self._last: tuple[KnowledgeCandidate, PlaceLook] | None = None
        """Of the candidate that is being placed."""

    def __call__(self, candidate: KnowledgeCandidate, near: Sequence[Near]) -> CandidateDecision:
        if candidate.origin in self._revises:
            return revising(decide, self._revises)(candidate, near)
        if reason := refused(candidate):
            return CandidateDecision(Fate.DROP, candidate.origin, reason)
        look = self._look(candidate)
        if isinstance(look.outcome, Answer):
            return self._answered(look.outcome, candidate, look, near)
        if candidate.verbatim and not (self._wanted.everything or look.added):
            return decide(candidate, near)
        if not near and not look.is_asked:
            return CandidateDecision(
                Fate.ADD, candidate.origin, "No page is similar to it.", proposed_node=proposed(candidate)
            )
        if near and not look.seen:
            raise WaitsForReader(_CHANGED)
        return self._not_answered(look.placing, look.outcome)

    def added(self, candidate: KnowledgeCandidate) -> Sequence[Near]:
        """Pages that a reader was shown, or is going to be, beside the nearest ones."""
        return () if candidate.origin in self._revises or refused(candidate) else self._look(candidate).added

    def _look(self, candidate: KnowledgeCandidate) -> PlaceLook:
        if self._last is None or self._last[0] is not candidate:
            near = self._as_before(candidate)
            look = look_at_pages(candidate, near, self._conflicts, readers=self._readers, described=self._described)
            self._last = candidate, look
        return self._last[1]

    def _as_before(self, candidate: KnowledgeCandidate) -> list[Near]:
        """The nearest pages without what this run does: all its questions can be asked at the same time."""
        known = [*self._before.over(self._neighbours(candidate)), *self._before.near(candidate)]
        return best(candidate, known)

    def _described(self, candidate: KnowledgeCandidate, descriptions: Sequence[str]) -> list[Near]:
        return self._before.over(self._neighbours.described(candidate, descriptions))

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
        look: PlaceLook,
        near: Sequence[Near],
    ) -> CandidateDecision:
        """Unless this run makes a page that comes nearest, or changes the words that would be replaced: then the reader
        has to see that."""
        nearest = near[:2]  # the search and the words may each have one
        if any(page.path not in look.seen for page in nearest) and answer.value["fate"] == Fate.ADD:
            raise WaitsForReader(_CHANGED)
        try:
            found = answered(answer.value, candidate, near, look.placing.shown)
        except CairnError:
            raise WaitsForReader(_CHANGED) from None
        self.readers.setdefault(f"{answer.runner or 'reader'}/{answer.model or '?'}")
        return found
