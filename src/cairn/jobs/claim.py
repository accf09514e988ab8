"""Claims the next job, and returns jobs to the queue whose reader was not heard of in time, or stopped."""

from collections.abc import Sequence
from typing import NamedTuple

from cairn.core.ports.jobs import FailureReason, Job, JobClaim, JobStore
from cairn.jobs.finish import NOT_REPORTED, JobEnd, JobUsage, finish
from cairn.jobs.model import MOST_ATTEMPTS
from cairn.jobs.submit import add_successor


class ClaimedJob(NamedTuple):
    job: Job
    content: str
    """The prompt."""


def claim(wanted: JobClaim, *, store: JobStore) -> ClaimedJob | None:
    """The next job that has its prompt, now running; None when nothing waits. A job whose prompt was deleted fails."""
    while (job := store.claim(wanted)) is not None:
        content = store.content(job.content_hash)
        if content is not None and (job.input_hash is None or store.content(job.input_hash) is not None):
            return ClaimedJob(job, content)
        finish(
            job,
            JobEnd("failed", "job-file-missing", "its prompt is no longer stored"),
            store=store,
            now_ms=wanted.now_ms,
        )
    return None


def reap(*, store: JobStore, now_ms: int) -> Sequence[Job]:
    """Jobs that were running past their time and are `abandoned` now. The question of each returns as a new job; after
    three attempts it does not."""
    if not store.expired(now_ms):
        return ()
    with store.writing():
        late = store.expired(now_ms)
        for job in late:
            lose(job, "abandoned", "no answer came in time", store=store, now_ms=now_ms)
    return late


def lose(
    job: Job,
    reason: FailureReason,
    message: str,
    *,
    store: JobStore,
    now_ms: int,
    usage: JobUsage = NOT_REPORTED,
    counted: bool = True,
) -> Job | None:
    """Ends a running job whose reader was lost; the job that asks the same again, unless three readers were lost. Where
    the reader stopped on purpose, or could not be reached at all, that is not counted."""
    with store.writing():
        finish(job, JobEnd("failed", reason, message), store=store, now_ms=now_ms, usage=usage)
        content, attempt = store.content(job.content_hash), job.attempt + counted
        if content is None or attempt > MOST_ATTEMPTS:
            return None
        return add_successor(job, content, store=store, now_ms=now_ms, attempt=attempt)
