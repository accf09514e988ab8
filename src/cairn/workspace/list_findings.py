"""One list of findings: of `check`, of the last audits, and of the reports of jobs, with what people acknowledged."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.core.ledger_events import tell
from cairn.core.model.issue import Issue, Severity, places_of, proofs_of
from cairn.core.model.lens import Finding, finding_id
from cairn.core.ports.jobs import Execution, ExecutionFilter
from cairn.graph.compare import fingerprint
from cairn.jobs.node_reports import is_outdated
from cairn.jobs.report_findings import newest_reports, report_findings
from cairn.observe.acknowledge import EVENT, Acknowledgement, acks_of, findings_now, matching
from cairn.workspace.findings import for_people
from cairn.workspace.ports import WorkspacePorts

FindingSource = Literal["check", "audit", "job"]
THRESHOLD: Final = 0.5
"""Reports with a lower confidence are findings."""

_LEVELS: Final = {Severity.ERROR: "P1", Severity.WARN: "P2", Severity.INFO: "P3"}
"""As acknowledgements know them."""
_OF_AUDITS: Final = {"P0": Severity.ERROR, "P1": Severity.ERROR, "P2": Severity.WARN, "P3": Severity.INFO}
_ORDER: Final = list(Severity)


class ListedFinding(NamedTuple):
    id: str
    """16 hexadecimal digits, the same as long as it is the same problem."""
    source: FindingSource
    kind: str
    """Id of an analyzer or lens, or what a report found."""
    severity: Severity
    path: str | None
    line: int | None
    title: str
    evidence: tuple[str, ...] = ()
    fix: str = ""
    confidence: float | None = None
    at_ms: int | None = None
    """When an audit or a reader saw it last; None for `check`, which looks now."""
    security: bool = False
    acknowledged: bool = False
    note: str | None = None


class FindingsFilter(NamedTuple):
    """Empty means all."""

    kinds: Sequence[str] = ()
    since_ms: int | None = None
    threshold: float = THRESHOLD
    security: bool = False
    acknowledged: bool = False
    """Also those that somebody acknowledged."""


def list_findings(ports: WorkspacePorts, wanted: FindingsFilter) -> list[ListedFinding]:
    """Worst first, then by path and line."""
    found = [one for one in _all(ports, wanted.threshold) if _is_wanted(one, wanted)]
    return sorted(found, key=lambda one: (_ORDER.index(one.severity), one.path or "", one.line or 0, one.kind, one.id))


def acknowledge_finding(
    ports: WorkspacePorts, prefix: str, *, status: Literal["acknowledged", "open"], note: str | None
) -> ListedFinding:
    """By the beginning of its id. It is not listed any more, until it becomes graver."""
    known = {one.id: one for one in _all(ports, threshold=1.0)}
    id = matching(prefix, {one.id: one.title for one in known.values()}, listing="cairn findings --all")
    found = known[id]
    tell(ports, EVENT, {"finding_id": id, "status": status, "severity": _LEVELS[found.severity], "note": note})
    return found._replace(acknowledged=status == "acknowledged", note=note)


def finding_value(one: ListedFinding) -> dict[str, Any]:
    """As JSON."""
    return {
        "id": one.id,
        "source": one.source,
        "kind": one.kind,
        "severity": str(one.severity),
        "path": one.path,
        "line": one.line,
        "title": one.title,
        "evidence": list(one.evidence),
        "fix": one.fix,
        "confidence": one.confidence,
        "at": one.at_ms,
        "security": one.security,
        "status": "acknowledged" if one.acknowledged else "open",
        "note": one.note,
    }


def _is_wanted(one: ListedFinding, wanted: FindingsFilter) -> bool:
    if (wanted.kinds and one.kind not in wanted.kinds) or (wanted.security and not one.security):
        return False
    late = wanted.since_ms is None or one.at_ms is None or one.at_ms >= wanted.since_ms
    return late and (wanted.acknowledged or not one.acknowledged)


def _all(ports: WorkspacePorts, threshold: float) -> Iterator[ListedFinding]:
    acks = acks_of(ports)
    for one in (*_of_check(ports), *_of_jobs(ports, threshold)):
        yield _settled(one, acks.get(one.id))
    yield from (_of_audit(finding) for finding in findings_now(ports) if finding.status != "skipped")


def _settled(one: ListedFinding, ack: Acknowledgement | None) -> ListedFinding:
    if ack is None or ack.status != "acknowledged":
        return one
    graver = ack.severity is not None and _LEVELS[one.severity] < ack.severity
    return one._replace(acknowledged=not graver, note=ack.note)


def _of_check(ports: WorkspacePorts) -> Iterator[ListedFinding]:
    for issue in for_people(ports, notes=True):
        yield _of_issue(issue)


def _of_issue(issue: Issue) -> ListedFinding:
    evidence = [proof.sentence for proof in proofs_of(issue)] or [
        place.text for place in places_of(issue) if place.text
    ]
    return ListedFinding(
        id=finding_id("check", fingerprint(issue)),
        source="check",
        kind=issue.analyzer,
        severity=issue.severity,
        path=issue.path,
        line=issue.line,
        title=issue.message,
        evidence=tuple(evidence),
        fix=issue.fix.summary if issue.fix else "",
    )


def _of_audit(finding: Finding) -> ListedFinding:
    from cairn.observe.audit_formats import evidence_texts

    return ListedFinding(
        id=finding.id,
        source="audit",
        kind=finding.lens,
        severity=_OF_AUDITS[finding.severity],
        path=finding.source_doc,
        line=finding.line,
        title=finding.title,
        evidence=tuple(f"{name}: {text}" for name, text in evidence_texts(finding.evidence)),
        fix=finding.fix_hint,
        at_ms=_at_ms(finding.last_seen),
        acknowledged=finding.status == "acknowledged",
        note=finding.ack_note,
    )


def _at_ms(text: str | None) -> int | None:
    from datetime import datetime

    return None if text is None else int(datetime.fromisoformat(text).timestamp() * 1000)


def _of_jobs(ports: WorkspacePorts, threshold: float) -> Iterator[ListedFinding]:
    rows = newest_reports(ports.store.jobs.executions(ExecutionFilter(statuses=("completed",))))
    actions = ports.actions() if rows else {}
    for row in rows:
        outdated = is_outdated(row, actions, ports.files)
        for found in report_findings(row, threshold=threshold, outdated=outdated):
            yield ListedFinding(
                id=finding_id("job", row.extension_id, row.node_id, found.kind, found.subject),
                source="job",
                kind=found.kind,
                severity=found.severity,
                path=row.node_id,
                line=None,
                title=found.title,
                evidence=(f"{found.evidence} ({row.extension_id}, {row.job_id})",),
                fix=found.fix,
                confidence=_confidence(row),
                at_ms=row.finished_at_ms,
                security=found.security,
            )


def _confidence(row: Execution) -> float | None:
    value = json.loads(row.report_json or "{}").get("confidence")
    return float(value) if isinstance(value, int | float) else None
