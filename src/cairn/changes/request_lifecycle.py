"""The life of a change request: what each step makes of it, and how many may be open. Forges share this."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cairn.core.model.change import (
    ChangeRequest,
    ChangeSet,
    FileEdit,
    GateRuling,
    Label,
    Level,
    RequestNote,
    RequestState,
    Taint,
    Ticket,
)
from cairn.errors import NotFound, Refused, UsageError


def request_value(request: ChangeRequest) -> dict[str, Any]:
    return {
        "id": request.id,
        "state": str(request.state),
        "level": request.level.word,
        "origin": request.origin,
        "kind": request.kind,
        "subject": request.subject,
        "title": request.title,
        "body": request.body,
        "branch": request.branch,
        "baseBranch": request.base_branch,
        "base": request.base,
        "head": request.head,
        "paths": list(request.paths),
        "labels": [{"name": label.name, "setter": label.setter} for label in request.labels],
        "rulings": [ruling_value(ruling) for ruling in request.rulings],
        "evidence": dict(request.evidence),
        "taint": request.taint.word,
        "landing": request.landing,
        "limited": request.limited,
        "openedAtMs": request.opened_at_ms,
        "updatedAtMs": request.updated_at_ms,
        "approvedBy": list(request.approved_by),
        "mergedCommit": request.merged_commit,
        "reverts": request.reverts,
        "url": request.url,
        "notes": [{"atMs": n.at_ms, "who": n.who, "what": n.what, "text": n.text} for n in request.notes],
    }


def ruling_value(ruling: GateRuling) -> dict[str, Any]:
    return {
        "gate": ruling.gate,
        "level": ruling.level.word,
        "reason": ruling.reason,
        "evidence": [dict(item) for item in ruling.evidence],
    }


def ticket_value(ticket: Ticket) -> dict[str, Any]:
    return {
        "id": ticket.id,
        "cause": ticket.cause,
        "title": ticket.title,
        "body": ticket.body,
        "open": ticket.open,
        "openedAtMs": ticket.opened_at_ms,
        "url": ticket.url,
    }


def request_from(value: Mapping[str, Any]) -> ChangeRequest:
    """Raises KeyError, TypeError, ValueError or AttributeError for what is no request of ours."""
    return ChangeRequest(
        id=str(value["id"]),
        state=RequestState(value["state"]),
        origin=str(value["origin"]),
        subject=str(value["subject"]),
        title=str(value["title"]),
        body=str(value["body"]),
        branch=str(value["branch"]),
        base_branch=str(value["baseBranch"]),
        base=str(value["base"]),
        head=str(value["head"]),
        paths=tuple(map(str, value["paths"])),
        labels=tuple(Label(str(label["name"]), str(label["setter"])) for label in value["labels"]),
        rulings=tuple(map(ruling_from, value["rulings"])),
        evidence=dict(value["evidence"]),
        taint=Taint[value["taint"].upper()],
        landing="auto" if value["landing"] == "auto" else "manual",
        opened_at_ms=int(value["openedAtMs"]),
        updated_at_ms=int(value["updatedAtMs"]),
        approved_by=tuple(map(str, value.get("approvedBy", ()))),
        merged_commit=_optional(value, "mergedCommit"),
        reverts=_optional(value, "reverts"),
        url=_optional(value, "url"),
        limited=value.get("limited") is True,
        kind=str(value.get("kind", "")),
        notes=tuple(map(_note, value.get("notes", ()))),
    )


def ruling_from(value: Mapping[str, Any]) -> GateRuling:
    evidence = tuple(dict(item) for item in value.get("evidence", ()))
    return GateRuling(str(value["gate"]), Level[value["level"].upper()], str(value["reason"]), evidence)


def ticket_from(value: Mapping[str, Any]) -> Ticket:
    return Ticket(
        id=str(value["id"]),
        cause=str(value["cause"]),
        title=str(value["title"]),
        body=str(value["body"]),
        open=value["open"] is True,
        opened_at_ms=int(value["openedAtMs"]),
        url=_optional(value, "url"),
    )


def _note(value: Mapping[str, Any]) -> RequestNote:
    return RequestNote(int(value["atMs"]), str(value["who"]), str(value["what"]), str(value.get("text", "")))


def _optional(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return None if found is None else str(found)


NEXT: Mapping[RequestState, frozenset[RequestState]] = {
    RequestState.OPEN: frozenset({RequestState.READY, RequestState.MERGED, RequestState.CLOSED}),
    RequestState.READY: frozenset({RequestState.READY, RequestState.MERGED, RequestState.CLOSED}),
    RequestState.CLOSED: frozenset({RequestState.OPEN}),
    RequestState.MERGED: frozenset({RequestState.REVERTED}),
    RequestState.REVERTED: frozenset({RequestState.MERGED}),
}
"""Which way a request may go; a reverted one is merged again when its revert is reverted."""


ACTIVE = (RequestState.OPEN, RequestState.READY)


def opened(
    change: ChangeSet, rulings: Sequence[GateRuling], *, id: str, branch: str, base_branch: str, head: str, now_ms: int
) -> ChangeRequest:
    return ChangeRequest(
        id=id,
        state=RequestState.OPEN,
        origin=change.origin,
        subject=change.subject,
        title=change.title,
        body=change.body,
        branch=branch,
        base_branch=base_branch,
        base=change.base,
        head=head,
        paths=paths_of(change),
        labels=change.labels,
        rulings=tuple(rulings),
        evidence=change.evidence,
        taint=change.taint,
        landing=change.landing,
        opened_at_ms=now_ms,
        updated_at_ms=now_ms,
        limited=change.limited,
        kind=change.kind,
        notes=(RequestNote(now_ms, change.origin, "opened"),),
    )


def updated(
    request: ChangeRequest, change: ChangeSet, rulings: Sequence[GateRuling], *, head: str, now_ms: int
) -> ChangeRequest:
    """With another proposal. Who approved the old one has not seen this; labels of others stay."""
    kept = tuple(label for label in request.labels if label.setter != change.origin)
    return replace(
        _noted(request, now_ms, change.origin, "updated"),
        state=RequestState.OPEN,
        title=change.title,
        body=change.body,
        base=change.base,
        head=head,
        paths=paths_of(change),
        labels=_merged_labels(change.labels, kept),
        rulings=tuple(rulings),
        evidence=change.evidence,
        taint=change.taint,
        landing=change.landing,
        approved_by=(),
        kind=change.kind,
    )


def judged(request: ChangeRequest, rulings: Sequence[GateRuling], *, now_ms: int) -> ChangeRequest:
    """Hearing the same again changes nothing."""
    if request.rulings == tuple(rulings):
        return request
    return replace(request, rulings=tuple(rulings), updated_at_ms=now_ms)


def labelled(request: ChangeRequest, add: Sequence[Label], remove: Sequence[str], *, now_ms: int) -> ChangeRequest:
    must_be(request, *ACTIVE, what="labelled")
    missing = [name for name in remove if name not in {label.name for label in request.labels}]
    if missing:
        raise NotFound(f"{request.id} has no label `{missing[0]}`; it has {_listed(request.labels)}.")
    kept = tuple(label for label in request.labels if label.name not in remove)
    labels = _merged_labels(kept, add)
    if labels == request.labels:
        return request
    words = " ".join([*(f"+{label.name}" for label in add), *(f"-{name}" for name in remove)])
    who = next((label.setter for label in add), "")
    return replace(_noted(request, now_ms, who, "labelled", words), labels=labels)


def approved(request: ChangeRequest, who: str, *, now_ms: int) -> ChangeRequest:
    must_be(request, *ACTIVE, what="approved")
    if who in request.approved_by:
        return request
    return replace(_noted(request, now_ms, who, "approved"), approved_by=(*request.approved_by, who))


def commented(request: ChangeRequest, text: str, *, by: str, now_ms: int) -> ChangeRequest:
    return _noted(request, now_ms, by, "commented", text)


def ready(request: ChangeRequest, *, now_ms: int) -> ChangeRequest:
    return request if request.state is RequestState.READY else moved(request, RequestState.READY, now_ms=now_ms)


def merged(request: ChangeRequest, commit: str, *, by: str, now_ms: int) -> ChangeRequest:
    done = moved(request, RequestState.MERGED, now_ms=now_ms)
    return replace(_noted(done, now_ms, by, "merged", commit), merged_commit=commit)


def closed(request: ChangeRequest, *, by: str, reason: str, now_ms: int) -> ChangeRequest:
    return _noted(moved(request, RequestState.CLOSED, now_ms=now_ms), now_ms, by, "closed", reason)


def reopened(request: ChangeRequest, *, by: str, now_ms: int) -> ChangeRequest:
    must_be(request, RequestState.CLOSED, what="opened again")
    return _noted(moved(request, RequestState.OPEN, now_ms=now_ms), now_ms, by, "reopened")


def taking_back(request: ChangeRequest, edits: tuple[FileEdit, ...], *, base: str, by: str) -> ChangeSet:
    """The change that takes a merged request back."""
    body = f"Takes back {request.id} ({request.merged_commit}), asked for by {by}."
    return ChangeSet(
        origin="revert",
        subject=request.id,
        base=base,
        edits=edits,
        title=f"Revert: {request.title}",
        body=body,
        taint=Taint.REPOSITORY,
        kind="revert",
    )


def as_change(request: ChangeRequest, edits: tuple[FileEdit, ...], *, base: str) -> ChangeSet:
    """What a request proposes, to be judged again."""
    return ChangeSet(
        origin=request.origin,
        subject=request.subject,
        base=base,
        edits=edits,
        title=request.title,
        body=request.body,
        branch=request.branch,
        labels=request.labels,
        evidence=request.evidence,
        taint=request.taint,
        landing=request.landing,
        limited=request.limited,
        kind=request.kind,
    )


def moved(request: ChangeRequest, state: RequestState, *, now_ms: int) -> ChangeRequest:
    if state not in NEXT[request.state]:
        raise Refused(f"{request.id} is {request.state}, so it cannot become {state}.", id=request.id)
    return replace(request, state=state, updated_at_ms=now_ms)


def must_be(request: ChangeRequest, *states: RequestState, what: str) -> None:
    if request.state not in states:
        raise Refused(
            f"{request.id} is {request.state}; only one that is {' or '.join(states)} can be {what}.", id=request.id
        )


def with_reverts(requests: Iterable[ChangeRequest]) -> list[ChangeRequest]:
    """What was merged and taken back by another merged one is reverted. Worked out when read, so that no kill can
    leave the two at odds."""
    known = {request.id: request for request in requests}
    taking = {r.reverts: r.id for r in known.values() if r.reverts and r.state is RequestState.MERGED}

    def taken_back(id: str, seen: frozenset[str] = frozenset()) -> bool:
        by = taking.get(id)
        return by is not None and by not in seen and not taken_back(by, seen | {id})

    return [
        replace(r, state=RequestState.REVERTED) if r.state is RequestState.MERGED and taken_back(r.id) else r
        for r in known.values()
    ]


def by_prefix(requests: Sequence[ChangeRequest], id: str) -> ChangeRequest:
    """The one that an id or its beginning means; the `c-` may be left out."""
    for request in requests:
        if request.id == id:
            return request
    found = [request for request in requests if id and request.id.removeprefix("c-").startswith(id.removeprefix("c-"))]
    if not found:
        raise NotFound(f"There is no change request `{id}`; `cairn change list --all` shows them.", id=id)
    if len(found) > 1:
        names = ", ".join(sorted(request.id for request in found)[:5])
        raise UsageError(f"`{id}` may be {names}; give more of the id.", id=id)
    return found[0]


def newest_first(requests: Iterable[ChangeRequest]) -> list[ChangeRequest]:
    return sorted(requests, key=lambda request: (request.opened_at_ms, request.id), reverse=True)


def same_again(request: ChangeRequest, fresh: ChangeRequest) -> bool:
    """Whether bringing a request up to date would change nothing that a person sees."""
    return _proposal(request) == _proposal(fresh)


def _proposal(request: ChangeRequest) -> str:
    import json

    value = request_value(request)
    for key in ("state", "updatedAtMs", "approvedBy", "notes"):
        del value[key]
    return json.dumps(value, sort_keys=True)


def paths_of(change: ChangeSet) -> tuple[str, ...]:
    return tuple(sorted({edit.path for edit in change.edits}))


def _noted(request: ChangeRequest, at_ms: int, who: str, what: str, text: str = "") -> ChangeRequest:
    return replace(request, notes=(*request.notes, RequestNote(at_ms, who, what, text)), updated_at_ms=at_ms)


def _merged_labels(first: Sequence[Label], then: Sequence[Label]) -> tuple[Label, ...]:
    """Who sets a label that is there already has set it: so a person can stand behind one that the origin put there."""
    by_name = {label.name: label for label in (*first, *then)}
    return tuple(by_name[name] for name in sorted(by_name))


def _listed(labels: Sequence[Label]) -> str:
    return ", ".join(f"`{label.name}`" for label in labels) or "none"


HOUR_MS = 3_600_000

NEVER_LIMITED = frozenset({"quarantine", "rollback", "status", "bump", "revert"})
"""What takes something bad away, or only keeps the books. Neither are they counted."""


class RequestLimits(NamedTuple):
    max_open: int = 10
    max_per_hour: int = 2


def held_back(
    change: ChangeSet, requests: Iterable[ChangeRequest], limits: RequestLimits, *, now_ms: int
) -> str | None:
    """Why a change has to wait, None when it has not. Bringing an open request up to date never waits."""
    if _exempt(change.kind, change.origin):
        return None
    known = [request for request in requests if not _exempt(request.kind, request.origin)]
    waiting = [request for request in known if request.active]
    if any(same_matter(request, change) for request in waiting):
        return None
    if len(waiting) >= limits.max_open:
        return (
            f"{len(waiting)} change requests are open, and `change.max_open` is {limits.max_open}; merge or close some"
        )
    recent = [r for r in known if r.limited and now_ms - HOUR_MS < r.opened_at_ms <= now_ms]
    if change.limited and len(recent) >= limits.max_per_hour:
        return (
            f"{len(recent)} were opened within the hour, and `change.max_per_hour` is {limits.max_per_hour}; "
            f"the next may come at {_minute(min(r.opened_at_ms for r in recent) + HOUR_MS)}"
        )
    return None


def _minute(at_ms: int) -> str:
    """The first whole one from then on. Not how long that is: the reason is kept, and read later."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(-(-at_ms // 60_000) * 60, UTC).strftime("%H:%M UTC")


def same_matter(request: ChangeRequest, change: ChangeSet) -> bool:
    return (request.origin, request.subject) == (change.origin, change.subject)


def _exempt(kind: str, origin: str) -> bool:
    return kind in NEVER_LIMITED or origin in NEVER_LIMITED
