"""Claims the next job, and returns jobs to the queue whose reader was not heard of in time."""

from collections.abc import Sequence
from typing import NamedTuple

from cairn.core.ports.jobs import Job, JobClaim, JobStore
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.model import MOST_ATTEMPTS, next_id
from cairn.jobs.submit import new_nonce


class ClaimedJob(NamedTuple):
    job: Job
    content: str
    """The prompt."""


def claim(wanted: JobClaim, *, store: JobStore) -> ClaimedJob | None:
    """The next job that has its prompt, now running; None when nothing waits. A job whose prompt was deleted fails."""
    while (job := store.claim(wanted)) is not None:
        content = store.content(job.content_hash)
        if content is not None:
            return ClaimedJob(job, content)
        finish(
            job,
            JobEnd("failed", "job-file-missing", "its prompt is no longer stored"),
            store=store,
            now_ms=wanted.now_ms,
        )
    return None


def reap(*, store: JobStore, now_ms: int) -> Sequence[Job]:
    """Jobs that were running past their time and are `abandoned` now. The question of each returns as a new job with a
    nonce of its own, so that a late answer to the old one is refused; after three attempts it does not."""
    if not store.expired(now_ms):
        return ()
    with store.writing():
        late = store.expired(now_ms)
        for job in late:
            finish(job, JobEnd("failed", "abandoned", "no answer came in time"), store=store, now_ms=now_ms)
            content = store.content(job.content_hash)
            if job.attempt < MOST_ATTEMPTS and content is not None:
                store.add(_successor(job, store, now_ms), content)
    return late


def _successor(job: Job, store: JobStore, now_ms: int) -> Job:
    return job._replace(
        id=next_id("d", now_ms, store.last_id),
        nonce=new_nonce(),
        status="queued",
        failure_reason=None,
        runner=None,
        run_id=None,
        attempt=job.attempt + 1,
        created_at_ms=now_ms,
        claimed_at_ms=None,
        finished_at_ms=None,
        expires_at_ms=None,
    )
