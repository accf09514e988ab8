"""When a session is proposed from, and what its log says afterwards.

A session waits (`pending`), is looked at, and is `done`, `skipped` when nothing can be learnt from it, or `failed`.
What failed is tried again by itself, after longer and longer pauses; after a few tries only when somebody asks for it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from cairn.curate.candidates import topics_of
from cairn.kernel.model.candidate import Candidate
from cairn.kernel.model.session import SessionLog

MOST_ATTEMPTS: Final = 6
"""Failures in a row after which nobody tries again unasked."""
FIRST_PAUSE_MS: Final = 10 * 60_000
LONGEST_PAUSE_MS: Final = 24 * 3_600_000
ERROR_LONGEST: Final = 500


class Failed(NamedTuple):
    """Why a proposer came to nothing."""

    error: str


class Skipped(NamedTuple):
    """Why nothing is to be learnt from this session as it stands; when it goes on, it is looked at as a whole."""

    why: str


class Looked(NamedTuple):
    candidates: tuple[Candidate, ...]
    """With their origins, those that are new."""
    through: int
    """Characters of the rendered text that were looked at."""


def pause_ms(failures: int) -> int:
    """After so many failures in a row."""
    return min(FIRST_PAUSE_MS << max(0, min(failures - 1, 20)), LONGEST_PAUSE_MS)


def is_due(log: SessionLog, now_ms: int) -> bool:
    """Whether a session is proposed from without anybody asking for it."""
    if log.proposal_status == "pending":
        return log.curated_through < log.transcript_chars or not log.transcript_chars
    if log.proposal_status != "failed" or log.proposal_attempts >= MOST_ATTEMPTS:
        return False
    return now_ms >= _tried_ms(log) + pause_ms(log.proposal_attempts)


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


def after(log: SessionLog, outcome: Failed | Skipped | Looked, *, at: str, run_log: str | None = None) -> SessionLog:
    """The log as it stands after a try. `log` is as it is now: it may have grown while somebody looked at it."""
    tried = replace(log, proposal_tried_at=at, proposal_log=run_log or log.proposal_log)
    match outcome:
        case Failed(error):
            return replace(
                tried,
                proposal_status="failed",
                proposal_error=_cut(error),
                proposal_attempts=log.proposal_attempts + 1,
            )
        case Skipped(why):
            return replace(tried, proposal_status="skipped", proposal_error=why, proposal_attempts=0)
        case Looked(candidates, through):
            return replace(
                tried,
                proposal_status="pending" if through < log.transcript_chars else "done",
                proposal_error=None,
                proposal_completed_at=at,
                proposal_attempts=0,
                curated_through=max(through, log.curated_through),
                topics=topics_of(candidates, log.topics),
            )


def _cut(error: str) -> str:
    line = " ".join(error.split())
    return line if len(line) <= ERROR_LONGEST else f"{line[:ERROR_LONGEST]}..."


def section(candidates: Sequence[Candidate]) -> str:
    """What the log says to people under its last heading."""
    if not candidates:
        return "Nothing was proposed.\n"
    lines = (f"- {one.kind}: {one.title} ({one.confidence}, {one.taint.word})" for one in candidates)
    return "\n".join(lines) + "\n"
