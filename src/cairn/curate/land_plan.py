"""Where the pages of a plan go: into the one open request of the curator, or into the work tree."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cairn.changes.gate import Gates
from cairn.changes.gate_registry import gates_of
from cairn.changes.make_change import base_commit
from cairn.changes.record_requests import catch_up
from cairn.changes.requests import HOLDING, HeldChange, publish_change
from cairn.changes.write import write_file
from cairn.core.model.candidate import DecisionFailure, Fate, KnowledgeConflict
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Label, Level
from cairn.curate.conflicts import conflict_text
from cairn.curate.curated_pages import WorkPages
from cairn.curate.index_documents import Rebuilt, bases, documents_with, paths_of, rebuild_documents
from cairn.curate.plan import CandidateFate, CuratePlan, How, PageEdit, Planner, digest
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import CONFLICTS, CurateState, FateStamp, LandResult, carry_out
from cairn.errors import CairnError, Conflict

ORIGIN: Final = "curate"
SUBJECT: Final = "knowledge"
"""One request at a time: while it is open, later runs add to it."""
KIND: Final = "curation"
LABEL: Final = "knowledge-curation"
_QUOTE: Final = 300
_BREAKS: Final = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def change_of(
    plan: CuratePlan, before: Mapping[str, Any] | None = None, documents: Mapping[str, str] | None = None
) -> ChangeSet:
    """`before` is the evidence of the open request that this run adds to, `documents` what is made of the pages."""
    earlier = list((before or {}).get("candidates", ()))
    written = [one for one in plan.fates if one.action.fate in (Fate.ADD, Fate.MODIFY)]
    origins = [*(str(one.get("origin")) for one in earlier), *(one.candidate.origin for one in written)]
    return ChangeSet(
        origin=ORIGIN,
        subject=SUBJECT,
        base=plan.base,
        edits=(
            *(FileEdit(edit.path, edit.text.encode()) for edit in plan.edits),
            *(FileEdit(path, text.encode()) for path, text in (documents or {}).items()),
        ),
        title=_title(plan, _where(origins)),
        body="\n".join(_body(plan, written, earlier)),
        labels=(Label(LABEL, ORIGIN),),
        evidence={
            "runs": [*plan.already, plan.run_id],
            "curator": plan.curator,
            "candidates": [*earlier, *map(_evidence, written)],
        },
        taint=plan.taint,
        limited=True,
        kind=KIND,
    )


def _title(plan: CuratePlan, where: str) -> str:
    new = sum(edit.before is None for edit in plan.edits)
    old = len(plan.edits) - new
    if len(plan.edits) == 1:
        return f"docs(knowledge): {'add' if new else 'extend'} {plan.edits[0].id}"
    parts = [f"add {_pages(new)}" if new else "", f"extend {_pages(old)}" if old else ""]
    return f"docs(knowledge): {' and '.join(part for part in parts if part)} from {where}"


def _where(origins: Sequence[str]) -> str:
    """What people wrote for agents is a document like any other, as far as who reads a title is concerned."""
    documents = sum(origin.startswith(("document:", "harness-memory:")) for origin in origins)
    return "sessions" if not documents else "documents" if documents == len(origins) else "sessions and documents"


def _pages(number: int) -> str:
    return f"{number} page{'' if number == 1 else 's'}"


def _body(plan: CuratePlan, written: Sequence[CandidateFate], earlier: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What somebody said stays on its line, so that it can't start one that means something to a program."""
    where = _where([one.candidate.origin for one in written])
    who = {"sessions": "sessions and notes said", "documents": "documents say"}.get(where, "sessions and documents say")
    yield f"What {who}, as pages. Read each quote: it is all that the page rests on."
    for fate, heading in ((Fate.ADD, "New pages"), (Fate.MODIFY, "Pages that say more")):
        found = [one for one in written if one.action.fate is fate]
        if found:
            yield from ("", f"## {heading}", "")
            for one in found:
                said = f"{one.candidate.confidence}, {one.candidate.taint.word}"
                yield f"- `{one.path}` ({said}): {_line(one.action.rationale)}"
                for quote in one.candidate.quotes[:2]:
                    yield f"  > {_line(quote.text)[:_QUOTE]}"
                for note in one.action.notes:
                    yield f"  - note: {_line(note)}"
    if earlier:
        yield from ("", "## From earlier runs", "")
        yield from (f"- `{_line(str(one.get('path', '')))}`: {_line(str(one.get('rationale', '')))}" for one in earlier)
    yield from ("", *(f"Run `{run}`." for run in (*plan.already, plan.run_id)))


def _evidence(one: CandidateFate) -> dict[str, Any]:
    candidate, action = one.candidate, one.action
    return {
        "origin": candidate.origin,
        "fate": action.fate.value,
        "path": one.path,
        "rationale": action.rationale,
        "confidence": candidate.confidence,
        "taint": candidate.taint.word,
        "derived_from": list(candidate.derived_from),
        "quotes": [
            {"where": q.where, "text": q.text[:_QUOTE], "start": q.start, "end": q.end} for q in candidate.quotes
        ],
        "notes": list(action.notes),
    }


def _line(text: str) -> str:
    return _BREAKS.sub(" ", text).strip()


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


def moved(ports: CuratePorts, plan: CuratePlan) -> dict[str, str]:
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


def without_blocked(ports: CuratePorts, plan: CuratePlan) -> CuratePlan:
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


def _must_wait(path: str, ruling: GateRuling) -> bool:
    """For a secret nobody may answer; and what is wrong with other pages says nothing against this one."""
    named = [fact["path"] for fact in ruling.evidence if "path" in fact]
    return ruling.gate in HOLDING or (bool(named) and path not in named)


def _alone(plan: CuratePlan, edit: PageEdit) -> CuratePlan:
    """What is said about one page, and that page."""
    return replace(plan, edits=(edit,), fates=tuple(one for one in plan.fates if one.path == edit.path), already=())


class _Judge:
    def __init__(self, gates: Gates, plan: CuratePlan) -> None:
        self._gates, self._base = gates, plan.base

    def blocking(self, plan: CuratePlan) -> list[GateRuling]:
        return [ruling for ruling in self._gates.judge(change_of(plan)) if ruling.level is Level.BLOCK]

    def of_conflict(self, conflict: KnowledgeConflict) -> str:
        """Conflicts are committed, so a secret must not get into one either."""
        edit = FileEdit(f"{CONFLICTS}/{conflict.id}.md", conflict_text(conflict).encode("utf-8", "replace"))
        change = ChangeSet(ORIGIN, conflict.id, self._base, (edit,), "A conflict")
        found = [one for one in self._gates.judge(change) if one.gate in HOLDING and one.level is Level.BLOCK]
        return f"{found[0].gate}: {found[0].reason}" if found else ""


# --- doing it ---------------------------------------------------------------------------------------------------------


class AppHands:
    """Carries a plan out. Each step may be asked for again after a death, and does then what is missing."""

    def __init__(self, ports: CuratePorts) -> None:
        self._ports, self._state = ports, CurateState(ports)

    def through(self, plan: CuratePlan, at: str) -> LandResult:
        return carry_out(plan, self, at=at)

    def land(self, plan: CuratePlan) -> LandResult:
        if not any(edit.origins for edit in plan.edits):
            return LandResult()
        return self._write(plan) if plan.how == "here" else self._request(plan)

    def _write(self, plan: CuratePlan) -> LandResult:
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
        return self._with_documents(LandResult(written=tuple(written), left=left))

    def _with_documents(self, landed: LandResult) -> LandResult:
        """What lists the pages. That the pages are there does not depend on it."""
        try:
            rebuilt = rebuild_documents(self._ports) if landed.written else Rebuilt()
        except CairnError as error:
            return landed._replace(stale=error.message)
        return landed._replace(documents=rebuilt.changed, stale=rebuilt.problem)

    def _request(self, plan: CuratePlan) -> LandResult:
        """Found by the run that it names, where it was opened before a death; the ledger may not have heard of it."""
        known = self._ports.forge.requests()
        catch_up(self._ports, known)
        for request in known:
            if request.origin == ORIGIN and (
                plan.run_id in request.evidence.get("runs", ()) or plan.run_id in request.body
            ):
                return LandResult(request=request.id)
        before = self._evidence(plan)
        result = publish_change(self._ports, change_of(plan, before, self._documents(plan)))
        return (
            LandResult(held=result.reason) if isinstance(result, HeldChange) else LandResult(request=result.request.id)
        )

    def _documents(self, plan: CuratePlan) -> Mapping[str, str]:
        """What lists the pages, where the forge is ours. Others merge line by line: there two requests that both make a
        document anew are a conflict, and a document that is out of date is the lesser evil."""
        if self._ports.forge.name != "local":
            return {}
        return documents_with(self._ports, plan.base, {edit.path: edit.text for edit in plan.edits})

    def _evidence(self, plan: CuratePlan) -> Mapping[str, Any] | None:
        """Of the request that the plan takes up."""
        known = [one for one in self._ports.forge.requests() if one.active and one.origin == ORIGIN]
        return next((one.evidence for one in known if plan.already and one.subject == SUBJECT), None)

    def write_conflict(self, conflict: KnowledgeConflict) -> None:
        if not self._state.has_conflict(conflict):  # else somebody may have settled it already
            self._state.write_conflict(conflict)

    def keep_failures(self, failures: Sequence[DecisionFailure], settled: Sequence[str]) -> None:
        self._state.keep_failures(failures, settled)

    def stamp(self, stamps: Sequence[FateStamp]) -> None:
        from cairn.curate.pending_candidates import mark_logs

        self._state.stamp(stamps)
        mark_logs(self._ports, stamps, self._state.stamps())

    def forget_plan(self) -> None:
        self._state.forget_plan()
