"""Settling conflicts: which there are, how page and proposal differ, and what a decision makes of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from cairn.changes.requests import HeldChange, publish_change, refuse_blocked, who
from cairn.changes.write import write_file
from cairn.core.model.candidate import ConflictStatus, KnowledgeConflict, ProposedNode
from cairn.core.model.change import OVER_REWRITE_LABEL, ChangeSet, FileEdit, Label
from cairn.core.ports.graph import NodeFilter
from cairn.curate.conflicts import changed_lines, has_nothing_new, in_walking_order, resolved
from cairn.curate.curate import LOCK, LOCK_TTL_MS
from cairn.curate.curated_pages import KINDS, WorkPages, edited_page, id_in, new_page, path_in
from cairn.curate.land_plan import KIND, LABEL, ORIGIN, base_of
from cairn.curate.plan import How
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import CurateState
from cairn.curate.shortlist import Near
from cairn.errors import CairnError, NotFound, Refused, UsageError
from cairn.errors import Conflict as AlreadySettled
from cairn.journal import iso_utc
from cairn.lib.text.names import unused

Decision = Literal["accepted", "rejected", "kept"]
_SHORT: Final = 4


def short_id(conflict: KnowledgeConflict) -> str:
    """The end of its id, which tells conflicts apart that were found in one minute."""
    run, _, number = conflict.id.rpartition("-")
    return f"{run[-_SHORT:]}-{number}" if run else conflict.id


class ShownConflict(NamedTuple):
    """A conflict with the page that it is about."""

    conflict: KnowledgeConflict
    path: str
    """Of its own file."""
    page: Near | None
    """None when nobody knows that page any more."""
    after: str
    """The text of the page, if the conflict is accepted."""

    @property
    def changed(self) -> int | None:
        """Lines of the page that would change."""
        return changed_lines(self.page.body, self.after) if self.page else None


def conflicts(ports: CuratePorts, *, everything: bool = False) -> tuple[list[ShownConflict], list[str]]:
    """Those that wait, in the order in which to walk through them; and a sentence about each file that is none."""
    ports.update_graph()
    found, problems = CurateState(ports).conflicts()
    wanted = [one for one in found if everything or one.status == "pending"]
    return [look(ports, one) for one in in_walking_order(wanted)], problems


def look(ports: CuratePorts, conflict: KnowledgeConflict) -> ShownConflict:
    page = _page(ports, conflict.target_node_id)
    after = _after(page, conflict) if page and _is_ours(ports, page) else conflict.proposed.body
    return ShownConflict(conflict, CurateState(ports).conflict_path(conflict), page, after)


def _after(page: Near, conflict: KnowledgeConflict) -> str:
    """Where the page no longer has the words that would be replaced, nothing of it changes."""
    try:
        return resolved(page, conflict).body
    except AlreadySettled:
        return page.body


def conflict_called(ports: CuratePorts, name: str) -> KnowledgeConflict:
    """By its id, the beginning or the end of it. A page that no scan has seen yet may be the one that it is about."""
    ports.update_graph()
    known, problems = CurateState(ports).conflicts()
    wanted = name.strip().removesuffix(".md").rpartition("/")[2]
    exact = [one for one in known if one.id == wanted]
    close = exact or [one for one in known if wanted and (one.id.startswith(wanted) or one.id.endswith(wanted))]
    if len(close) == 1:
        return close[0]
    if close:
        raise UsageError(f"`{name}` could be one of {len(close)} conflicts; name more of its id.", ids=_ids(close))
    if broken := [problem for problem in problems if f"/{wanted}.md " in problem]:
        raise UsageError(broken[0])
    raise NotFound(f"There is no conflict `{name}`; `cairn conflict list --all` shows those that there are.")


def _ids(some: Sequence[KnowledgeConflict]) -> list[str]:
    return [one.id for one in some]


def _page(ports: CuratePorts, id: str | None) -> Near | None:
    """The page of that name; of several the one that is ours to edit."""
    if id is None:
        return None
    pages = WorkPages(ports, {})
    store = ports.store
    globs = (f"*/{id}.md", f"{id}.md", f"*/{id}/canonical.md")
    paths = [node.path for glob in globs for node in store.find_nodes(NodeFilter(kinds=KINDS, path_glob=glob))]
    found = [page for path in dict.fromkeys(paths) if (page := pages.near(path)) is not None and page.id == id]
    return next((page for page in found if _is_ours(ports, page)), found[0] if found else None)


def _is_ours(ports: CuratePorts, page: Near) -> bool:
    corpus = ports.knowledge.corpus(page.path)
    return corpus is not None and corpus.layout != "plain"


# --- deciding ---------------------------------------------------------------------------------------------------------


class ConflictResolution(NamedTuple):
    conflict: KnowledgeConflict
    path: str
    """Of its file."""
    said: str
    page: str = ""
    """Path of the page that changes."""
    request: str = ""
    written: bool = False
    held: str = ""


def settle(
    ports: CuratePorts, name: str, decision: Decision, *, reason: str = "", how: How = "request"
) -> ConflictResolution:
    """Once. A conflict that was settled is not settled again; saying the same again is no error."""
    with ports.locks.hold(LOCK, ttl_ms=LOCK_TTL_MS, wait_ms=2_000):
        conflict = conflict_called(ports, name)
        if conflict.status == decision:
            path = CurateState(ports).conflict_path(conflict)
            return ConflictResolution(
                conflict, path, f"{short_id(conflict)} is {decision} already; nothing was changed"
            )
        if conflict.status != "pending":
            raise AlreadySettled(_settled_before(ports, conflict), id=conflict.id)
        return (
            _accepted(ports, conflict, how) if decision == "accepted" else _set_aside(ports, conflict, decision, reason)
        )


def _settled_before(ports: CuratePorts, conflict: KnowledgeConflict) -> str:
    """A file that somebody edited by hand says neither who settled it nor when."""
    by = f" by {conflict.settled_by}" if conflict.settled_by else ""
    on = f" on {conflict.settled_at[:10]}" if conflict.settled_at else ""
    path = CurateState(ports).conflict_path(conflict)
    return f"{short_id(conflict)} was {conflict.status}{by}{on}; to decide anew, write `status: pending` into {path}."


def _set_aside(
    ports: CuratePorts, conflict: KnowledgeConflict, decision: ConflictStatus, reason: str
) -> ConflictResolution:
    words = {
        "rejected": "the page stays as it is, and nobody is asked this again",
        "kept": "both stay on record, and nobody is asked this again",
    }
    marked, path = _mark(ports, conflict, decision, reason)
    return ConflictResolution(marked, path, f"{short_id(conflict)} {decision}: {words[decision]}")


def _accepted(ports: CuratePorts, conflict: KnowledgeConflict, how: How) -> ConflictResolution:
    page = _page(ports, conflict.target_node_id)
    if page is not None and page.broken:
        raise Refused(f"{page.path} has to be mended first: {page.broken}", path=page.path)
    short = short_id(conflict)
    if page is not None and _is_ours(ports, page) and has_nothing_new(page, conflict):
        marked, path = _mark(ports, conflict, "accepted", "")
        return ConflictResolution(marked, path, f"{short} accepted: {page.path} says so already", page.path)
    edit, before = _edit(ports, conflict, page)
    if page is not None and edit.content == before:
        marked, path = _mark(ports, conflict, "accepted", "")
        return ConflictResolution(marked, path, f"{short} accepted: {page.path} says so already", page.path)
    change = _change(ports, conflict, edit, how)
    if how == "here":
        return _written(ports, conflict, change, edit, before)
    result = publish_change(ports, change)
    if isinstance(result, HeldChange):
        path = CurateState(ports).conflict_path(conflict)
        return ConflictResolution(
            conflict, path, f"{short} still waits: {result.reason}", edit.path, held=result.reason
        )
    marked, path = _mark(ports, conflict, "accepted", "")
    id = result.request.id
    said = f"{short} accepted: change request {id} changes {edit.path}; `cairn change merge {id}` lands it"
    return ConflictResolution(marked, path, said, edit.path, id)


def _written(
    ports: CuratePorts, conflict: KnowledgeConflict, change: ChangeSet, edit: FileEdit, before: bytes | None
) -> ConflictResolution:
    from cairn.changes.gate_registry import gates_of

    refuse_blocked(gates_of(ports).judge(change))
    text = WorkPages(ports, {}).here(edit.path)
    if (None if text is None else text.encode("utf-8", "surrogateescape")) != before:
        raise AlreadySettled(f"{edit.path} was edited just now; look at it, then try again.", path=edit.path)
    write_file(ports.root, edit.path, edit.content or b"")
    marked, path = _mark(ports, conflict, "accepted", "")
    said = f"{short_id(conflict)} accepted: edited {edit.path}{_with_documents(ports)}"
    return ConflictResolution(marked, path, said, edit.path, written=True)


def _with_documents(ports: CuratePorts) -> str:
    """What is made of the pages, and the rest of a sentence about it. It does not matter to the page itself."""
    from cairn.curate.index_documents import rebuild_documents

    try:
        rebuilt = rebuild_documents(ports)
    except CairnError as error:
        return f"; {error.message}"
    made = f" and {', '.join(rebuilt.changed)}" if rebuilt.changed else ""
    return f"{made}; {rebuilt.problem}" if rebuilt.problem else made


def _edit(ports: CuratePorts, conflict: KnowledgeConflict, page: Near | None) -> tuple[FileEdit, bytes | None]:
    """The page as it becomes. Where there is none, or it is somebody else's, the proposal is a page of its own."""
    pages = WorkPages(ports, {})
    corpus = pages.knowledge.corpus(page.path) if page else None
    if page is not None and corpus is not None and corpus.layout != "plain":
        text = pages.here(page.path) or ""
        after = edited_page(text, corpus, page, resolved(page, conflict), conflict.derived_from)
        return FileEdit(page.path, after.encode("utf-8", "surrogateescape")), text.encode("utf-8", "surrogateescape")
    node, place = conflict.proposed, pages.place(conflict.proposed.kind)
    id = unused(id_in(place, node), lambda name: pages.here(path_in(place, node, name)) is not None)
    new = new_page(place, node, id, conflict.derived_from)
    return FileEdit(new.path, new.text.encode()), None


def _change(ports: CuratePorts, conflict: KnowledgeConflict, edit: FileEdit, how: How) -> ChangeSet:
    """A person decided, but the words are still those of whoever was followed."""
    base = base_of(ports, how)
    if how == "request":
        _must_be_committed(ports, base, edit.path)
    return ChangeSet(
        origin=ORIGIN,
        subject=f"conflict {conflict.id}",
        base=base,
        edits=(edit,),
        title=f"docs(knowledge): settle what {conflict.target_node_id or conflict.proposed.title} says",
        body=f"{' '.join(conflict.rationale.split())}\n\nThe conflict {conflict.id} was accepted by {who(ports)}.",
        # Whoever accepts has seen both texts; that is what the gate asks of a person.
        labels=(Label(LABEL, ORIGIN), Label(OVER_REWRITE_LABEL, who(ports))),
        evidence={
            "conflict": conflict.id,
            "origin": conflict.candidate_origin,
            "derived_from": list(conflict.derived_from),
        },
        taint=conflict.taint,
        kind=KIND,
    )


def _must_be_committed(ports: CuratePorts, base: str, path: str) -> None:
    here = WorkPages(ports, {}).here(path)
    [at_base] = ports.vcs.show([(base, path)])
    if (None if here is None else here.encode("utf-8", "surrogateescape")) != at_base:
        raise AlreadySettled(
            f"{path} is not here what it is on the base branch; commit and merge it, or give --apply.", path=path
        )


def _mark(
    ports: CuratePorts, conflict: KnowledgeConflict, status: ConflictStatus, reason: str
) -> tuple[KnowledgeConflict, str]:
    state = CurateState(ports)
    extra = {**conflict.extra, **({"reason": " ".join(reason.split())} if reason.strip() else {})}
    now = iso_utc(ports.clock.now_ms())
    marked = replace(conflict, status=status, settled_by=who(ports), settled_at=now, extra=extra)
    state.write_conflict(marked)
    return marked, state.conflict_path(marked)


# --- as JSON ----------------------------------------------------------------------------------------------------------


def seen_value(seen: ShownConflict) -> dict[str, Any]:
    conflict, page = seen.conflict, seen.page
    return {
        "id": conflict.id,
        "status": conflict.status,
        "file": seen.path,
        "detectedAt": conflict.detected_at,
        "runId": conflict.run_id,
        "candidateOrigin": conflict.candidate_origin,
        "targetNodeId": conflict.target_node_id,
        "rationale": conflict.rationale,
        "suggestedResolution": conflict.suggested_resolution,
        "advice": "leave",
        "taint": conflict.taint.word,
        "derivedFrom": list(conflict.derived_from),
        "partial": conflict.partial,
        "proposed": node_value(conflict.proposed),
        "page": None if page is None else {"path": page.path, "title": page.title, "body": page.body},
        "after": seen.after,
        "settledBy": conflict.settled_by,
        "settledAt": conflict.settled_at,
        "reason": conflict.extra.get("reason"),
    }


def node_value(node: ProposedNode) -> dict[str, Any]:
    return {
        "title": node.title,
        "kind": node.kind,
        "tags": list(node.tags),
        "summary": node.summary,
        "body": node.body,
        "confidence": node.confidence,
        "relatesTo": list(node.relates_to),
        "dependsOn": list(node.depends_on),
    }


def settled_value(settled: ConflictResolution) -> dict[str, Any]:
    return {
        "id": settled.conflict.id,
        "status": settled.conflict.status,
        "file": settled.path,
        "page": settled.page or None,
        "request": settled.request or None,
        "written": settled.written,
        "held": settled.held or None,
        "said": settled.said,
    }
