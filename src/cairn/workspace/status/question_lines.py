"""Lines of the status page about questions: those that are waiting to be read, and those that nobody could answer."""

from collections.abc import Iterator

from cairn.jobs.several import last_failures
from cairn.workspace.status.context import StatusContext, StatusLine, counted

_MOST = 1000


def questions(desk: StatusContext) -> Iterator[StatusLine]:
    waiting = desk.app.waiting_line()
    if waiting:
        data = {"questions": desk.app.waiting_counts()}
        yield StatusLine("waits", waiting.partition(":")[0], "info", "cairn judge", data)
    if desk.store is None:
        return
    failed = last_failures(desk.store.jobs, _MOST)
    if failed:
        why = failed[0].message or failed[0].failure_reason or "no reason given"
        text = f"{counted(len(failed), 'question')} could not be answered, the last one because: {why}"
        yield StatusLine("held", text, "warn", "cairn history --status failed", {"count": len(failed)})
