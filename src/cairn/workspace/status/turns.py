"""Lines of the status page about turns: how many are accounted for, and what the watchdog has to say."""

from collections.abc import Iterator

from cairn.capture.watch_turns import Look, look_at_turns, watch
from cairn.capture.watchdog import WINDOW_MS, Counts
from cairn.errors import CannotWrite
from cairn.workspace.status.page import Desk, Level, StatusLine

_DAYS = WINDOW_MS // 86_400_000


def turns(desk: Desk) -> Iterator[StatusLine]:
    if desk.store is None:
        return
    look, told = _look(desk)
    for issue in look.issues:
        level: Level = "error" if issue.severity == "critical" else "warn"
        yield StatusLine("waits", issue.text, level, "cairn turns verify", issue.payload())
    if told:
        yield StatusLine(
            "waits", f"the watchdog's alert was not passed on: {told}", "warn", "cairn config get capture.alert_command"
        )
    if look.counts.eligible:
        data = {**look.counts._asdict(), "waiting": look.waiting, "days": _DAYS}
        yield StatusLine("health", turns_text(look.counts), next="cairn turns trend", data=data)


def turns_text(counts: Counts) -> str:
    accounted = counts.eligible - counts.unaccounted
    whole = "all" if not counts.unaccounted else f"{accounted:,}"
    parts = f"{counts.completed:,} noted, {counts.skipped:,} skipped"
    failed = f", {counts.failed:,} failed" if counts.failed else ""
    return f"turns of {_DAYS} days: {whole} of {counts.eligible:,} accounted for ({parts}{failed})"


def _look(desk: Desk) -> tuple[Look, str]:
    """By the watchdog when its time has come. A workspace that cannot be written to can be looked at all the same."""
    try:
        watched = watch(desk.app)
    except CannotWrite:
        watched = None
    if watched is not None:
        return watched.look, watched.told
    return look_at_turns(desk.app, since_ms=desk.now_ms - WINDOW_MS), ""
