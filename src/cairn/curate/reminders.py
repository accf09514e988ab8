"""Reminders in a briefing: sessions wait for the curator, or pages should be linted. One line, once an hour."""

import os
from contextlib import suppress
from datetime import date
from typing import Final

from cairn.core.ports.runtime import utc_day
from cairn.curate.lint import lint_due
from cairn.curate.pending_candidates import Queue, queue_of
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import CurateState
from cairn.errors import CairnError
from cairn.hook.aside import NUDGED, open_own

PAUSE_MS: Final = 3_600_000
_OLD_DAYS: Final = 7


def nudge_of(ports: CuratePorts) -> str:
    """What there is to be reminded of, whenever that was last done; empty for nothing. Numbers only."""
    with suppress(CairnError, OSError):
        queue = queue_of(ports, CurateState(ports).stamps())
        if said := curation(queue, ports.settings.integer("curate.threshold"), utc_day(ports.clock.now_ms())):
            return said
        if since := lint_due(ports):
            return f"{since:,} sessions since pages were last linted; `cairn lint` finds what no longer fits together."
    return ""


def curation(queue: Queue, threshold: int, today: date) -> str:
    """Loud when the oldest has waited for a week, or twice as many wait as should."""
    if queue.sessions < threshold:
        return ""
    days = _days(queue.since, today)
    if days >= _OLD_DAYS or queue.sessions >= 2 * threshold:
        waited = f", the oldest for {days:,} days" if days >= _OLD_DAYS else ""
        return (
            f"IMPORTANT, tell the user: {queue.sessions:,} sessions wait for the curator{waited}; what they taught is "
            "not knowledge yet. `cairn curate` proposes it."
        )
    return f"{queue.sessions:,} sessions wait for the curator; mention `cairn curate` to the user when it fits."


def _days(since: str, today: date) -> int:
    try:
        return (today - date.fromisoformat(since[:10])).days
    except ValueError:
        return 0


def is_due(ports: CuratePorts) -> bool:
    """Nobody was reminded in the last hour."""
    try:
        last = os.stat(ports.root / NUDGED).st_mtime_ns // 1_000_000
    except OSError:
        return True
    return not -1000 < ports.clock.now_ms() - last < PAUSE_MS


def nudged(ports: CuratePorts) -> None:
    """Now somebody was."""
    place = ports.root / NUDGED
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(open_own(str(place)))
        now_ns = ports.clock.now_ms() * 1_000_000
        os.utime(place, ns=(now_ns, now_ns))


class CurationReminders:
    """For whoever makes a briefing."""

    def __init__(self, ports: CuratePorts) -> None:
        self._ports = ports

    def due(self) -> str:
        """Empty for nothing, or when somebody was reminded in the last hour."""
        return nudge_of(self._ports) if is_due(self._ports) else ""

    def given(self) -> None:
        """Now somebody was."""
        nudged(self._ports)
