"""Adds the findings of `cairn check` to the report of a scan."""

from dataclasses import replace

from cairn.core.model.issue import Severity
from cairn.core.ports.progress import Progress
from cairn.graph.run_scan import Scanned, failure_sentences
from cairn.workspace.findings import gather
from cairn.workspace.ports import WorkspacePorts


def as_checked(ports: WorkspacePorts, scanned: Scanned, progress: Progress | None = None) -> Scanned:
    """With the counts of `cairn check`. The counts that are stored and recorded are those of the scan alone, because
    they don't depend on history or on who ran the scan."""
    found = gather(ports, progress=progress)
    words = {Severity.ERROR: "errors", Severity.WARN: "warnings", Severity.INFO: "infos"}
    counts = {word: sum(issue.severity is severity for issue in found.issues) for severity, word in words.items()}
    report = scanned.report._replace(counts={**scanned.report.counts, **counts})
    return replace(
        scanned,
        report=report,
        warnings=(*scanned.warnings, *failure_sentences(found.failures)),
        unread="; ".join(found.unread),
        documents=found.looked["documents"],
        left_out=found.left_out,
    )
