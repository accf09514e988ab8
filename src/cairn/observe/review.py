"""Open findings as other people's review programs want them: one flat list."""

from collections.abc import Iterable
from typing import Any

from cairn.core.model.finding import Finding
from cairn.observe.acknowledge import SHOWN

CATEGORY = "doc-conformance"


def review_findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The location has the lens and the beginning of the id in it, by which a finding can be acknowledged."""
    return [_item(finding) for finding in findings if finding.status == "open"]


def _item(finding: Finding) -> dict[str, Any]:
    where = finding.source_doc or "(no-source-doc)"
    return {
        "severity": finding.severity,
        "location": f"{where}::{finding.lens}::{finding.id[:SHOWN]}",
        "description": f"[{CATEGORY}/{finding.lens}] {finding.title} — {finding.description}",
        "suggestion": finding.fix_hint,
        "category": CATEGORY,
    }
