"""Ends jobs, with a record of each in the history: by an answer, a failure, a cancellation, or lack of an answer."""

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cairn.core.ports.jobs import Execution, FailureReason, Job, JobFilter, JobStore
from cairn.errors import EnvironmentProblem, JobNotRunning, NonceMismatch, NotFound
from cairn.jobs.action import JobAction
from cairn.jobs.model import before, is_over, next_id
from cairn.jobs.prompt import retry_prompt, storable
from cairn.jobs.report import LONGEST_REPORT, CheckedReport, check_report
from cairn.jobs.submit import add_successor


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
    kept: Any = None
    """What passed the checks, of a report that was refused."""


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
    problems: tuple[str, ...] = ()
    """Of a report that was refused."""
    repairs: tuple[str, ...] = ()
    """What was put right in it, where nothing was lost."""
    successor: Job | None = None
    """The job that asks once more, with the problems."""


def record(answer: JobAnswer, *, store: JobStore, actions: Mapping[str, JobAction], now_ms: int) -> RecordResult:
    """Ends a running job with its answer. A report with problems fails it: what passed is kept, and the question is
    asked once more with the problems. Nothing else is changed by a refusal."""
    job = find_job(answer.id, store)
    if not hmac.compare_digest(job.nonce.encode(), answer.nonce.encode("utf-8", "surrogatepass")):
        raise NonceMismatch(f"The nonce is not that of {job.id}; nothing was recorded.", job=job.id)
    if job.status != "running":
        raise JobNotRunning(f"The job {job.id} is {_state(job)}, so it takes no answer.", job=job.id, status=job.status)
    end, checked = _end_of(answer, job, actions, store)
    with store.writing():
        execution = finish(job, end, store=store, now_ms=now_ms, usage=answer.usage)
        successor = _asked_again(job, checked.problems, store, now_ms)
    return RecordResult(find_job(job.id, store), execution, checked.problems, checked.repairs, successor)


def _asked_again(job: Job, problems: tuple[str, ...], store: JobStore, now_ms: int) -> Job | None:
    """Once: the problems of a second answer end the question."""
    content = store.content(job.content_hash) if problems and job.retry_of is None else None
    if content is None:
        return None
    return add_successor(job, retry_prompt(content, problems), store=store, now_ms=now_ms, retry_of=job.id, attempt=1)


def _end_of(
    answer: JobAnswer, job: Job, actions: Mapping[str, JobAction], store: JobStore
) -> tuple[JobEnd, CheckedReport]:
    nothing = CheckedReport(None)
    if answer.status == "failed":
        return JobEnd("failed", answer.reason, answer.error), nothing
    action = actions.get(job.action_id)
    if action is None:
        raise EnvironmentProblem(
            f"The action `{job.action_id}` is not installed, so the report of {job.id} is not checked; it still runs.",
            job=job.id,
        )
    facts = None if job.input_hash is None else store.content(job.input_hash)
    if job.input_hash is not None and facts is None:
        return JobEnd("failed", "job-file-missing", "the facts that it asks about are no longer stored"), nothing
    report = check_report(answer.report, action, None if facts is None else json.loads(facts))
    if report.problems:
        said = answer.report[:LONGEST_REPORT] if report.value is None else report.value
        kept = {"answer": report.kept, "problems": report.problems} if report.kept else None
        return JobEnd("failed", "report-invalid", "; ".join(report.problems), said or None, kept), report
    repairs = f"repaired: {'; '.join(report.repairs)}" if report.repairs else None
    return JobEnd("completed", None, repairs, report.value), report


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
            message=None if end.message is None else storable(end.message),
            exit_code=usage.exit_code,
            runner=job.runner,
            model=usage.model,
            started_at_ms=started,
            finished_at_ms=now_ms,
            duration_ms=max(0, now_ms - started) if usage.duration_ms is None else usage.duration_ms,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            report_json=_stored(end.report),
            job_id=job.id,
            question_hash=job.question_hash,
            kept_json=_stored(end.kept),
        )
        store.add_execution(execution)
    return execution


def _stored(value: Any) -> str | None:
    return None if value is None else storable(json.dumps(value, ensure_ascii=False))


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
