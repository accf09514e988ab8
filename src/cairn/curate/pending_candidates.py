"""Candidates and sessions that wait for the curator, and reminders of them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Final, NamedTuple

from cairn.core.isolate import item
from cairn.core.model.candidate import KnowledgeCandidate
from cairn.core.model.session import SessionLog
from cairn.core.ports.runtime import utc_day
from cairn.core.ports.turns import SessionLogs
from cairn.core.session_log import Head, head_bytes, head_of, pieces
from cairn.curate.lint import lint_due
from cairn.curate.ports import CuratePorts
from cairn.curate.run_journal import ASKED, FAILED, CurateState, FateStamp
from cairn.curate.session_candidates import MEMORY_ORIGIN, read_proposals
from cairn.errors import CairnError
from cairn.hook.aside import NUDGED, open_own

_LOCK_TTL_MS = 60_000
_LOCK_WAIT_MS = 10_000


class PendingCandidates(NamedTuple):
    candidates: list[KnowledgeCandidate]
    problems: list[str]
    sessions: int


def pending(
    ports: CuratePorts, stamps: Mapping[str, FateStamp], *, most: int | None = None, retry_failed: bool = False
) -> PendingCandidates:
    found = PendingCandidates([], [], 0)
    sessions = 0
    again = retry_failed or any(stamp.fate == ASKED for stamp in stamps.values())
    for _, candidates, problems in _logs(ports.session_logs(), retry_failed=again):
        due = [one for one in candidates if is_due(stamps.get(one.origin), retry_failed=retry_failed)]
        if due and most is not None and sessions >= most:
            break
        sessions += bool(due)
        found.candidates.extend(due)
        found.problems.extend(problems)
    notes = (one for one in _of_notes(ports) if is_due(stamps.get(one.origin), retry_failed=retry_failed))
    found.candidates.extend(islice(notes, most))
    if retry_failed:
        found.candidates.extend(_of_memory(ports, stamps))
    return found._replace(sessions=sessions)


def _of_notes(ports: CuratePorts) -> Iterator[KnowledgeCandidate]:
    from cairn.curate.propose import note_candidates

    yield from note_candidates(ports)


def _of_memory(ports: CuratePorts, stamps: Mapping[str, FateStamp]) -> Iterator[KnowledgeCandidate]:
    """Those that failed, of files that agents remember by: nobody keeps them, so the files are read again."""
    from cairn.curate.memory import in_workspace

    if any(stamp.fate == FAILED and stamp.origin.startswith(MEMORY_ORIGIN) for stamp in stamps.values()):
        yield from (one for one in in_workspace(ports) if is_due(stamps.get(one.origin), retry_failed=True))


def waiting_in_logs(ports: CuratePorts, stamps: Mapping[str, FateStamp], *, also: Callable[[SessionLog], None]) -> int:
    """How many candidates of sessions wait; each log is handed on on the way, oldest first, so that nobody has to open
    it again. Notes are not asked here: for those the ledger would have to be read."""
    found = _logs(ports.session_logs(), retry_failed=False, also=also)
    return sum(is_due(stamps.get(one.origin), retry_failed=False) for _, candidates, _ in found for one in candidates)


class Queue(NamedTuple):
    """Sessions that wait."""

    sessions: int
    since: str
    """When the oldest of them was said; empty when that is not known."""


def queue_of(ports: CuratePorts, stamps: Mapping[str, FateStamp]) -> Queue:
    found = [
        min((one.said_at or "" for one in due), default="")
        for _, candidates, _ in _logs(ports.session_logs(), retry_failed=False)
        if (due := [one for one in candidates if is_due(stamps.get(one.origin), retry_failed=False)])
    ]
    return Queue(len(found), min((since for since in found if since), default=""))


def is_due(stamp: FateStamp | None, *, retry_failed: bool) -> bool:
    if retry_failed:
        return stamp is not None and stamp.fate == FAILED
    return stamp is None or stamp.fate == ASKED


def _logs(
    logs: SessionLogs, *, retry_failed: bool, also: Callable[[SessionLog], None] | None = None
) -> Iterator[tuple[str, tuple[KnowledgeCandidate, ...], tuple[str, ...]]]:
    for name in logs.names():
        head = head_of(logs, name)
        if head is not None and also is not None:
            also(head.log)
        if head is None or (_is_through(head) and not retry_failed):
            continue
        read: list[tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]] = []
        with item(f"{logs.place}/{name}"):
            read.append(_proposals(logs, name, head))
        yield from ((name, candidates, problems) for candidates, problems in read)


def _proposals(logs: SessionLogs, name: str, head: Head) -> tuple[tuple[KnowledgeCandidate, ...], tuple[str, ...]]:
    log = head.log
    where, said_at = f"{logs.place}/{name}", log.updated_at or log.captured_at
    read = read_proposals(head.values.get("proposals"), session=log.session_id, where=where, said_at=said_at)
    return read.candidates, read.problems


def _is_through(head: Head) -> bool:
    """Nothing was proposed since the curator processed it."""
    log = head.log
    processed = log.curator_processed_at
    return processed is not None and all(at <= processed for at in (log.proposal_completed_at, log.cues_at) if at)


# --- the stamp on a log -----------------------------------------------------------------------------------------------


def mark_logs(ports: CuratePorts, new: Sequence[FateStamp], stamps: Mapping[str, FateStamp]) -> None:
    """A log all of whose candidates have their fate need not be opened by the next run."""
    sessions = {stamp.origin.rsplit(":", 2)[0]: stamp for stamp in new}
    logs = ports.session_logs()
    for name in logs.names() if sessions else ():
        head = head_of(logs, name)
        stamp = sessions.get(head.log.session_id) if head else None
        if head is None or stamp is None or head.log.curator_run_id == stamp.run_id:
            continue
        candidates, _ = _proposals(logs, name, head)
        if all(one.origin in stamps for one in candidates):
            _mark(ports, logs, name, stamp)


def _mark(ports: CuratePorts, logs: SessionLogs, name: str, stamp: FateStamp) -> None:
    head = head_of(logs, name)
    if head is None:
        return
    with ports.locks.hold(f"session-{head.log.session_id}", ttl_ms=_LOCK_TTL_MS, wait_ms=_LOCK_WAIT_MS):
        head = head_of(logs, name)
        if head is None:
            return
        log = replace(head.log, curator_processed_at=stamp.at, curator_run_id=stamp.run_id)
        logs.write(name, (head_bytes(log, head.values), *pieces(logs, name, head.length, logs.size(name))))


PAUSE_MS: Final = 3_600_000
_OLD_DAYS: Final = 7


def nudge_of(ports: CuratePorts) -> str:
    """What there is to be reminded of, whenever that was last done; empty for nothing. Numbers only."""
    with suppress(CairnError, OSError):
        queue = queue_of(ports, CurateState(ports).stamps())
        if said := curation(queue, ports.settings.integer("curate.threshold"), utc_day(ports.clock.now_ms())):
            return said
        if ports.settings.text("judge.when") != "never" and (waiting := ports.waiting_line()):
            return f"Mention to the user when it fits: {waiting}"
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


def is_reminder_due(ports: CuratePorts) -> bool:
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
        return nudge_of(self._ports) if is_reminder_due(self._ports) else ""

    def given(self) -> None:
        """Now somebody was."""
        nudged(self._ports)
