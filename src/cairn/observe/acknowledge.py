"""Acknowledging a finding: somebody knows of it. That lapses when it becomes worse."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cairn.core.ledger_events import events_of
from cairn.core.model.lens import SEVERITIES, Finding
from cairn.errors import NotFound, UsageError
from cairn.observe.audit_result import finding_of

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts

_NAMED = 5


class Acknowledgement(NamedTuple):
    finding: str
    status: str
    """`acknowledged`, or `open` for one that was taken back."""
    severity: str | None
    """Of the finding when it was acknowledged; None when nobody said."""
    note: str | None
    at_ms: int
    event: str


def latest(acks: Iterable[Acknowledgement]) -> dict[str, Acknowledgement]:
    """By finding, the last word about it; the order in which they are read does not matter."""
    last: dict[str, Acknowledgement] = {}
    for ack in acks:
        known = last.get(ack.finding)
        if known is None or (known.at_ms, known.event) < (ack.at_ms, ack.event):
            last[ack.finding] = ack
    return last


def acknowledged(findings: Iterable[Finding], acks: Mapping[str, Acknowledgement]) -> list[Finding]:
    return [_settled(finding, acks.get(finding.id)) for finding in findings]


def _settled(finding: Finding, ack: Acknowledgement | None) -> Finding:
    if finding.status == "skipped" or ack is None or ack.status != "acknowledged":
        return finding
    if ack.severity in SEVERITIES and finding.severity < ack.severity:
        said = f"was acknowledged as {ack.severity} and is {finding.severity} now"
        return replace(finding, ack_note=f"{said}; {ack.note}" if ack.note else said)
    return replace(finding, status="acknowledged", ack_note=ack.note)


def matching(prefix: str, known: Mapping[str, str], *, listing: str = "cairn observe findings --all") -> str:
    """The one id that begins so. `known` has what each is about, `listing` is the command that lists them."""
    wanted = prefix.strip().lower()
    if not wanted or wanted.strip("0123456789abcdef"):
        raise UsageError(f"`{prefix}` is no beginning of an id, which is made of digits and the letters a to f.")
    found = sorted(id for id in known if id.startswith(wanted))
    if not found:
        raise NotFound(
            f"No finding's id begins with `{wanted}`; `{listing}` lists them.",
            prefix=wanted,
        )
    if len(found) > 1:
        named = ", ".join(f"{id} ({known[id][:60]})" for id in found[:_NAMED])
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise UsageError(f"`{wanted}` begins several ids: {named}{more}; give more of its digits.", candidates=found)
    return found[0]


EVENT = "finding_acknowledged"


class AcknowledgedFinding(NamedTuple):
    id: str
    status: str
    severity: str
    title: str
    event: str


def acks_of(ports: "ObservePorts") -> dict[str, Acknowledgement]:
    """The last word about each finding. What was collected counts when it was said in a clone of this project: an id
    may be the same in another project, where somebody else decides."""
    from cairn.core.ledger_events import project_of

    ports.index_ledger()
    own, project = {file.key for file in ports.ledger.files()}, project_of(ports)
    return latest(_acks(ports, own, project))


def _acks(ports: "ObservePorts", own: set[str], project: str) -> Iterator[Acknowledgement]:
    for row in events_of(ports.ledger, ports.store, types=(EVENT,)):
        said = json.loads(row.payload)
        if row.file in own or said.get("project_id") == project:
            yield Acknowledgement(
                said["finding_id"], said["status"], said.get("severity"), said.get("note"), row.at_ms, row.id
            )


def findings_now(ports: "ObservePorts") -> list[Finding]:
    """What the last audits found, with what people said about it since; the gravest first."""
    rows = ports.store.findings.all()
    return acknowledged([finding_of(json.loads(row.detail)) for row in rows], acks_of(ports)) if rows else []


def acknowledge(ports: "ObservePorts", prefix: str, *, status: str, note: str | None) -> AcknowledgedFinding:
    """By the beginning of its id, of the last audits or of any report that lies in the repository."""
    from cairn.core.ledger_events import tell

    known = _known(ports)
    id = matching(prefix, {one: title for one, (_, title) in known.items()})
    severity, title = known[id]
    told = tell(ports, EVENT, {"finding_id": id, "status": status, "severity": severity, "note": note})
    return AcknowledgedFinding(id, status, severity, title, told.id)


def _known(ports: "ObservePorts") -> dict[str, tuple[str, str]]:
    """Severity and title by id; what an audit here saw last counts more than what is written in a report."""
    from cairn.observe.report_files import reported_findings

    known = {one.id: (one.severity, one.title) for one in reported_findings(ports)}
    rows = ports.store.findings.all()
    return known | {row.id: (row.severity, str(json.loads(row.detail)["title"])) for row in rows}
