"""Where the pages of a plan go: into the one open request of the curator, or into the work tree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cairn.changes.gate import Gates
from cairn.changes.gate_registry import gates_of
from cairn.changes.make_change import base_commit
from cairn.changes.record import catch_up
from cairn.changes.requests import HOLDING, Held, publish_change
from cairn.changes.write import write_file
from cairn.core.model.candidate import Conflict as ConflictFile
from cairn.core.model.candidate import Failure
from cairn.core.model.change import ChangeRequest, ChangeSet, Edit, Level, Ruling
from cairn.curate.conflicts import conflict_text
from cairn.curate.index_documents import Rebuilt, bases, documents_with, rebuild_documents
from cairn.curate.journal import Landed, carry_out
from cairn.curate.node_files import paths_of
from cairn.curate.page_view import WorkPages
from cairn.curate.plan import How, PageEdit, Plan, Planner, digest
from cairn.curate.ports import CuratePorts
from cairn.curate.proposal import ORIGIN, SUBJECT, change_of
from cairn.curate.stamp import Stamp
from cairn.curate.state import CONFLICTS, CurateState
from cairn.errors import CairnError, Conflict


def base_of(ports: CuratePorts, how: How) -> str:
    """The commit that a request is made for. Edits of the work tree need none: a workspace may lie in no repository."""
    try:
        return base_commit(ports)
    except CairnError:
        if how == "request":
            raise
        return ""


# --- the request that is open already -------------------------------------------------------------------------------


class OpenRequest(NamedTuple):
    request: ChangeRequest
    change: ChangeSet

    @property
    def texts(self) -> dict[str, str]:
        known = self.change.edits
        return {
            edit.path: edit.content.decode("utf-8", "surrogateescape") for edit in known if edit.content is not None
        }

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(str(run) for run in self.request.evidence.get("runs", ()))

    def into(self, planner: Planner, pages: WorkPages, ports: CuratePorts, base: str) -> None:
        """What it proposes is where a later run goes on. Documents are made anew of all of it."""
        made = {path for corpus in bases(ports) for path in paths_of(corpus)}
        paths = [path for path in self.texts if path not in made]
        before = ports.vcs.show([(base, path) for path in paths])
        for path, data in zip(paths, before, strict=True):
            near = pages.near(path)
            old = None if data is None else digest(data.decode("utf-8", "surrogateescape"))
            planner.edits[path] = PageEdit(path, near.id if near else path, old, self.texts[path], ())
            if near is not None:
                planner.planned.put(replace(near, planned=old is None))
        planner.taint = max(planner.taint, self.request.taint)


def open_request(ports: CuratePorts) -> OpenRequest | None:
    found = [one for one in ports.forge.requests() if one.active and (one.origin, one.subject) == (ORIGIN, SUBJECT)]
    if not found:
        return None
    try:
        return OpenRequest(found[0], ports.forge.change(found[0].id))
    except Conflict as conflict:
        raise Conflict(
            f"The open request {found[0].id} does not fit the base branch any more; merge it by hand or run "
            f"`cairn change close {found[0].id}`, then curate again. {conflict.message}",
            id=found[0].id,
        ) from None


# --- looking before leaping -----------------------------------------------------------------------------------------


def moved(ports: CuratePorts, plan: Plan) -> dict[str, str]:
    """Pages that are not what the plan was made from, each with what to do about it."""
    ours = [edit for edit in plan.edits if edit.origins]
    if not ours:
        return {}
    if plan.how == "here":
        pages = WorkPages(ports, {})
        found = [pages.here(edit.path) for edit in ours]
        why = "was edited while this run looked at it; the next run looks again"
    else:
        tip = base_of(ports, "request")
        at_base = ports.vcs.show([(tip, edit.path) for edit in ours])
        found = [None if data is None else data.decode("utf-8", "surrogateescape") for data in at_base]
        why = "is not here what it is on the base branch; commit and merge it, or undo your edits"
    return {
        edit.path: f"{edit.path} {why}" for edit, text in zip(ours, found, strict=True) if not _is(text, edit.before)
    }


def _is(text: str | None, hash: str | None) -> bool:
    return (None if text is None else digest(text)) == hash


def without_blocked(ports: CuratePorts, plan: Plan) -> Plan:
    """Without what a gate blocks: the rest need not wait for it. What may not leave at all waits, and what is held up
    by other pages; what only a person may let in becomes a conflict."""
    judge = _Judge(gates_of(ports), plan)
    plan = plan.without_conflicts({one.id: said for one in plan.conflicts if (said := judge.of_conflict(one))})
    ours = [edit for edit in plan.edits if edit.origins]
    if not ours or not judge.blocking(plan):
        return plan
    found = {edit.path: judge.blocking(_alone(plan, edit)) for edit in ours}
    why = {path: f"{rulings[0].gate}: {rulings[0].reason}" for path, rulings in found.items() if rulings}
    waits = {path for path, rulings in found.items() if any(_must_wait(path, ruling) for ruling in rulings)}
    plan = plan.without({path: reason for path, reason in why.items() if path in waits})
    return plan.for_a_person({path: reason for path, reason in why.items() if path not in waits})


def _must_wait(path: str, ruling: Ruling) -> bool:
    """For a secret nobody may answer; and what is wrong with other pages says nothing against this one."""
    named = [fact["path"] for fact in ruling.evidence if "path" in fact]
    return ruling.gate in HOLDING or (bool(named) and path not in named)


def _alone(plan: Plan, edit: PageEdit) -> Plan:
    """What is said about one page, and that page."""
    return replace(plan, edits=(edit,), fates=tuple(one for one in plan.fates if one.path == edit.path), already=())


class _Judge:
    def __init__(self, gates: Gates, plan: Plan) -> None:
        self._gates, self._base = gates, plan.base

    def blocking(self, plan: Plan) -> list[Ruling]:
        return [ruling for ruling in self._gates.judge(change_of(plan)) if ruling.level is Level.BLOCK]

    def of_conflict(self, conflict: ConflictFile) -> str:
        """Conflicts are committed, so a secret must not get into one either."""
        edit = Edit(f"{CONFLICTS}/{conflict.id}.md", conflict_text(conflict).encode("utf-8", "replace"))
        change = ChangeSet(ORIGIN, conflict.id, self._base, (edit,), "A conflict")
        found = [one for one in self._gates.judge(change) if one.gate in HOLDING and one.level is Level.BLOCK]
        return f"{found[0].gate}: {found[0].reason}" if found else ""


# --- doing it ---------------------------------------------------------------------------------------------------------


class AppHands:
    """Carries a plan out. Each step may be asked for again after a death, and does then what is missing."""

    def __init__(self, ports: CuratePorts) -> None:
        self._ports, self._state = ports, CurateState(ports)

    def through(self, plan: Plan, at: str) -> Landed:
        return carry_out(plan, self, at=at)

    def land(self, plan: Plan) -> Landed:
        if not any(edit.origins for edit in plan.edits):
            return Landed()
        return self._write(plan) if plan.how == "here" else self._request(plan)

    def _write(self, plan: Plan) -> Landed:
        pages = WorkPages(self._ports, {})
        written: list[str] = []
        left: dict[str, str] = {}
        for edit in plan.edits:
            current = pages.here(edit.path)
            if current == edit.text:
                written.append(edit.path)
            elif _is(current, edit.before):
                write_file(self._ports.root, edit.path, edit.text.encode("utf-8", "surrogateescape"))
                written.append(edit.path)
            else:
                left[edit.path] = f"{edit.path} was edited meanwhile; the next run looks again"
        return self._with_documents(Landed(written=tuple(written), left=left))

    def _with_documents(self, landed: Landed) -> Landed:
        """What lists the pages. That the pages are there does not depend on it."""
        try:
            rebuilt = rebuild_documents(self._ports) if landed.written else Rebuilt()
        except CairnError as error:
            return landed._replace(stale=error.message)
        return landed._replace(documents=rebuilt.changed, stale=rebuilt.problem)

    def _request(self, plan: Plan) -> Landed:
        """Found by the run that it names, where it was opened before a death; the ledger may not have heard of it."""
        known = self._ports.forge.requests()
        catch_up(self._ports, known)
        for request in known:
            if request.origin == ORIGIN and (
                plan.run_id in request.evidence.get("runs", ()) or plan.run_id in request.body
            ):
                return Landed(request=request.id)
        before = self._evidence(plan)
        result = publish_change(self._ports, change_of(plan, before, self._documents(plan)))
        return Landed(held=result.reason) if isinstance(result, Held) else Landed(request=result.request.id)

    def _documents(self, plan: Plan) -> Mapping[str, str]:
        """What lists the pages, where the forge is ours. Others merge line by line: there two requests that both make a
        document anew are a conflict, and a document that is out of date is the lesser evil."""
        if self._ports.forge.name != "local":
            return {}
        return documents_with(self._ports, plan.base, {edit.path: edit.text for edit in plan.edits})

    def _evidence(self, plan: Plan) -> Mapping[str, Any] | None:
        """Of the request that the plan takes up."""
        known = [one for one in self._ports.forge.requests() if one.active and one.origin == ORIGIN]
        return next((one.evidence for one in known if plan.already and one.subject == SUBJECT), None)

    def write_conflict(self, conflict: ConflictFile) -> None:
        if not self._state.has_conflict(conflict):  # else somebody may have settled it already
            self._state.write_conflict(conflict)

    def keep_failures(self, failures: Sequence[Failure], settled: Sequence[str]) -> None:
        self._state.keep_failures(failures, settled)

    def stamp(self, stamps: Sequence[Stamp]) -> None:
        from cairn.curate.pending_candidates import mark_logs

        self._state.stamp(stamps)
        mark_logs(self._ports, stamps, self._state.stamps())

    def forget_plan(self) -> None:
        self._state.forget_plan()
