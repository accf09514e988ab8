"""What a reader adds to `cairn try`: passages of the documents that disagree. Nothing is stored."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cairn.core.model.lens import Finding
from cairn.core.ports.jobs import JobFilter
from cairn.jobs.ask import ReadNow
from cairn.jobs.run import JobRunSummary
from cairn.observe.ask_contradictions import Contradictions
from cairn.observe.audit import AuditedDocuments
from cairn.observe.questions.contradiction.question import QUESTION
from cairn.observe.report_files import folder_of
from cairn.workspace.ports import WorkspacePorts

MOST: Final = 20
"""Questions."""


class TryReading(NamedTuple):
    findings: tuple[Finding, ...]
    spent: JobRunSummary | None
    """None when there was nothing to ask."""
    left: int
    """Pairs of passages that were not read."""

    def json(self) -> dict[str, Any]:
        spent = self.spent or JobRunSummary("")
        counts = {"answered": spent.completed, "failed": spent.failed, "left": self.left}
        tokens = {"tokensIn": spent.tokens_in, "tokensOut": spent.tokens_out}
        return {**counts, **tokens, "stopped": spent.stopped or None, "findings": [*map(_json, self.findings)]}

    def sentences(self) -> Iterator[str]:
        """What was read, and what is waiting."""
        spent = self.spent
        if spent is None:
            yield "no passages that could disagree, so nothing was asked"
            return
        failed = f", {spent.failed:,} without an answer that counts" if spent.failed else ""
        pairs = "pair of passages" if spent.completed == 1 else "pairs of passages"
        tokens = f"{spent.tokens_in:,} tokens read and {spent.tokens_out:,} written"
        yield f"{spent.completed:,} {pairs} read{failed}; {tokens}"
        if spent.stopped:
            yield spent.stopped
        if self.left:
            verb = "is" if self.left == 1 else "are"
            yield f"{self.left:,} more {verb} waiting to be read: `cairn init`, then `cairn observe audit --with NAME`"


def read_passages(ports: WorkspacePorts, reader: ReadNow) -> TryReading:
    """The pairs that are most worth comparing, as many as the reader takes."""
    asked = Contradictions(ports, asks=True, reader=reader)
    found = asked.look([*AuditedDocuments(ports, folder_of(ports))()])
    waiting = ports.store.jobs.jobs(JobFilter(("queued",), (QUESTION.id,)))
    return TryReading(tuple(found), asked.spent, len(waiting) + asked.left)


def _json(finding: Finding) -> dict[str, Any]:
    other = finding.evidence["other"]
    places = [
        {"path": finding.source_doc, "line": finding.line, "text": finding.evidence["text"]},
        {"path": other["path"], "line": other["line"], "text": other["text"]},
    ]
    return {
        "kind": finding.evidence["kind"],
        "message": finding.title,
        "path": finding.source_doc,
        "line": finding.line,
        "evidence": places,
        "because": finding.description,
        "fix": finding.fix_hint,
    }
