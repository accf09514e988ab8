"""Change requests: publishes changes through gates, limits and forge, and labels, merges, closes or reverts them."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cairn.changes.gate import Gates
from cairn.changes.gate_registry import gates_of
from cairn.changes.record_requests import REASON_LIMIT, about, catch_up, opened, record, record_once
from cairn.changes.request_lifecycle import RequestLimits, held_back
from cairn.changes.write import remove_file, write_file
from cairn.core.model.change import ChangeRequest, ChangeSet, FileEdit, GateRuling, Label, Level, Taint
from cairn.core.ports.forge import Forge, MergeResult
from cairn.core.ports.runtime import Clock
from cairn.errors import CairnError, Conflict, Refused

if TYPE_CHECKING:
    from cairn.changes.bump_version import Plan
    from cairn.changes.ports import ChangesPorts

HOLDING = frozenset({"secrets"})
"""Gates whose `block` keeps a change from leaving at all: a request is a place where others read."""


class HeldChange(NamedTuple):
    """Not published, and why."""

    reason: str
    rulings: tuple[GateRuling, ...] = ()


def publish(
    change: ChangeSet,
    *,
    forge: Forge,
    gates: Gates,
    limits: RequestLimits,
    clock: Clock,
    requests: Sequence[ChangeRequest] | None = None,
) -> ChangeRequest | HeldChange:
    """Open a request for a change, or bring the open one of its subject up to date. One that a gate blocks is opened
    too, so that a person sees it and why; it does not land. `requests` are those at the forge, for whoever knows."""
    now_ms = clock.now_ms()
    known = forge.requests() if requests is None else requests
    if waiting := held_back(change, known, limits, now_ms=now_ms):
        return HeldChange(waiting)
    rulings = gates.judge(change)
    if secret := [ruling for ruling in rulings if ruling.gate in HOLDING and ruling.level is Level.BLOCK]:
        return HeldChange(secret[0].reason, rulings)
    try:
        return forge.publish(change, rulings, now_ms=now_ms)
    except Conflict as conflict:
        return HeldChange(conflict.message, rulings)


# --- into the working tree, when somebody says so ---------------------------------------------------------------------


class AppliedChange(NamedTuple):
    written: tuple[str, ...]
    rulings: tuple[GateRuling, ...]


def apply_here(change: ChangeSet, *, root: Path, gates: Gates) -> AppliedChange:
    """Write a change into the working tree. Files that are not as they were at its base are left alone, all of them."""
    rulings = gates.judge(change)
    refuse_blocked(rulings)
    around = gates.look(change)
    for edit in change.edits:
        found = _on_disk(root, edit.path)
        if found not in (around.base(edit.path), edit.content):
            raise Conflict(
                f"{edit.path} was edited since the change was made; commit or undo that, then try again.",
                path=edit.path,
            )
    return AppliedChange(tuple(edit.path for edit in change.edits if _written(root, edit)), rulings)


def refuse_blocked(rulings: tuple[GateRuling, ...]) -> None:
    blocked = [ruling for ruling in rulings if ruling.level is Level.BLOCK]
    if blocked:
        reasons = " ".join(f"{ruling.gate}: {ruling.reason}" for ruling in blocked)
        raise Refused(f"Blocked, nothing was changed. {reasons}", gates=[ruling.gate for ruling in blocked])


def _on_disk(root: Path, path: str) -> bytes | None:
    try:
        return (root / path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Conflict(f"{path} cannot be read ({error.strerror}), so nothing was written.", path=path) from error


def _written(root: Path, edit: FileEdit) -> bool:
    return remove_file(root, edit.path) if edit.content is None else write_file(root, edit.path, edit.content)


class LandingRefusal(NamedTuple):
    """It stays a request, and why."""

    reason: str


def why_it_waits(request: ChangeRequest, automerge: Collection[str]) -> str | None:
    """None when it may land by itself."""
    if not request.active:
        return f"it is {request.state}"
    if request.landing != "auto":
        return "its origin wants a person to merge it"
    if not request.kind or request.kind not in automerge:
        return f"`change.automerge` does not name {f'`{request.kind}`' if request.kind else 'its class'}"
    if request.taint >= Taint.MODEL:
        return f"its text comes from {_FROM[request.taint]}, which never lands by itself"
    if request.level >= Level.WARN:
        return f"a gate says `{request.level.word}`"
    return None


_FROM = {Taint.MODEL: "a model", Taint.OUTSIDE: "outside"}


def land(
    request: ChangeRequest, *, forge: Forge, automerge: Collection[str], by: str, now_ms: int
) -> MergeResult | LandingRefusal:
    """Merge what may land by itself. A branch that somebody has checked out is not moved under their feet."""
    if reason := why_it_waits(request, automerge):
        return LandingRefusal(reason)
    try:
        return forge.merge(request.id, by=by, automatic=True, now_ms=now_ms)
    except (Conflict, Refused) as problem:
        return LandingRefusal(problem.message)


OPINION = "review"
"""The gate of second opinions; somebody has to ask for one."""


class PublishResult(NamedTuple):
    request: ChangeRequest
    landed: MergeResult | None = None
    waits: str | None = None
    """Why it did not land by itself, where its origin wanted that."""


def publish_change(
    ports: "ChangesPorts", change: ChangeSet, *, gates: "Gates | None" = None
) -> PublishResult | HeldChange:
    """The way of every change: gates, limits, forge; then it lands by itself where it may. Whoever has many changes
    brings the gates along."""
    known = {request.id: request for request in ports.forge.requests()}
    catch_up(ports, known.values())
    result = publish(
        change,
        forge=ports.forge,
        gates=gates or gates_of(ports),
        limits=limits_of(ports),
        clock=ports.clock,
        requests=tuple(known.values()),
    )
    if isinstance(result, HeldChange):
        record(ports, "change_held", {**about(change), "reason": result.reason[:REASON_LIMIT]})
        return result
    if result != known.get(result.id):
        updated = result.id in known
        (record if updated else record_once)(ports, *opened(change, result, updated=updated))
    return _landed(ports, result)


def _landed(ports: "ChangesPorts", request: ChangeRequest) -> PublishResult:
    if request.landing != "auto":
        return PublishResult(request)
    automerge = ports.settings.texts("change.automerge")
    landed = land(request, forge=ports.forge, automerge=automerge, by="cairn", now_ms=ports.clock.now_ms())
    if isinstance(landed, LandingRefusal):
        return PublishResult(ports.forge.request(request.id), waits=landed.reason)
    _record_merge(ports, landed, by="cairn", automatic=True)
    return PublishResult(landed.request, landed)


def limits_of(ports: "ChangesPorts") -> RequestLimits:
    return RequestLimits(ports.settings.integer("change.max_open"), ports.settings.integer("change.max_per_hour"))


def who(ports: "ChangesPorts") -> str:
    """The person at the keyboard, as far as anything here knows."""
    return ports.vcs.user_name() or ports.env.get("USER") or "somebody"


# --- one request ----------------------------------------------------------------------------------------------------


def judge_again(ports: "ChangesPorts", id: str) -> ChangeRequest:
    """Ask all gates about what a request would do to the base branch as that is now."""
    request = ports.forge.request(id)
    rulings = gates_of(ports).judge(ports.forge.change(request.id))
    return ports.forge.judge(request.id, (*rulings, *_opinion(request)), now_ms=ports.clock.now_ms())


def keep_opinion(ports: "ChangesPorts", request: ChangeRequest, opinion: GateRuling) -> ChangeRequest:
    """A second opinion beside what the gates said, in place of an earlier one."""
    others = tuple(ruling for ruling in request.rulings if ruling.gate != opinion.gate)
    return ports.forge.judge(request.id, (*others, opinion), now_ms=ports.clock.now_ms())


def _opinion(request: ChangeRequest) -> "tuple[GateRuling, ...]":
    """Nobody is asked again for it; it holds as long as the request is what it was about."""
    return tuple(
        r for r in request.rulings if r.gate == OPINION and r.evidence and r.evidence[0].get("head") == request.head
    )


def label(ports: "ChangesPorts", id: str, *, add: Sequence[str], remove: Sequence[str]) -> ChangeRequest:
    """Labels count for gates, so they look again."""
    wanted = tuple(Label(name, who(ports)) for name in add)
    request = ports.forge.label(id, add=wanted, remove=tuple(remove), now_ms=ports.clock.now_ms())
    return judge_again(ports, request.id)


def approve(ports: "ChangesPorts", id: str) -> ChangeRequest:
    return ports.forge.approve(id, who(ports), now_ms=ports.clock.now_ms())


def merge(ports: "ChangesPorts", id: str) -> MergeResult:
    """Gates look once more; what one of them blocks does not land."""
    request = ports.forge.request(id)
    if request.active:
        refuse_blocked(judge_again(ports, request.id).rulings)
    else:
        catch_up(ports, [request])
    by = who(ports)
    edits = ports.forge.change(request.id).edits if request.active else ()
    merged = ports.forge.merge(request.id, by=by, now_ms=ports.clock.now_ms())
    _approve(ports, merged, [edit.content for edit in edits if edit.content is not None])
    if request.active:
        _record_merge(ports, merged, by=by, automatic=False)
    else:  # somebody was stopped just before the end of this; it is in the ledger by now
        _raise_version(ports, merged.request)
    return merged


def _approve(ports: "ChangesPorts", merged: MergeResult, proposed: Sequence[bytes]) -> None:
    """A person let these pages in: as they were proposed, and as they are in the commit where that is here."""
    from cairn.knowledge.approve import approve_merged

    landed: Sequence[bytes | None] = ()
    if ports.forge.name == "local":
        landed = ports.vcs.show([(merged.commit, path) for path in merged.request.paths])
    approve_merged(ports, [*proposed, *(data for data in landed if data is not None)])


def close(ports: "ChangesPorts", id: str, *, reason: str) -> ChangeRequest:
    by = who(ports)
    catch_up(ports, [ports.forge.request(id)])
    request = ports.forge.close(id, by=by, reason=reason, now_ms=ports.clock.now_ms())
    record_once(ports, "change_closed", {"id": request.id, **about(request), "by": by})
    return request


def reopen(ports: "ChangesPorts", id: str) -> ChangeRequest:
    request = ports.forge.reopen(id, by=who(ports), now_ms=ports.clock.now_ms())
    return judge_again(ports, request.id)


def revert(ports: "ChangesPorts", id: str) -> ChangeRequest:
    """A request that takes a merged one back. It is never held: what does harm must be able to go."""
    by = who(ports)
    catch_up(ports, [ports.forge.request(id)])
    back = ports.forge.revert(id, by=by, now_ms=ports.clock.now_ms())
    record_once(ports, "change_reverted", {"id": back.reverts or id, "by": by, "revert": back.id})
    return judge_again(ports, back.id)


# --- the ledger -----------------------------------------------------------------------------------------------------


def _record_merge(ports: "ChangesPorts", merged: MergeResult, *, by: str, automatic: bool) -> None:
    facts = {"commit": merged.commit, "rebased": merged.rebased, "automatic": automatic, "by": by}
    record_once(ports, "change_merged", {"id": merged.request.id, **about(merged.request), **facts})
    _raise_version(ports, merged.request)


def _raise_version(ports: "ChangesPorts", request: ChangeRequest) -> None:
    """What has to be counted is worked out anew each time, so a bump that fails here is made up for by the next."""
    from cairn.changes.bump_version import plans_after_merge

    with suppress(CairnError):
        for planned in plans_after_merge(ports, request):
            publish_bump(ports, planned)


def publish_bump(ports: "ChangesPorts", planned: "Plan") -> "PublishResult | HeldChange | None":
    """A request that raises the version, or the open one brought up to date; None when there is nothing to count."""
    from cairn.changes.bump_version import change_of

    return publish_change(ports, change_of(planned)) if planned.bumps else None
