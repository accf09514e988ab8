"""Curating a workspace: pending candidates in, one plan, one change request or edits here, and a stamp for each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from cairn.changes.write import append_lines
from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.ports.runtime import Lease
from cairn.core.session_log import run_logs
from cairn.curate.curated_pages import Neighbours, WorkPages, broken_pages
from cairn.curate.land_plan import AppHands, base_of, moved, open_request, without_blocked
from cairn.curate.old_base import at_work
from cairn.curate.place_candidate import Decide, decide
from cairn.curate.plan import CuratePlan, How, Planner, WaitingCandidate
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import CurateState, LandResult, still_waiting
from cairn.errors import UsageError
from cairn.journal import iso_utc, new_id

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner

LOCK: Final = "curate"
LOCK_TTL_MS: Final = 600_000
RULES: Final = "rules"
"""No reader: candidates are compared letter by letter."""
_TRIES: Final = 2
"""How often a run plans anew because somebody edited a page meanwhile."""


class CurateOptions(NamedTuple):
    how: How = "request"
    dry_run: bool = False
    retry_failed: bool = False
    """Only those that failed before."""
    provider: str = RULES
    budget: str | None = None
    timeout: float = 120.0
    most: int | None = None
    """Sessions of one run."""


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
    metered: "MeteredRunner | None" = None


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
    _must_be_known(wanted.provider)
    if wanted.dry_run:
        return _Run(ports, wanted, None, revises).rehearse(candidates)
    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS) as lease:
        return _Run(ports, wanted, lease, revises).carry_out(candidates)


def _must_be_known(provider: str) -> None:
    """Said before anything else, also where nothing waits for it."""
    if provider == RULES:
        return
    from cairn.core.model_budget import MODEL_PROVIDERS

    if provider not in ("auto", *MODEL_PROVIDERS):
        known = ", ".join((RULES, "auto", *MODEL_PROVIDERS))
        raise UsageError(f"There is no provider `{provider}`; --provider is one of {known}.")


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
        self._metered: MeteredRunner | None = None

    def rehearse(self, candidates: Sequence[KnowledgeCandidate] | None) -> CurateResult:
        plan = self._planned(self._pending(candidates))
        return self._told(plan, LandResult(), plan.waiting, "")

    def carry_out(self, candidates: Sequence[KnowledgeCandidate] | None) -> CurateResult:
        resumed = self._finish_what_was_left()
        plan = self._planned(self._pending(candidates))
        if not (plan.fates or plan.failures):
            return self._told(plan, LandResult(), plan.waiting, resumed)
        self._state.keep_plan(plan)
        landed = AppHands(self._ports).through(plan, self._now)
        return self._told(plan, landed, still_waiting(plan, landed), resumed)

    def _told(
        self, plan: CuratePlan, landed: LandResult, waiting: tuple[WaitingCandidate, ...], resumed: str
    ) -> CurateResult:
        problems = tuple(dict.fromkeys(self._problems))
        return CurateResult(plan, landed, waiting, resumed, problems, tuple(self._broken), self._metered)

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
        decide_, curator = self._curator()
        for _ in range(_TRIES):
            base = base_of(self._ports, self._wanted.how)
            plan = self._once(candidates, decide_, curator, base)
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

    def _curator(self) -> tuple[Decide, str]:
        if self._wanted.provider == RULES:
            return decide, RULES
        from cairn.curate.place_candidate import ModelCurator

        self._metered = self._ports.model_runner(self._wanted.provider, budget=self._wanted.budget, stage="curate")
        curator = ModelCurator(self._metered, timeout_seconds=self._wanted.timeout, heard=self._keep_answer)
        return curator, f"{self._metered.provider}/{self._metered.model}"

    def _keep_answer(self, origin: str, answer: str) -> None:
        """What a model was paid for is kept, whatever becomes of it; it goes with other logs after some days."""
        if self._wanted.dry_run:
            return
        import json

        stamp = "".join(char for char in self._now[:19] if char.isalnum())
        path = f"{run_logs(self._ports, 'curator')}/{self._id}__{stamp}Z.jsonl"
        append_lines(self._ports.root, path, f"{json.dumps({'origin': origin, 'answer': answer})}\n".encode())

    def _following(self, decide_: Decide) -> Decide:
        """Where documents were edited, their pages follow."""
        if not self._revises:
            return decide_
        from cairn.curate.import_document import revising

        return revising(decide_, self._revises)

    def _once(self, candidates: Sequence[KnowledgeCandidate], decide_: Decide, curator: str, base: str) -> CuratePlan:
        taken_up = open_request(self._ports) if self._wanted.how == "request" else None
        pages = WorkPages(self._ports, taken_up.texts if taken_up else {})
        conflicts, problems = self._state.conflicts()
        self._problems += problems
        planner = Planner(
            run_id=self._id,
            now=self._now,
            decide=self._following(decide_),
            shortlist=Neighbours(self._ports, pages, self._revises),
            pages=pages,
            known_conflicts=conflicts,
            how=self._wanted.how,
            heartbeat=self._lease.beat if self._lease else lambda: None,
        )
        if taken_up is not None:
            taken_up.into(planner, pages, self._ports, base)
        planner.take_all(candidates)
        return planner.plan(base, curator, taken_up.runs if taken_up else ())
