"""What the curator has for a person: conflicts to settle, candidates that wait, runs that came to nothing."""

from collections.abc import Iterator

from cairn.app.curate_candidates import waiting_in_logs
from cairn.app.curate_state import PLAN, CurateState
from cairn.app.status import Desk, StatusLine, counted


def curation(desk: Desk) -> Iterator[StatusLine]:
    state = CurateState(desk.app)
    found, problems = state.conflicts()
    pending = [one for one in found if one.status == "pending"]
    if pending:
        text = f"{counted(len(pending), 'conflict')} to settle, such as “{pending[0].proposed.title}”"
        yield StatusLine("waits", text, "warn", "cairn conflict list", {"count": len(pending)})
    for problem in problems[:3]:
        yield StatusLine("held", problem, "warn", data={"count": len(problems)})
    waiting = waiting_in_logs(desk.app, state.stamps())
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
