"""What the curator has for a person: conflicts to settle, what waits to become pages, what came to nothing, and
documents and a lint that are due."""

from collections.abc import Iterator

from cairn.core.model.session import SessionLog
from cairn.curate.pending_candidates import waiting_in_logs
from cairn.curate.propose import READ, RETRY, could_not_be_read, waiting_to_be_read
from cairn.curate.read_state import is_unread
from cairn.curate.state import PLAN, CurateState
from cairn.workspace.status.page import Desk, StatusLine, counted


def curation(desk: Desk) -> Iterator[StatusLine]:
    state = CurateState(desk.app)
    found, problems = state.conflicts()
    pending = [one for one in found if one.status == "pending"]
    if pending:
        text = f"{counted(len(pending), 'conflict')} to settle, such as “{pending[0].proposed.title}”"
        yield StatusLine("waits", text, "warn", "cairn conflict list", {"count": len(pending)})
    for problem in problems[:3]:
        yield StatusLine("held", problem, "warn", data={"count": len(problems)})
    logs: list[SessionLog] = []
    waiting = waiting_in_logs(desk.app, state.stamps(), also=logs.append)
    yield from _sessions(logs[::-1])
    if waiting:
        yield StatusLine(
            "waits", f"{counted(waiting, 'candidate')} to curate", "info", "cairn curate", {"count": waiting}
        )
    failures = state.failures()
    if failures:
        text = f"{counted(len(failures), 'candidate')} could not become a page: {failures[0].detail}"
        yield StatusLine("held", text, "warn", "cairn curate --retry-failed", {"count": len(failures)})
    if desk.app.files.exists(PLAN):
        text = "a run of the curator was stopped in the middle; the next one finishes it"
        yield StatusLine("held", text, "warn", "cairn curate", {})
    yield from _documents(desk)
    yield from _lint(desk)


def _sessions(logs: list[SessionLog]) -> Iterator[StatusLine]:
    """Those that no reader has read; the newest first."""
    failed = [log for log in logs if log.proposal_status == "failed"]
    pending = sum(map(is_unread, logs)) - len(failed)
    if pending:
        yield StatusLine("waits", waiting_to_be_read(pending), "info", READ, {"count": pending})
    if failed:
        text = f"{could_not_be_read(len(failed))}: {failed[0].proposal_error or 'no reason given'}"
        yield StatusLine("held", text, "warn", RETRY, {"count": len(failed)})


def _documents(desk: Desk) -> Iterator[StatusLine]:
    """Of bases of nodes; other workspaces import nothing for this."""
    if not any(corpus.layout == "nodes" for corpus in desk.app.corpora):
        return
    from cairn.curate.index_documents import stale_documents

    for stale in stale_documents(desk.app):
        yield StatusLine("waits", stale.why, "warn", "cairn index rebuild", {"documents": list(stale.paths)})


def _lint(desk: Desk) -> Iterator[StatusLine]:
    from cairn.curate.lint_pages import lint_due

    since = lint_due(desk.app)
    if since:
        text = f"a lint of the pages is due: {counted(since, 'session')} since the last one"
        yield StatusLine("waits", text, "info", "cairn lint", {"sessions": since})
