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
    from cairn.observe.ports import ObservePorts

EVENT = "finding_acknowledged"


class Acked(NamedTuple):
    id: str
    status: str
    severity: str
    title: str
    event: str


def acks_of(ports: "ObservePorts") -> dict[str, Ack]:
    """The last word about each finding. What was collected counts when it was said in a clone of this project: an id
    may be the same in another project, where somebody else decides."""
    from cairn.core.record_event import project_of

    index_ledger(ports.ledger, ports.store)
    own, project = {file.key for file in ports.ledger.files()}, project_of(ports)
    return latest(_acks(ports, own, project))


def _acks(ports: "ObservePorts", own: set[str], project: str) -> Iterator[Ack]:
    for row in events_of(ports.ledger, ports.store, types=(EVENT,)):
        said = json.loads(row.payload)
        if row.file in own or said.get("project_id") == project:
            yield Ack(said["finding_id"], said["status"], said.get("severity"), said.get("note"), row.at_ms, row.id)


def findings_now(ports: "ObservePorts") -> list[Finding]:
    """What the last audits found, with what people said about it since; the gravest first."""
    rows = ports.store.findings.all()
    return acknowledged([finding_of(json.loads(row.detail)) for row in rows], acks_of(ports)) if rows else []


def acknowledge(ports: "ObservePorts", prefix: str, *, status: str, note: str | None) -> Acked:
    """By the beginning of its id, of the last audits or of any report that lies in the repository."""
    from cairn.core.record_event import tell

    known = _known(ports)
    id = matching(prefix, {one: title for one, (_, title) in known.items()})
    severity, title = known[id]
    told = tell(ports, EVENT, {"finding_id": id, "status": status, "severity": severity, "note": note})
    return Acked(id, status, severity, title, told.id)


def _known(ports: "ObservePorts") -> dict[str, tuple[str, str]]:
    """Severity and title by id; what an audit here saw last counts more than what is written in a report."""
    from cairn.observe.audit_reports import reported_findings

    known = {one.id: (one.severity, one.title) for one in reported_findings(ports)}
    rows = ports.store.findings.all()
    return known | {row.id: (row.severity, str(json.loads(row.detail)["title"])) for row in rows}
