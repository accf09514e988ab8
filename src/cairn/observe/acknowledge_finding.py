"""What people said about findings, and saying it."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.events import events_of
from cairn.core.model.finding import Finding
from cairn.observe.acknowledge import Ack, acknowledged, latest, matching
from cairn.observe.sidecar import finding_of
from cairn.workspace.ledger_index import index_ledger

if TYPE_CHECKING:
    from cairn.app.build import App

EVENT = "finding_acknowledged"


class Acked(NamedTuple):
    id: str
    status: str
    severity: str
    title: str
    event: str


def acks_of(app: "App") -> dict[str, Ack]:
    """The last word about each finding. What was collected counts when it was said in a clone of this project: an id
    may be the same in another project, where somebody else decides."""
    from cairn.core.record_event import project_of

    index_ledger(app.ledger, app.store)
    own, project = {file.key for file in app.ledger.files()}, project_of(app)
    return latest(_acks(app, own, project))


def _acks(app: "App", own: set[str], project: str) -> Iterator[Ack]:
    for row in events_of(app.ledger, app.store, types=(EVENT,)):
        said = json.loads(row.payload)
        if row.file in own or said.get("project_id") == project:
            yield Ack(said["finding_id"], said["status"], said.get("severity"), said.get("note"), row.at_ms, row.id)


def findings_now(app: "App") -> list[Finding]:
    """What the last audits found, with what people said about it since; the gravest first."""
    rows = app.store.findings.all()
    return acknowledged([finding_of(json.loads(row.detail)) for row in rows], acks_of(app)) if rows else []


def acknowledge(app: "App", prefix: str, *, status: str, note: str | None) -> Acked:
    """By the beginning of its id, of the last audits or of any report that lies in the repository."""
    from cairn.core.record_event import tell

    known = _known(app)
    id = matching(prefix, {one: title for one, (_, title) in known.items()})
    severity, title = known[id]
    told = tell(app, EVENT, {"finding_id": id, "status": status, "severity": severity, "note": note})
    return Acked(id, status, severity, title, told.id)


def _known(app: "App") -> dict[str, tuple[str, str]]:
    """Severity and title by id; what an audit here saw last counts more than what is written in a report."""
    from cairn.observe.audit_reports import reported_findings

    known = {one.id: (one.severity, one.title) for one in reported_findings(app)}
    rows = app.store.findings.all()
    return known | {row.id: (row.severity, str(json.loads(row.detail)["title"])) for row in rows}
