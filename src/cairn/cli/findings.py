"""Findings of audits, for people."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cairn.cli.output import Output, safe
from cairn.core.model.lens import SEVERITIES, Finding
from cairn.observe.audit_formats import MEANING, evidence_texts, place
from cairn.observe.audit_result import SHOWN

if TYPE_CHECKING:
    from cairn.observe.audit_result import Audit

_COLORS = {"P0": "red", "P1": "red", "P2": "yellow", "P3": "dim"}


def print_audit(out: Output, audit: "Audit", *, show_acknowledged: bool) -> None:
    """The findings, then the verdict in a line."""
    print_findings(out, audit.of("open"))
    if show_acknowledged:
        print_findings(out, audit.of("acknowledged"))
    acknowledged = audit.summary["acknowledged"]
    hidden = f"; {acknowledged:,} acknowledged" if acknowledged else ""
    hidden += ", shown with --show-acknowledged" if acknowledged and not show_acknowledged else ""
    out.data(f"{audit.verdict}: {MEANING[audit.verdict]} ({tally(audit.of('open'))}{hidden})")
    if audit.of("open"):
        out.say("`cairn observe ack ID` says that you know of one; the first digits of its id are enough")


def print_findings(out: Output, findings: Iterable[Finding]) -> None:
    for finding in findings:
        where = f"  {place(finding)}" if finding.source_doc else ""
        state = "" if finding.status == "open" else f" ({finding.status})"
        head = f"{out.style(finding.severity, _COLORS[finding.severity])} {finding.id[:SHOWN]}{state}"
        out.data(f"{head}  {safe(finding.title)}{safe(where)}")
        for line in _more(finding, evidence=out.verbosity > 0):
            out.data(safe(f"    {line}"))
        out.data("")


def _more(finding: Finding, *, evidence: bool) -> Iterable[str]:
    if finding.description:
        yield finding.description
    for name, text in evidence_texts(finding.evidence) if evidence else ():
        yield f"{name}: {text}"
    if finding.ack_note:
        yield f"note: {finding.ack_note}"
    if finding.fix_hint:
        yield f"to do: {finding.fix_hint}"


def tally(findings: Sequence[Finding]) -> str:
    """`2 P1, 1 P3`, or `none`."""
    counts = {severity: sum(one.severity == severity for one in findings) for severity in SEVERITIES}
    return ", ".join(f"{number:,} {severity}" for severity, number in counts.items() if number) or "none open"
