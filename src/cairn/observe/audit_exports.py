"""Writes the findings of an audit for other programs: SARIF, GitHub annotations, and a list for review tools."""

from collections.abc import Iterable, Sequence
from typing import Any

from cairn.core.model.issue import Fix, Issue, Severity
from cairn.core.model.lens import Finding
from cairn.core.paths import COMMITTED
from cairn.observe.acknowledge import SHOWN
from cairn.observe.lenses import LENS_TEXTS
from cairn.version import __version__

_LEVELS = {"P0": Severity.ERROR, "P1": Severity.ERROR, "P2": Severity.WARN, "P3": Severity.INFO}


def sarif_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """Each result is known by the id of its finding, so that it stays the same alert as long as it is one finding."""
    from cairn.graph.sarif import sarif

    shown = _shown(findings)
    log = sarif([_issue(one) for one in shown], LENS_TEXTS, __version__)
    for result, finding in zip(log["runs"][0]["results"], shown, strict=True):
        result["partialFingerprints"] = {"cairn/v1": finding.id}
    return log


def github_lines(findings: Sequence[Finding]) -> list[str]:
    from cairn.graph.sarif import github

    return github(_issue(one) for one in _shown(findings))


def _shown(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.status == "open"]


def _issue(finding: Finding) -> Issue:
    """What is about no document, such as a missing one, is shown at a file that every workspace has."""
    message = f"{finding.severity} {finding.title}: {finding.description} ({finding.id[:SHOWN]})"
    fix = Fix(finding.fix_hint) if finding.fix_hint else None
    path = finding.source_doc or COMMITTED
    return Issue(finding.lens, _LEVELS[finding.severity], (path,), message, finding.line, fix=fix)


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
