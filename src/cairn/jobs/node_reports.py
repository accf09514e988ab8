"""What readers reported about one document: its summary, the tags that they suggest, and risks."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cairn.core.ports.jobs import Execution, ExecutionFilter, JobStore
from cairn.core.ports.runtime import Files, ReadFailed
from cairn.jobs.action import JobAction
from cairn.jobs.model import question_hash
from cairn.jobs.report_findings import newest_reports


class NodeReport(NamedTuple):
    """The newest report of one action."""

    action: str
    outdated: bool
    """The document changed after it was read."""
    model: str | None
    at_ms: int
    report: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        facts = {"action": self.action, "outdated": self.outdated, "model": self.model, "at": self.at_ms}
        return {**facts, "report": self.report}


def reports_about(
    node_id: str, *, store: JobStore, files: Files, actions: Callable[[], Mapping[str, JobAction]]
) -> list[NodeReport]:
    """One of each action. What a feature asked about a document is used by that feature, and not listed."""
    rows = newest_reports(store.executions(ExecutionFilter(statuses=("completed",), node=node_id)))
    known = actions() if rows else {}
    return [
        NodeReport(
            row.extension_id,
            is_outdated(row, known, files),
            row.model,
            row.finished_at_ms,
            json.loads(row.report_json or "{}"),
        )
        for row in rows
        if _is_about_a_document(row, known)
    ]


def is_outdated(row: Execution, actions: Mapping[str, JobAction], files: Files) -> bool:
    """Whether the question would be another one today. A document that is gone is nobody's question any more, and
    what a feature asked, it asks again by itself."""
    if not _is_about_a_document(row, actions):
        return False
    try:
        text = files.read(row.node_id)[0].decode("utf-8", "replace")
    except ReadFailed:
        return False
    return question_hash(row.extension_id, row.extension_version, text) != row.question_hash


def _is_about_a_document(row: Execution, actions: Mapping[str, JobAction]) -> bool:
    action = actions.get(row.extension_id)
    return row.question_hash is not None and action is not None and action.question is None
