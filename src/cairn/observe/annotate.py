"""Findings of an audit for the tools that read the issues of `cairn check`: SARIF, and annotations in GitHub's log."""

from collections.abc import Iterable, Sequence
from typing import Any

import cairn
from cairn.config.files import COMMITTED
from cairn.core.model.finding import Finding
from cairn.core.model.issue import Fix, Issue, Severity
from cairn.observe.acknowledge import SHOWN
from cairn.observe.lenses import LENS_TEXTS

_LEVELS = {"P0": Severity.ERROR, "P1": Severity.ERROR, "P2": Severity.WARN, "P3": Severity.INFO}


def sarif_of(findings: Sequence[Finding]) -> dict[str, Any]:
    """Each result is known by the id of its finding, so that it stays the same alert as long as it is one finding."""
    from cairn.graph.sarif import sarif

    shown = _shown(findings)
    log = sarif([_issue(one) for one in shown], LENS_TEXTS, cairn.__version__)
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
