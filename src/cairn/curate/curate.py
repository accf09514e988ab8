"""Curating a workspace: pending candidates in, one plan, one change request or edits here, and a stamp for each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.ports.runtime import Lease
from cairn.curate.ask_places import PlaceDecider, PlacingOptions
from cairn.curate.ask_reader import Readers
from cairn.curate.curated_pages import Neighbours, WorkPages, broken_pages
from cairn.curate.land_plan import AppHands, base_of, moved, open_request, without_blocked
from cairn.curate.old_base import at_work
from cairn.curate.plan import CuratePlan, How, Planner, WaitingCandidate
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import ASKED, CurateState, FateStamp, LandResult, still_waiting
from cairn.curate.shortlist import PlannedPages
from cairn.journal import iso_utc, new_id

LOCK: Final = "curate"
LOCK_TTL_MS: Final = 600_000
RULES: Final = "rules"
"""As who decided: candidates were compared letter by letter."""
_TRIES: Final = 2
"""How often a run plans anew because somebody edited a page meanwhile."""


class CurateOptions(NamedTuple):
    how: How = "request"
    dry_run: bool = False
    retry_failed: bool = False
    """Only those that failed before."""
    most: int | None = None
    """Sessions of one run."""
    everything: bool = False
    """A reader decides about all candidates, also about those that were kept word for word."""


class CurateResult(NamedTuple):
    plan: CuratePlan
    landed: LandResult = LandResult()
    waiting: tuple[WaitingCandidate, ...] = ()
    resumed: str = ""
    """The run that was finished first, because it had been stopped in the middle."""
    problems: tuple[str, ...] = ()
    """What could not be read, a sentence each: proposals, conflicts."""
    broken: tuple[str, ...] = ()
    """Pages that have to be mended before they can be edited."""

    @property
    def left(self) -> bool:
        """Whether something failed, or has to wait for a person."""
        return bool(self.plan.failures or self.waiting)


_AS_USUAL: Final = CurateOptions()


def curate(
    ports: CuratePorts,
    wanted: CurateOptions = _AS_USUAL,
    candidates: Sequence[KnowledgeCandidate] | None = None,
    revises: Mapping[str, str] | None = None,
) -> CurateResult:
    """All that is pending, or the candidates that are given. One run at a time. `revises` says of which page, by its
    path, a candidate is the new wording, by its origin."""
    CurateState(ports).refuse_tracked()
    if wanted.dry_run:
        return _Run(ports, wanted, None, revises).rehearse(candidates)
    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS) as lease:
        return _Run(ports, wanted, lease, revises).carry_out(candidates)


class _Run:
    def __init__(
        self, ports: CuratePorts, wanted: CurateOptions, lease: Lease | None, revises: Mapping[str, str] | None = None
    ) -> None:
        self._ports, self._wanted, self._lease, self._revises = ports, wanted, lease, revises or {}
        self._state = CurateState(ports)
        self._now = iso_utc(ports.clock.now_ms())
        self._id = new_id(ports.clock.now_ms())
        self._problems: list[str] = at_work(ports)
        self._broken: list[str] = []
        self._readers = Readers(ports)

    def rehearse(self, candidates: Sequence[KnowledgeCandidate] | None) -> CurateResult:
        plan = self._planned(self._pending(candidates))
        return self._told(plan, LandResult(), plan.waiting, "")

    def carry_out(self, candidates: Sequence[KnowledgeCandidate] | None) -> CurateResult:
        resumed = self._finish_what_was_left()
        plan = self._planned(self._pending(candidates))
        self._ask_again(plan)
        if not (plan.fates or plan.failures):
            return self._told(plan, LandResult(), plan.waiting, resumed)
        self._state.keep_plan(plan)
        landed = AppHands(self._ports).through(plan, self._now)
        return self._told(plan, landed, still_waiting(plan, landed), resumed)

    def _told(
        self, plan: CuratePlan, landed: LandResult, waiting: tuple[WaitingCandidate, ...], resumed: str
    ) -> CurateResult:
        problems = tuple(dict.fromkeys(self._problems))
        return CurateResult(plan, landed, waiting, resumed, problems, tuple(self._broken))

    def _ask_again(self, plan: CuratePlan) -> None:
        """Candidates that failed, and about which a reader was asked once more."""
        if self._wanted.retry_failed and plan.unread:
            origins = [one.origin for one in plan.unread]
            self._state.keep_failures((), origins)
            self._state.stamp([FateStamp(one, ASKED, plan.run_id, plan.made_at) for one in origins])

    def _finish_what_was_left(self) -> str:
        """A plan that was written down is carried out, whoever was killed over it."""
        plan = self._state.plan()
        if plan is None:
            self._state.forget_plan()
            return ""
        AppHands(self._ports).through(plan, plan.made_at)
        return plan.run_id

    def _pending(self, given: Sequence[KnowledgeCandidate] | None) -> list[KnowledgeCandidate]:
        from cairn.curate.pending_candidates import is_due, pending

        stamps, again = self._state.stamps(), self._wanted.retry_failed
        if given is not None:
            return [one for one in given if is_due(stamps.get(one.origin), retry_failed=again)]
        found = pending(self._ports, stamps, most=self._wanted.most, retry_failed=again)
        self._problems += found.problems
        return found.candidates

    # --- planning ------------------------------------------------------------------------------------------------

    def _planned(self, candidates: Sequence[KnowledgeCandidate]) -> CuratePlan:
        """Planned anew when somebody changes one of its pages meanwhile; who keeps changing it is left alone."""
        if not candidates:
            return CuratePlan(self._id, self._now, self._wanted.how, "")
        self._scan()
        for _ in range(_TRIES):
            base = base_of(self._ports, self._wanted.how)
            plan = self._once(candidates, base)
            changed = moved(self._ports, plan)
            if not changed or (plan.how == "request" and base_of(self._ports, plan.how) == base):
                break
        return without_blocked(self._ports, plan.without(changed))

    def _scan(self) -> None:
        """So that the pages of a minute ago are among those that a candidate is compared with."""
        from cairn.graph.run_scan import run_scan

        scanned = run_scan(self._ports, self._ports.scan_request(), take_first=True, remember=False)
        self._problems += scanned.warnings
        self._broken += broken_pages(self._ports)

    def _once(self, candidates: Sequence[KnowledgeCandidate], base: str) -> CuratePlan:
        taken_up = open_request(self._ports) if self._wanted.how == "request" else None
        pages = WorkPages(self._ports, taken_up.texts if taken_up else {})
        conflicts, problems = self._state.conflicts()
        self._problems += problems
        neighbours = Neighbours(self._ports, pages, self._revises)
        before = PlannedPages()
        decider = PlaceDecider(
            self._readers,
            PlacingOptions(self._wanted.everything, not self._wanted.dry_run, self._wanted.retry_failed),
            neighbours=neighbours,
            before=before,
            conflicts=conflicts,
            revises=self._revises,
        )
        planner = Planner(
            run_id=self._id,
            now=self._now,
            decide=decider,
            shortlist=neighbours,
            also=decider.added,
            pages=pages,
            known_conflicts=conflicts,
            how=self._wanted.how,
            heartbeat=self._lease.beat if self._lease else lambda: None,
        )
        if taken_up is not None:
            taken_up.into(planner, pages, self._ports, base)
            before.take(planner.planned)
        planner.take_all(candidates)
        curator = ", ".join(decider.readers) or RULES
        return planner.plan(base, curator, taken_up.runs if taken_up else ())


def merged(first: CurateResult, second: CurateResult) -> CurateResult:
    """Two runs of one command as one result: what waits is what waits after the second."""
    one, two = first.plan, second.plan
    edits = {edit.path: edit for edit in one.edits}
    for edit in two.edits:
        before = edits.get(edit.path)
        both = edit._replace(before=before.before, origins=(*before.origins, *edit.origins)) if before else edit
        edits[edit.path] = both
    plan = replace(
        two,
        curator=two.curator if two.fates else one.curator,
        fates=(*one.fates, *two.fates),
        edits=tuple(edits.values()),
        conflicts=(*one.conflicts, *two.conflicts),
        taint=max(one.taint, two.taint),
    )
    landed = second.landed._replace(
        request=second.landed.request or first.landed.request,
        written=tuple(dict.fromkeys((*first.landed.written, *second.landed.written))),
        documents=tuple(dict.fromkeys((*first.landed.documents, *second.landed.documents))),
    )
    problems = tuple(dict.fromkeys((*first.problems, *second.problems)))
    return CurateResult(plan, landed, second.waiting, first.resumed or second.resumed, problems, second.broken)
