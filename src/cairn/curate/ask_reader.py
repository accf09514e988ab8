"""Asks readers about sessions, documents and candidates, and finds what they answered."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate, KnowledgeConflict
from cairn.core.model.change import Taint
from cairn.core.model.session import SessionLog
from cairn.core.ports.graph import NodeFilter
from cairn.core.ports.jobs import JobFilter
from cairn.core.session_log import KeptSession, SpokenText, sessions, text_of
from cairn.curate.curated_pages import KINDS, Neighbours, WorkPages
from cairn.curate.place_material import PAGES, place_input, session_evidence, told_evidence
from cairn.curate.ports import CuratePorts
from cairn.curate.questions.distil.question import QUESTION as DISTIL
from cairn.curate.questions.found_candidates import candidates_in
from cairn.curate.questions.learned.question import QUESTION as LEARNED
from cairn.curate.questions.place.question import QUESTION as PLACE
from cairn.curate.session_candidates import QuestionAsked, ReaderFailure, ReaderOutcome
from cairn.curate.session_material import learned_input, next_part, subject_of
from cairn.curate.shortlist import Near, best, is_foreign, is_weak
from cairn.jobs.ask import (
    Answer,
    AskedQuestion,
    Outcome,
    QuestionCost,
    Unanswered,
    Waiting,
    ask,
    estimate,
    look_up,
    outcome_of,
)
from cairn.jobs.finish import cancel

QUESTIONS: Final = (LEARNED, DISTIL, PLACE)
_SHOWN: Final = 8
_EXAMPLES: Final = 3
"""Pages that show how a base is written."""
_OTHERS: Final = 100
"""Pages whose titles and summaries are shown where none is near."""
_CANDIDATE: Final = "candidate:"

SessionOutcome = ReaderOutcome | ReaderFailure | QuestionAsked


class Placing(NamedTuple):
    """A candidate's question about its place, and what the reader is shown of the pages."""

    asked: AskedQuestion
    shown: Mapping[str, str]
    """By the id of the page."""


class DocumentAnswers(NamedTuple):
    """What readers found in the parts of a document."""

    items: tuple[Mapping[str, Any], ...]
    problems: tuple[str, ...]
    """Why others were set aside."""
    failed: str
    """Why there is no answer about a part."""
    waits: bool
    """A part waits to be read."""


def _about(facts: Mapping[str, Any], path: str) -> AskedQuestion:
    return AskedQuestion(DISTIL, path, facts, Taint.OUTSIDE if facts["outside"] else Taint.REPOSITORY)


def cost_of(inputs: Iterable[Mapping[str, Any]], path: str) -> list[QuestionCost]:
    """Of asking about each part of a document."""
    return [estimate(_about(facts, path)) for facts in inputs]


class Readers:
    """The questions of this room. Asking twice is free, and finding an answer asks nothing."""

    def __init__(self, ports: CuratePorts) -> None:
        self._ports = ports
        self.answered_by: str | None = None
        """The record of the answer that was found last."""
        self._texts: dict[str, list[SpokenText]] = {}

    @property
    def _jobs(self) -> Any:
        return self._ports.store.jobs

    def ask(self, asked: AskedQuestion, *, again: bool = False) -> Outcome:
        """What asks about an older state of the same subject is cancelled: nobody needs the answer."""
        outcome = ask(
            asked, store=self._jobs, settings=self._ports.settings, now_ms=self._ports.clock.now_ms(), again=again
        )
        if isinstance(outcome, Waiting):
            self._cancel_older(outcome)
        return outcome

    def _cancel_older(self, waiting: Waiting) -> None:
        job = waiting.job
        same = JobFilter(statuses=("queued",), actions=(job.action_id,), node=job.node_id)
        for other in self._jobs.jobs(same) if job.node_id.startswith(_CANDIDATE) else ():
            if other.question_hash != job.question_hash:
                cancel(other.id, store=self._jobs, now_ms=self._ports.clock.now_ms())

    def find(self, asked: AskedQuestion) -> Outcome | None:
        return look_up(asked, store=self._jobs)

    def found(self, question: str) -> Outcome | None:
        """By its hash."""
        return outcome_of(question, store=self._jobs)

    # --- sessions ------------------------------------------------------------------------------------------------

    def session_answer(self, log: SessionLog, where: str) -> SessionOutcome | None:
        """To the question that its log names; None when nobody knows of that question."""
        outcome = None if log.question is None else self.found(log.question)
        return None if outcome is None else self._of_session(outcome, log, where, log.asked_through)

    def ask_session(
        self,
        log: SessionLog,
        messages: Sequence[SpokenText],
        end: int,
        found: Sequence[KnowledgeCandidate],
        *,
        where: str,
        again: bool,
    ) -> SessionOutcome:
        """About the next part that nobody has read."""
        part = next_part(messages, log.curated_through, end)
        if part is None:
            return ReaderOutcome((), end)
        date = log.updated_at or log.captured_at
        facts = learned_input(
            part,
            session=log.session_id,
            date=date,
            found=found,
            near=self.near,
            others=lambda: self.some_pages(_EXAMPLES),
        )
        taint = Taint.OUTSIDE if any(one["outside"] for one in part.messages) else Taint.MODEL
        asked = AskedQuestion(LEARNED, subject_of(log.session_id, part), facts, taint)
        outcome = self.ask(asked, again=again)
        if isinstance(outcome, Waiting):
            return QuestionAsked(asked.hash, part.through)
        return self._of_session(outcome, log, where, part.through)

    def _of_session(self, outcome: Outcome, log: SessionLog, where: str, through: int) -> SessionOutcome:
        match outcome:
            case Waiting():
                return QuestionAsked(log.question or "", through)
            case Unanswered(reason, message, execution):
                self.answered_by = execution
                return ReaderFailure(message or reason)
            case Answer(value, complete, problems, _, _, execution):
                self.answered_by = execution
                said_at = log.updated_at or log.captured_at
                new = tuple(candidates_in(value, where=where, said_at=said_at, origin=lambda _: ""))
                return ReaderOutcome(new, through) if complete else ReaderFailure("; ".join(problems), new)

    # --- documents -----------------------------------------------------------------------------------------------

    def ask_document(self, inputs: Sequence[Mapping[str, Any]], path: str, *, again: bool = False) -> list[str]:
        """The hashes of the questions about its parts."""
        asked = [_about(facts, path) for facts in inputs]
        for one in asked:
            self.ask(one, again=again)
        return [one.hash for one in asked]

    def about(self, inputs: Sequence[Mapping[str, Any]], path: str) -> list[str]:
        """The hashes of the questions, which need not have been asked."""
        return [_about(facts, path).hash for facts in inputs]

    def document_answers(self, questions: Sequence[str]) -> DocumentAnswers | None:
        """To these questions; None when nobody knows of one of them."""
        outcomes = [self.found(question) for question in questions]
        if any(one is None for one in outcomes):
            return None
        failed = [one.message or one.reason for one in outcomes if isinstance(one, Unanswered)]
        answers = [one for one in outcomes if isinstance(one, Answer)]
        problems = [problem for one in answers for problem in one.problems]
        items = tuple(item for one in answers for item in one.value["candidates"])
        waits = any(isinstance(one, Waiting) for one in outcomes)
        return DocumentAnswers(items, tuple(problems), "; ".join(failed), waits)

    # --- candidates ----------------------------------------------------------------------------------------------

    def others(self, candidate: KnowledgeCandidate, near: Sequence[Near]) -> list[Near]:
        """Pages whose titles are shown, where it is in another language and none of the nearest pages is like it."""
        others = self.some_pages(_OTHERS) if is_weak(candidate, near[:PAGES]) else []
        return [page for page in others if not page.broken] if is_foreign(candidate, others) else []

    def placing(
        self,
        candidate: KnowledgeCandidate,
        near: Sequence[Near],
        conflicts: Sequence[KnowledgeConflict],
        others: Sequence[Near] = (),
    ) -> Placing:
        evidence = self._evidence(candidate)
        facts = place_input(candidate, near, evidence=evidence, decided=conflicts, others=others)
        shown = {page["id"]: page["text"] for page in facts["pages"]}
        return Placing(AskedQuestion(PLACE, f"{_CANDIDATE}{candidate.origin}", facts, candidate.taint), shown)

    def _evidence(self, candidate: KnowledgeCandidate) -> list[dict[str, Any]]:
        kept = self._logs.get(candidate.origin.rsplit(":", 2)[0])
        if kept is None:
            return told_evidence(candidate)
        return session_evidence(candidate, self._said(kept), kept.log.updated_at or kept.log.captured_at)

    @cached_property
    def _logs(self) -> dict[str, KeptSession]:
        return {kept.log.session_id: kept for kept in sessions(self._ports.session_logs())}

    def _said(self, kept: KeptSession) -> list[SpokenText]:
        from cairn.curate.propose import said_in

        if kept.name not in self._texts:
            self._texts[kept.name] = said_in(text_of(self._ports.session_logs(), kept.name), kept.log)
        return self._texts[kept.name]

    # --- pages ---------------------------------------------------------------------------------------------------

    def near(self, candidate: KnowledgeCandidate) -> list[Near]:
        return best(candidate, self._neighbours(candidate), top=_SHOWN)

    def some_pages(self, most: int) -> list[Near]:
        """The first ones of the base."""
        self._ports.update_graph()
        pages = WorkPages(self._ports, {})
        nodes = self._ports.store.find_nodes(NodeFilter(kinds=KINDS, limit=most))
        return [page for node in nodes if (page := pages.near(node.path)) is not None]

    @cached_property
    def _neighbours(self) -> Neighbours:
        self._ports.update_graph()
        return Neighbours(self._ports, WorkPages(self._ports, {}))
