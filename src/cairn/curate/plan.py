"""The plan of a run: every candidate with its one fate, the pages as they will be, conflicts, and what has to wait."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, NamedTuple, Protocol

from cairn.core.isolate import item
from cairn.core.model.candidate import (
    CandidateDecision,
    DecisionFailure,
    Fate,
    KnowledgeCandidate,
    KnowledgeConflict,
    ProposedNode,
)
from cairn.core.model.change import Taint
from cairn.core.model.knowledge import Corpus
from cairn.curate.conflicts import EDIT, MERGE, REPLACE, same_as
from cairn.curate.curated_pages import NewPage, as_planned, edited_page, id_in, near_of, new_page, path_in
from cairn.curate.place_candidate import Decide, proposed
from cairn.curate.revise_page import revision_value
from cairn.curate.shortlist import Key, Near, PlannedPages, Shortlist, best, fold, follows, key_of
from cairn.errors import CairnError
from cairn.errors import Conflict as Taken
from cairn.knowledge.base import KnowledgeBase
from cairn.lib.text.names import unused

How = Literal["request", "here"]


class CandidateFate(NamedTuple):
    """A candidate and what becomes of it."""

    candidate: KnowledgeCandidate
    action: CandidateDecision
    path: str = ""
    """Of the page or the conflict that it leads to."""


class PageEdit(NamedTuple):
    path: str
    id: str
    before: str | None
    """Hash of the text that it was made from; None for a page that is not there yet."""
    text: str
    origins: tuple[str, ...]


class WaitingCandidate(NamedTuple):
    """A candidate that keeps its place in the queue, and why."""

    origin: str
    reason: str
    title: str = ""


class WaitsForReader(Exception):
    """A candidate was not placed: a reader was asked, or has to be."""


class NoReaderAnswered(Exception):
    """A candidate was not placed: its question failed for good. The message says why."""


@dataclass(frozen=True, slots=True)
class CuratePlan:
    run_id: str
    made_at: str
    how: How
    base: str
    curator: str = "rules"
    fates: tuple[CandidateFate, ...] = ()
    edits: tuple[PageEdit, ...] = ()
    conflicts: tuple[KnowledgeConflict, ...] = ()
    failures: tuple[DecisionFailure, ...] = ()
    waiting: tuple[WaitingCandidate, ...] = ()
    taint: Taint = Taint.PERSON
    """The worst of what its edits followed."""
    already: tuple[str, ...] = ()
    """Runs whose open request this one takes up."""
    unread: tuple[WaitingCandidate, ...] = ()
    """Candidates whose question to a reader waits for its answer."""

    def count(self, fate: Fate) -> int:
        return sum(one.action.fate is fate for one in self.fates)

    def without(self, paths: Mapping[str, str]) -> "CuratePlan":
        """Pages that must be left alone, each with why; their candidates wait."""
        held = {origin: paths[edit.path] for edit in self.edits if edit.path in paths for origin in edit.origins}
        return replace(
            self,
            fates=tuple(one for one in self.fates if one.candidate.origin not in held),
            edits=tuple(edit for edit in self.edits if edit.path not in paths),
            waiting=(*self.waiting, *self._waiting(held)),
        )

    def _waiting(self, held: Mapping[str, str]) -> Iterator[WaitingCandidate]:
        titles = {one.candidate.origin: one.candidate.title for one in self.fates}
        return (WaitingCandidate(origin, reason, titles.get(origin, "")) for origin, reason in held.items())

    def without_conflicts(self, ids: Mapping[str, str]) -> "CuratePlan":
        """Each with why; their candidates wait."""
        held = {one.candidate_origin: ids[one.id] for one in self.conflicts if one.id in ids}
        return replace(
            self,
            fates=tuple(one for one in self.fates if one.candidate.origin not in held),
            conflicts=tuple(one for one in self.conflicts if one.id not in ids),
            waiting=(*self.waiting, *self._waiting(held)),
        )

    def for_a_person(self, paths: Mapping[str, str]) -> "CuratePlan":
        """What a gate does not let into these pages becomes a conflict: a person may let it in."""
        taken = [one for one in self.fates if one.path in paths and one.action.fate is Fate.MODIFY]
        raised = [
            _conflict(one, f"{self.run_id}-{number}", self, paths[one.path])
            for number, one in enumerate(taken, len(self.conflicts) + 1)
        ]
        asked = {
            one.candidate.origin: CandidateFate(one.candidate, _asking(one.action, conflict), conflict.id)
            for one, conflict in zip(taken, raised, strict=True)
        }
        rest = replace(
            self,
            fates=tuple(asked.get(one.candidate.origin, one) for one in self.fates),
            conflicts=(*self.conflicts, *raised),
            edits=tuple(edit._replace(origins=tuple(o for o in edit.origins if o not in asked)) for edit in self.edits),
        )
        return rest.without(paths)


def _conflict(one: CandidateFate, id: str, plan: CuratePlan, reason: str) -> KnowledgeConflict:
    candidate = one.candidate
    return KnowledgeConflict(
        id=id,
        status="pending",
        detected_at=plan.made_at,
        run_id=plan.run_id,
        candidate_origin=candidate.origin,
        target_node_id=one.action.target_node_id,
        rationale=f"{one.action.rationale} {reason}",
        proposed=proposed(candidate),
        derived_from=candidate.derived_from,
        taint=candidate.taint,
        extra={"resolution": EDIT, **revision_value(one.action.revision)}
        if one.action.revision
        else {"resolution": MERGE},
    )


def _resolution(action: CandidateDecision, candidate: KnowledgeCandidate) -> dict[str, Any]:
    """How accepting the conflict changes the page."""
    if action.revision is not None:
        return {"resolution": EDIT, **revision_value(action.revision)}
    node = action.proposed_node
    return {} if node is None or node.body.strip() == candidate.body.strip() else {"resolution": REPLACE}


def _asking(action: CandidateDecision, conflict: KnowledgeConflict) -> CandidateDecision:
    return replace(action, fate=Fate.CONTRADICT, rationale=conflict.rationale, proposed_node=conflict.proposed)


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class PlannerPages(Protocol):
    """What the planner may know of the pages of the workspace."""

    @property
    def knowledge(self) -> KnowledgeBase: ...

    def read(self, path: str) -> str | None:
        """As it stands now; None when it is not there."""
        ...

    def problem(self, path: str, text: str) -> str:
        """Why a page can't be edited safely; empty when it can."""
        ...

    def place(self, kind: str) -> Corpus:
        """Where a new page goes."""
        ...


@dataclass(slots=True)
class Planner:
    """Takes candidates one after the other; each sees what those before it have changed."""

    run_id: str
    now: str
    decide: Decide
    shortlist: Shortlist
    pages: PlannerPages
    known_conflicts: Sequence[KnowledgeConflict] = ()
    how: How = "request"
    planned: PlannedPages = field(default_factory=PlannedPages)
    also: Shortlist = lambda _: ()
    """Pages that are not near, and that a reader was shown."""
    heartbeat: Callable[[], None] = lambda: None
    fates: list[CandidateFate] = field(default_factory=list)
    edits: dict[str, PageEdit] = field(default_factory=dict)
    conflicts: list[KnowledgeConflict] = field(default_factory=list)
    failures: list[DecisionFailure] = field(default_factory=list)
    waiting: list[WaitingCandidate] = field(default_factory=list)
    unread: list[WaitingCandidate] = field(default_factory=list)
    taint: Taint = Taint.PERSON
    _seen: set[Key] = field(default_factory=set)

    def take_all(self, candidates: Iterable[KnowledgeCandidate]) -> None:
        for group in fold(candidates):
            self.heartbeat()
            self._take_safely(group.leader)
            for one in group.followers:
                self.fates.append(CandidateFate(one, follows(one, group.leader)))

    def _take_safely(self, candidate: KnowledgeCandidate) -> None:
        """One that can't be placed keeps its place in the queue, and the others go on."""
        before = self._taken
        with item(f"candidate {candidate.title!r}"):
            self.take(candidate)
        if before == self._taken:
            self.waiting.append(WaitingCandidate(candidate.origin, "Cairn failed to place it", candidate.title))

    @property
    def _taken(self) -> int:
        return len(self.fates) + len(self.waiting) + len(self.unread) + len(self.failures)

    def take(self, candidate: KnowledgeCandidate) -> None:
        if self.how == "here" and candidate.taint is Taint.OUTSIDE:
            reason = "it followed text from outside, so a person reads it first: run `cairn curate` without --apply"
            self.waiting.append(WaitingCandidate(candidate.origin, reason, candidate.title))
            return
        near = self._near(candidate)
        try:
            action = self.decide(candidate, near)
            self._carry(candidate, self._once(candidate, action, near), near)
        except WaitsForReader as waits:
            self.unread.append(WaitingCandidate(candidate.origin, str(waits), candidate.title))
        except NoReaderAnswered as failed:
            self._failed("unanswered", candidate, "", str(failed))
        except CairnError as error:
            self.waiting.append(WaitingCandidate(candidate.origin, error.message, candidate.title))

    def _near(self, candidate: KnowledgeCandidate) -> list[Near]:
        near = best(candidate, [*self.planned.over(self.shortlist(candidate)), *self.planned.near(candidate)])
        known = {page.path for page in near}
        return near + [page for page in self.planned.over(self.also(candidate)) if page.path not in known]

    def _once(
        self, candidate: KnowledgeCandidate, action: CandidateDecision, near: Sequence[Near]
    ) -> CandidateDecision:
        """What people were asked already, or this run does anyway, is not done again."""
        if action.fate is Fate.CONTRADICT and (known := same_as(candidate, [*self.known_conflicts, *self.conflicts])):
            words = {"pending": "waits for a person already", "kept": "was kept as it is", "rejected": "was rejected"}
            reason = f"The conflict {known.id} says the same and {words.get(known.status, 'is settled')}."
            return CandidateDecision(
                Fate.DROP, action.candidate_origin, reason, action.target_node_id, notes=action.notes
            )
        node = action.proposed_node
        if node is not None and any(page.id == action.target_node_id and page.body == node.body for page in near):
            return action  # only where else it was said is added, and that is never said twice
        key = key_of(action)
        if key is not None and key in self._seen:
            return CandidateDecision(Fate.DROP, action.candidate_origin, "Another candidate of this run does the same.")
        if key is not None:
            self._seen.add(key)
        return action

    def _carry(self, candidate: KnowledgeCandidate, action: CandidateDecision, near: Sequence[Near]) -> None:
        target = next((page for page in near if page.id == action.target_node_id), None)
        if action.fate is Fate.DROP or action.proposed_node is None:
            self.fates.append(CandidateFate(candidate, replace(action, fate=Fate.DROP), target.path if target else ""))
        elif action.fate is Fate.ADD:
            self._add(candidate, action, action.proposed_node)
        elif target is None:
            detail = f"there is no page `{action.target_node_id}` near this candidate"
            self._failed("modify_missing_target", candidate, str(action.target_node_id), detail)
        elif action.fate is Fate.MODIFY:
            self._modify(candidate, action, target, action.proposed_node)
        else:
            self._contradict(candidate, action, action.proposed_node)

    # --- fates -------------------------------------------------------------------------------------------------------

    def _add(self, candidate: KnowledgeCandidate, action: CandidateDecision, node: ProposedNode) -> None:
        corpus = self.pages.place(candidate.kind)
        node = replace(node, kind=candidate.kind)
        wanted = id_in(corpus, node)
        try:
            id = unused(wanted, lambda name: self._is_taken(path_in(corpus, node, name)))
        except Taken as taken:
            self._failed("add_collision", candidate, wanted, taken.message)
            return
        page = new_page(corpus, node, id, candidate.derived_from)
        self._put(candidate, action, page, None)
        if (near := near_of(page.path, page.text, self._within(corpus))) is not None:
            self.planned.put(replace(near, planned=True))

    def _within(self, corpus: Corpus) -> KnowledgeBase:
        known = self.pages.knowledge
        return known if corpus in known.corpora else known._replace(corpora=(*known.corpora, corpus))

    def _is_taken(self, path: str) -> bool:
        return path in self.edits or self.pages.read(path) is not None

    def _modify(self, candidate: KnowledgeCandidate, action: CandidateDecision, page: Near, node: ProposedNode) -> None:
        """The kind of a page never changes: it says where the page lies."""
        node = replace(node, kind="practice" if page.kind == "practice" else "map")
        earlier = self.edits.get(page.path)
        before = earlier.text if earlier else self.pages.read(page.path)
        corpus = self._within(self.pages.place(candidate.kind)).corpus(page.path)
        if before is None or corpus is None:
            self._failed("modify_missing_target", candidate, page.id, f"{page.path} is not there any more")
            return
        if problem := self.pages.problem(page.path, before):
            reason = f"{page.path} has to be mended first: {problem}"
            self.waiting.append(WaitingCandidate(candidate.origin, reason, candidate.title))
            return
        text = edited_page(before, corpus, page, node, candidate.derived_from)
        self._put(candidate, action, NewPage(page.id, page.path, text), before)
        self.planned.put(as_planned(page, node, candidate.derived_from))

    def _contradict(self, candidate: KnowledgeCandidate, action: CandidateDecision, node: ProposedNode) -> None:
        conflict = KnowledgeConflict(
            id=f"{self.run_id}-{len(self.conflicts) + 1}",
            status="pending",
            detected_at=self.now,
            run_id=self.run_id,
            candidate_origin=candidate.origin,
            target_node_id=action.target_node_id,
            rationale=action.rationale,
            proposed=node,
            derived_from=candidate.derived_from,
            taint=candidate.taint,
            suggested_resolution=action.suggested_resolution,
            extra=_resolution(action, candidate),
        )
        self.conflicts.append(conflict)
        self.fates.append(CandidateFate(candidate, action, conflict.id))

    def _put(self, candidate: KnowledgeCandidate, action: CandidateDecision, page: NewPage, before: str | None) -> None:
        earlier = self.edits.get(page.path)
        first = earlier.before if earlier else None if before is None else digest(before)
        origins = (*(earlier.origins if earlier else ()), candidate.origin)
        self.edits[page.path] = PageEdit(page.path, page.id, first, page.text, origins)
        self.taint = max(self.taint, candidate.taint)
        self.fates.append(CandidateFate(candidate, action, page.path))

    def _failed(self, reason: Any, candidate: KnowledgeCandidate, node_id: str, detail: str) -> None:
        self.failures.append(DecisionFailure(reason, candidate.origin, node_id, detail, self.run_id))

    def plan(self, base: str, curator: str, already: tuple[str, ...] = ()) -> CuratePlan:
        return CuratePlan(
            self.run_id,
            self.now,
            self.how,
            base,
            curator,
            tuple(self.fates),
            tuple(self.edits.values()),
            tuple(self.conflicts),
            tuple(self.failures),
            tuple(self.waiting),
            self.taint,
            already,
            tuple(self.unread),
        )
