"""Ends jobs, with a record of each in the history: by an answer, a failure, a cancellation, or lack of an answer."""

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cairn.core.ports.jobs import Execution, FailureReason, Job, JobFilter, JobStore
from cairn.errors import EnvironmentProblem, JobNotRunning, NonceMismatch, NotFound
from cairn.jobs.action import JobAction
from cairn.jobs.model import before, is_over, next_id
from cairn.jobs.report import LONGEST_REPORT, CheckedReport, check_report


class JobUsage(NamedTuple):
    """What an answer took, as far as the reader says."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    duration_ms: int | None = None
    model: str | None = None
    exit_code: int | None = None


NOT_REPORTED = JobUsage()


class JobEnd(NamedTuple):
    status: Literal["completed", "failed"]
    reason: FailureReason | None = None
    message: str | None = None
    report: Any = None


class JobAnswer(NamedTuple):
    """What a reader hands in."""

    id: str
    nonce: str
    status: Literal["completed", "failed"]
    report: str = ""
    """JSON, of a completed job."""
    error: str | None = None
    reason: FailureReason = "runner-error"
    """Of a failed one."""
    usage: JobUsage = NOT_REPORTED


class RecordResult(NamedTuple):
    job: Job
    execution: Execution
    problems: tuple[str, ...]
    """Of a report that was refused."""


def record(answer: JobAnswer, *, store: JobStore, actions: Mapping[str, JobAction], now_ms: int) -> RecordResult:
    """Ends a running job with its answer. An invalid report fails it; nothing else is changed by a refusal."""
    job = find_job(answer.id, store)
    if not hmac.compare_digest(job.nonce.encode(), answer.nonce.encode("utf-8", "surrogatepass")):
        raise NonceMismatch(f"The nonce is not that of {job.id}; nothing was recorded.", job=job.id)
    if job.status != "running":
        raise JobNotRunning(f"The job {job.id} is {_state(job)}, so it takes no answer.", job=job.id, status=job.status)
    end, problems = _end_of(answer, job, actions)
    execution = finish(job, end, store=store, now_ms=now_ms, usage=answer.usage)
    return RecordResult(find_job(job.id, store), execution, problems)


def _end_of(answer: JobAnswer, job: Job, actions: Mapping[str, JobAction]) -> tuple[JobEnd, tuple[str, ...]]:
    if answer.status == "failed":
        return JobEnd("failed", answer.reason, answer.error), ()
    action = actions.get(job.action_id)
    if action is None:
        raise EnvironmentProblem(
            f"The action `{job.action_id}` is not installed, so the report of {job.id} is not checked; it still runs.",
            job=job.id,
        )
    report: CheckedReport = check_report(answer.report, action)
    if report.problems:
        said = answer.report[:LONGEST_REPORT] if report.value is None else report.value
        return JobEnd("failed", "report-invalid", "; ".join(report.problems), said or None), report.problems
    return JobEnd("completed", report=report.value), ()


def finish(
    job: Job, end: JobEnd, *, store: JobStore, now_ms: int, usage: JobUsage = NOT_REPORTED, cancelled: bool = False
) -> Execution:
    """Moves a job to its last state, together with its record."""
    with store.writing():
        moved = store.finish(job.id, end.status, came_from=before(end.status), reason=end.reason, now_ms=now_ms)
        if not moved:
            raise JobNotRunning(f"The job {job.id} has ended meanwhile; nothing was recorded.", job=job.id)
        started = job.claimed_at_ms if job.claimed_at_ms is not None else now_ms
        execution = Execution(
            id=next_id("e", now_ms, store.last_execution_id),
            kind="action",
            extension_id=job.action_id,
            extension_version=job.action_version,
            node_id=job.node_id,
            content_hash=job.content_hash,
            status="cancelled" if cancelled else end.status,
            failure_reason=end.reason,
            message=end.message,
            exit_code=usage.exit_code,
            runner=job.runner,
            model=usage.model,
            started_at_ms=started,
            finished_at_ms=now_ms,
            duration_ms=max(0, now_ms - started) if usage.duration_ms is None else usage.duration_ms,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            report_json=None if end.report is None else json.dumps(end.report, ensure_ascii=False),
            job_id=job.id,
        )
        store.add_execution(execution)
    return execution


def cancel(id: str, *, store: JobStore, now_ms: int) -> Job:
    """A queued or running job fails with `user-cancelled`; whoever answers a running one is refused later."""
    job = find_job(id, store)
    if is_over(job):
        raise JobNotRunning(f"The job {job.id} is {_state(job)} already.", job=job.id, status=job.status)
    finish(job, JobEnd("failed", "user-cancelled"), store=store, now_ms=now_ms, cancelled=True)
    return find_job(id, store)


def cancel_all(*, store: JobStore, now_ms: int) -> Sequence[Job]:
    with store.writing():
        live = store.jobs(JobFilter(statuses=("queued", "running")))
        return [cancel(job.id, store=store, now_ms=now_ms) for job in reversed(live)]


def find_job(id: str, store: JobStore) -> Job:
    job = store.job(id)
    if job is None:
        raise NotFound(f"There is no job `{id}`; `cairn job list` lists the jobs.", job=id)
    return job


def _state(job: Job) -> str:
    return f"{job.status} ({job.failure_reason})" if job.failure_reason else job.status


def prompt_text(job: Job, store: JobStore) -> str:
    content = store.content(job.content_hash)
    if content is None:
        raise NotFound(f"The prompt of {job.id} is no longer stored.", job=job.id)
    return content
