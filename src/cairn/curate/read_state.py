"""Decides when a session is read, and records in its log what came of it.

A session is `pending` until a reader has read it, then `done`, or `failed` when the reader gave no answer. A failure is
retried after longer and longer pauses; after a few tries only on request. Explicit cues are looked for without a
reader: they have a mark of their own (`cues_through`), so that a reader still gets the whole session.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cairn.core.model.candidate import Candidate
from cairn.core.model.session import SessionLog
from cairn.curate.session_candidates import topics_of

MOST_ATTEMPTS: Final = 6
"""Failures in a row after which nobody tries again unasked."""
FIRST_PAUSE_MS: Final = 10 * 60_000
LONGEST_PAUSE_MS: Final = 24 * 3_600_000
ERROR_LONGEST: Final = 500


class Failed(NamedTuple):
    """Why a reader gave no answer, or not all of it counts."""

    error: str
    candidates: tuple[Candidate, ...] = ()
    """Those that still count."""


class Cued(NamedTuple):
    """Explicit cues were looked for; the session still waits for a reader."""

    candidates: tuple[Candidate, ...]
    through: int


class Looked(NamedTuple):
    """A reader has read it."""

    candidates: tuple[Candidate, ...]
    """With their origins, those that are new."""
    through: int
    """Characters of the rendered text that were read."""


Outcome = Failed | Cued | Looked


def pause_ms(failures: int) -> int:
    """After so many failures in a row."""
    return min(FIRST_PAUSE_MS << max(0, min(failures - 1, 20)), LONGEST_PAUSE_MS)


def has_new_text(log: SessionLog) -> bool:
    """Whether nobody has looked for explicit cues in some of it, also where it is too short for a reader."""
    if not log.transcript_chars:  # a log by another program, which does not count
        return not log.cues_through and log.proposal_status != "done"
    return log.cues_through < log.transcript_chars


def is_unread(log: SessionLog) -> bool:
    """Whether it waits for a reader, now or after a failure."""
    if log.proposal_status == "failed":
        return True
    return log.proposal_status == "pending" and (log.curated_through < log.transcript_chars or not log.transcript_chars)


def is_due(log: SessionLog, now_ms: int) -> bool:
    """Whether a reader reads this session without being asked for it by name."""
    again = next_try_ms(log)
    return is_unread(log) if log.proposal_status != "failed" else again is not None and now_ms >= again


def next_try_ms(log: SessionLog) -> int | None:
    """When a session that failed is tried again by itself; None when it is not."""
    if log.proposal_status != "failed" or log.proposal_attempts >= MOST_ATTEMPTS:
        return None
    return _tried_ms(log) + pause_ms(log.proposal_attempts)


def _tried_ms(log: SessionLog) -> int:
    """A time that nobody can read lies long ago."""
    try:
        tried = datetime.fromisoformat((log.proposal_tried_at or "").replace("Z", "+00:00"))
    except ValueError:
        return 0
    return int((tried if tried.tzinfo else tried.replace(tzinfo=UTC)).timestamp() * 1000)


def after(log: SessionLog, outcome: Outcome, *, at: str, run_log: str | None = None) -> SessionLog:
    """The log as it stands after a try. `log` is its present state: it may have grown in the meantime."""
    match outcome:
        case Cued(candidates, through):
            return replace(
                log,
                cues_through=max(through, log.cues_through),
                cues_at=at if candidates else log.cues_at,
                topics=topics_of(candidates, log.topics),
            )
        case Failed(error, candidates):
            return replace(
                _tried(log, at, run_log),
                topics=topics_of(candidates, log.topics),
                proposal_status="failed",
                proposal_error=_cut(error),
                proposal_attempts=log.proposal_attempts + 1,
            )
        case Looked(candidates, through):
            return replace(
                _tried(log, at, run_log),
                proposal_status="pending" if through < log.transcript_chars else "done",
                proposal_error=None,
                proposal_completed_at=at,
                proposal_attempts=0,
                curated_through=max(through, log.curated_through),
                cues_through=max(through, log.cues_through),
                topics=topics_of(candidates, log.topics),
            )


def _tried(log: SessionLog, at: str, run_log: str | None) -> SessionLog:
    return replace(log, proposal_tried_at=at, proposal_log=run_log or log.proposal_log)


def _cut(error: str) -> str:
    line = " ".join(error.split())
    return line if len(line) <= ERROR_LONGEST else f"{line[:ERROR_LONGEST]}..."


def section(candidates: Sequence[Candidate]) -> str:
    """What the log says to people under its last heading."""
    if not candidates:
        return "Nothing was proposed.\n"
    lines = (f"- {one.kind}: {one.title} ({one.confidence}, {one.taint.word})" for one in candidates)
    return "\n".join(lines) + "\n"
