"""Change requests and tickets as JSON: what `--json` prints, and what a forge keeps."""

from collections.abc import Mapping
from typing import Any

from cairn.core.model.change import ChangeRequest, Label, Level, RequestNote, RequestState, Ruling, Taint, Ticket


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


def ruling_value(ruling: Ruling) -> dict[str, Any]:
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


def ruling_from(value: Mapping[str, Any]) -> Ruling:
    evidence = tuple(dict(item) for item in value.get("evidence", ()))
    return Ruling(str(value["gate"]), Level[value["level"].upper()], str(value["reason"]), evidence)


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
