"""What an audit comes to: does anything stand in the way?"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from cairn.core.model.finding import SEVERITIES, Finding, FindingStatus, Severity
from cairn.observe.engine import LensRun

Verdict = Literal["pass", "degraded-pass", "blocked"]
STATUSES: tuple[FindingStatus, ...] = ("open", "acknowledged", "skipped")


def blocking(findings: Sequence[Finding], threshold: Severity) -> list[Finding]:
    """Open, and as grave as the threshold or graver."""
    return [finding for finding in findings if finding.status == "open" and finding.severity <= threshold]


def verdict(findings: Sequence[Finding], runs: Sequence[LensRun], threshold: Severity) -> Verdict:
    """`degraded-pass`: nothing that was seen stands in the way, but not all was looked at."""
    if blocking(findings, threshold):
        return "blocked"
    looked = any(run.state == "ran" for run in runs)
    return "pass" if looked and not any(run.missed for run in runs) else "degraded-pass"


def missed(runs: Sequence[LensRun]) -> list[Finding]:
    """Lenses that could not look, as findings, so that nobody takes their silence for a good sign."""
    return [_missed(run) for run in runs if run.missed]


def _missed(run: LensRun) -> Finding:
    word = "was skipped" if run.state == "skipped" else "failed"
    return Finding(
        id=f"lens_{run.state}:{run.lens}",
        lens=run.lens,
        severity="P3",
        title=f"The lens {run.lens} {word}",
        description=f"{run.reason[:1].upper()}{run.reason[1:]}."[:600],
        status="skipped",
        confidence="high",
        evidence={"kind": f"lens_{run.state}"},
    )


def summary(findings: Sequence[Finding], runs: Sequence[LensRun], threshold: Severity) -> dict[str, Any]:
    """In numbers; lenses that could not look are counted apart."""
    real = [finding for finding in findings if finding.status != "skipped"]
    both = Counter((finding.severity, finding.status) for finding in findings)
    return {
        "total": len(real),
        "by_severity": {severity: sum(one.severity == severity for one in real) for severity in SEVERITIES},
        "by_severity_status": {
            severity: {status: both[severity, status] for status in STATUSES} for severity in SEVERITIES
        },
        "blocking": len(blocking(findings, threshold)),
        "acknowledged": sum(one.status == "acknowledged" for one in real),
        "skipped_lenses": [run.lens for run in runs if run.missed],
    }
