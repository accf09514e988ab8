"""Findings in the reports of jobs: attempts to instruct the reader, risks, doubtful answers, and outdated ones."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from cairn.core.model.issue import Severity
from cairn.core.ports.jobs import Execution

INJECTION, QUALITY, LOW_CONFIDENCE, OUTDATED = "injection", "content-quality", "low-confidence", "report-outdated"
_SEVERITIES: Final[Mapping[str, Severity]] = {
    "critical": Severity.ERROR,
    "high": Severity.ERROR,
    "medium": Severity.WARN,
    "low": Severity.INFO,
    "info": Severity.INFO,
}
_QUALITIES: Final = {"suspicious": Severity.INFO, "malformed": Severity.WARN}


class ReportFinding(NamedTuple):
    kind: str
    severity: Severity
    title: str
    evidence: str
    fix: str
    subject: str = ""
    """Tells findings of one kind in one report apart."""
    security: bool = False


def newest_reports(rows: Iterable[Execution]) -> list[Execution]:
    """Of each action and document the last report; `rows` come newest first."""
    found: dict[tuple[str, str], Execution] = {}
    for row in rows:
        if row.status == "completed" and row.report_json is not None:
            found.setdefault((row.extension_id, row.node_id), row)
    return list(found.values())


def report_findings(row: Execution, *, threshold: float, outdated: bool) -> Iterator[ReportFinding]:
    report = json.loads(row.report_json or "{}")
    yield from _of_safety(row, report.get("safety", {}))
    yield from (_of_scanner(row, found) for found in report.get("findings", ()) if _is_finding(found))
    confidence = report.get("confidence", 1)
    again = f"Ask again: `cairn job submit {row.extension_id} -n {row.node_id}`."
    if confidence < threshold:
        title = f"The report of {row.extension_id} about `{row.node_id}` is doubtful."
        yield ReportFinding(LOW_CONFIDENCE, Severity.INFO, title, f"its confidence is {confidence}", again)
    if outdated:
        title = f"`{row.node_id}` changed after {row.extension_id} was asked about it."
        yield ReportFinding(OUTDATED, Severity.INFO, title, f"report {row.id}", again)


def _of_safety(row: Execution, safety: Mapping[str, Any]) -> Iterator[ReportFinding]:
    if safety.get("injectionDetected"):
        kind, details = safety.get("injectionType") or "other", safety.get("injectionDetails")
        title = f"`{row.node_id}` tries to instruct its reader ({kind})."
        fix = "Remove the instruction, or mark it as an example."
        yield ReportFinding(INJECTION, Severity.ERROR, title, details or f"report {row.id}", fix, security=True)
    quality = safety.get("contentQuality")
    if quality in _QUALITIES:
        title = f"The text of `{row.node_id}` is {quality}."
        yield ReportFinding(QUALITY, _QUALITIES[quality], title, f"report {row.id}", "Check the text of the document.")


def _is_finding(found: Any) -> bool:
    return isinstance(found, dict) and found.get("severity") in _SEVERITIES and bool(found.get("title"))


def _of_scanner(row: Execution, found: Mapping[str, Any]) -> ReportFinding:
    quote = str(found.get("quote") or found.get("description") or f"report {row.id}")
    return ReportFinding(
        str(found.get("category", "security")),
        _SEVERITIES[found["severity"]],
        str(found["title"]),
        quote,
        str(found.get("remediation", "")),
        subject=str(found.get("id", found["title"])),
        security=True,
    )
