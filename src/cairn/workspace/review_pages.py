"""Has pages that are waiting for approval reviewed by a reader, and shows its findings to whoever approves them."""

from collections.abc import Iterator, Sequence
from typing import Final

from cairn.core.model.change import Taint
from cairn.core.ports.jobs import ExecutionFilter
from cairn.jobs.model import question_hash
from cairn.jobs.node_reports import reports_about
from cairn.jobs.submit import SubmitOptions, submit_nodes
from cairn.knowledge.approve import PageToApprove, unapproved, urgency
from cairn.lib.injection.marks import InjectionMark
from cairn.workspace.ports import WorkspacePorts

REVIEW: Final = "core/review-security"
READER: Final = "reader"
"""Why a page is flagged that a reader found a risk in."""
_RISKY: Final = ("critical", "high", "medium")


def ask_reviews(ports: WorkspacePorts) -> int:
    """Asks about each page whose present text nobody reviewed. A stranger may have written it, so the questions are not
    for an agent that has tools."""
    action, store, graph = ports.actions()[REVIEW], ports.store.jobs, ports.scanned_store()
    nodes = [node for path in unapproved(ports) if (node := graph.node(path)) is not None]
    new = [node for node in nodes if not _is_reviewed(ports, node.path)]
    options = SubmitOptions(taint=Taint.OUTSIDE)
    clock, settings = ports.clock.now_ms(), ports.settings
    done = submit_nodes(action, new, options, store=store, files=ports.files, settings=settings, now_ms=clock)
    return len(done.submitted)


def _is_reviewed(ports: WorkspacePorts, path: str) -> bool:
    text = ports.files.read(path)[0].decode("utf-8", "replace")
    asked = question_hash(REVIEW, ports.actions()[REVIEW].version, text)
    return bool(ports.store.jobs.executions(ExecutionFilter(("completed",), question_hash=asked, limit=1)))


def with_reviews(ports: WorkspacePorts, pages: Sequence[PageToApprove]) -> list[PageToApprove]:
    """With what a reader found in their present text; a page that was reviewed need not be read."""
    return sorted((_reviewed(ports, page) for page in pages), key=urgency)


def _reviewed(ports: WorkspacePorts, page: PageToApprove) -> PageToApprove:
    risks = (*page.marks, *_risks(ports, page.path))
    unread = page.doubt and not risks and not _is_reviewed(ports, page.path)
    return page._replace(marks=risks, doubt=page.doubt if unread else "")


def _risks(ports: WorkspacePorts, path: str) -> Iterator[InjectionMark]:
    found = reports_about(path, store=ports.store.jobs, files=ports.files, actions=ports.actions)
    for report in (one.report for one in found if one.action == REVIEW and not one.outdated):
        risks = [one for one in report.get("findings", ()) if one["severity"] in _RISKY]
        yield from (InjectionMark(READER, 0, f"{one['title']}: {one['quote']}") for one in risks)
        safety = report["safety"]
        if safety["injectionDetected"] and not risks:
            yield InjectionMark(READER, 0, safety["injectionDetails"] or "it tries to instruct its reader")
