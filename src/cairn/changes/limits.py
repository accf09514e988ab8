"""How many requests a person is asked to look at: at most so many open, at most so many an hour."""

from collections.abc import Iterable
from typing import NamedTuple

from cairn.core.model.change import ChangeRequest, ChangeSet

HOUR_MS = 3_600_000

NEVER_LIMITED = frozenset({"quarantine", "rollback", "status", "bump", "revert"})
"""What takes something bad away, or only keeps the books. Neither are they counted."""


class Limits(NamedTuple):
    max_open: int = 10
    max_per_hour: int = 2


def held_back(change: ChangeSet, requests: Iterable[ChangeRequest], limits: Limits, *, now_ms: int) -> str | None:
    """Why a change has to wait, None when it has not. Bringing an open request up to date never waits."""
    if _exempt(change.kind, change.origin):
        return None
    known = [request for request in requests if not _exempt(request.kind, request.origin)]
    waiting = [request for request in known if request.active]
    if any(same_matter(request, change) for request in waiting):
        return None
    if len(waiting) >= limits.max_open:
        return (
            f"{len(waiting)} change requests are open, and `change.max_open` is {limits.max_open}; merge or close some"
        )
    recent = [r for r in known if r.limited and now_ms - HOUR_MS < r.opened_at_ms <= now_ms]
    if change.limited and len(recent) >= limits.max_per_hour:
        return (
            f"{len(recent)} were opened within the hour, and `change.max_per_hour` is {limits.max_per_hour}; "
            f"the next may come at {_minute(min(r.opened_at_ms for r in recent) + HOUR_MS)}"
        )
    return None


def _minute(at_ms: int) -> str:
    """The first whole one from then on. Not how long that is: the reason is kept, and read later."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(-(-at_ms // 60_000) * 60, UTC).strftime("%H:%M UTC")


def same_matter(request: ChangeRequest, change: ChangeSet) -> bool:
    return (request.origin, request.subject) == (change.origin, change.subject)


def _exempt(kind: str, origin: str) -> bool:
    return kind in NEVER_LIMITED or origin in NEVER_LIMITED
