"""Works through the queue with a reader: return what expired, then claim, ask and record, one job after the other."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cairn.core.event_bus import EventBus
from cairn.core.model_budget import ModelRunner, RunnerFailed
from cairn.core.ports.jobs import FailureReason, JobClaim, JobStore
from cairn.core.ports.runtime import Clock
from cairn.jobs.action import JobAction
from cairn.jobs.claim import ClaimedJob, claim, reap
from cairn.jobs.finish import JobAnswer, JobUsage, RecordResult, record
from cairn.jobs.model import run_id

JobRunMode = Literal["single", "all", "max"]


class JobRunRequest(NamedTuple):
    mode: JobRunMode = "single"
    max_jobs: int | None = 1
    actions: Sequence[str] = ()
    ids: Callable[[], str] = lambda: os.urandom(2).hex()


class JobRunSummary(NamedTuple):
    run_id: str
    completed: int = 0
    failed: int = 0
    duration_ms: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def attempted(self) -> int:
        return self.completed + self.failed


class JobRun:
    """One run, whose events go to the bus in the order of the contract."""

    def __init__(
        self,
        reader: ModelRunner,
        *,
        store: JobStore,
        actions: Mapping[str, JobAction],
        clock: Clock,
        bus: EventBus,
    ) -> None:
        self._reader, self._store, self._actions, self._clock, self._bus = reader, store, actions, clock, bus

    def work(self, request: JobRunRequest) -> JobRunSummary:
        began = self._clock.now_ms()
        summary = JobRunSummary(run_id(began, request.ids()))
        self._emit(summary.run_id, "run.started", mode=request.mode, maxJobs=request.max_jobs, filter=_filter(request))
        self._reap(summary.run_id)
        while request.max_jobs is None or summary.attempted < request.max_jobs:
            wanted = JobClaim("cli", summary.run_id, self._clock.now_ms(), request.actions)
            claimed = claim(wanted, store=self._store)
            if claimed is None:
                self._skip(summary)
                break
            summary = self._ask(claimed, summary)
        summary = summary._replace(duration_ms=max(0, self._clock.now_ms() - began))
        self._emit(summary.run_id, "run.summary", **dict[str, Any](summary_value(summary)))
        return summary

    def _reap(self, run: str) -> None:
        self._emit(run, "run.reap.started")
        late = reap(store=self._store, now_ms=self._clock.now_ms())
        self._emit(run, "run.reap.completed", reapedCount=len(late), reapedIds=[job.id for job in late])
        for job in late:
            self._emit(run, "job.failed", job.id, reason="abandoned", message=None, exitCode=None, durationMs=None)

    def _skip(self, summary: JobRunSummary) -> None:
        reason = "filter-excluded-all" if self._store.counts()["queued"] else "queue-empty"
        self._emit(summary.run_id, "job.skipped", reason=reason)

    def _ask(self, claimed: ClaimedJob, summary: JobRunSummary) -> JobRunSummary:
        job, run = claimed.job, summary.run_id
        facts: dict[str, Any] = {"actionId": job.action_id, "actionVersion": job.action_version, "nodeId": job.node_id}
        self._emit(run, "job.claimed", job.id, **facts, ttlSeconds=job.ttl_seconds, priority=job.priority)
        command = f"{self._reader.provider} {self._reader.model}"
        self._emit(run, "job.spawning", job.id, runner="cli", command=command, contentHash=job.content_hash)
        result = record(self._answer(claimed), store=self._store, actions=self._actions, now_ms=self._clock.now_ms())
        self._report(run, result)
        return _counted(summary, result)

    def _answer(self, claimed: ClaimedJob) -> JobAnswer:
        job, began = claimed.job, self._clock.monotonic()
        try:
            said = self._reader.run(claimed.content, timeout_seconds=job.ttl_seconds)
        except RunnerFailed as problem:
            took = self._clock.monotonic() - began
            reason: FailureReason = "timeout" if took >= job.ttl_seconds else "runner-error"
            usage = JobUsage(duration_ms=round(took * 1000), model=self._reader.model)
            return JobAnswer(job.id, job.nonce, "failed", error=str(problem), reason=reason, usage=usage)
        took_ms = round((self._clock.monotonic() - began) * 1000)
        usage = JobUsage(said.tokens_in, said.tokens_out, took_ms, said.model)
        return JobAnswer(job.id, job.nonce, "completed", said.text, usage=usage)

    def _report(self, run: str, result: RecordResult) -> None:
        job, row = result.job, result.execution
        self._emit(run, "job.callback.received", job.id, status=row.status, model=row.model, executionId=row.id)
        if row.status == "completed":
            spent: dict[str, Any] = {"tokensIn": row.tokens_in, "tokensOut": row.tokens_out, "model": row.model}
            self._emit(run, "job.completed", job.id, durationMs=row.duration_ms, **spent, executionId=row.id)
        else:
            why: dict[str, Any] = {"reason": row.failure_reason, "message": row.message, "exitCode": row.exit_code}
            self._emit(run, "job.failed", job.id, **why, durationMs=row.duration_ms)

    def _emit(self, run: str, type: str, job: str | None = None, /, **data: Any) -> None:
        self._bus.emit(type, data, at_ms=self._clock.now_ms(), run_id=run, job_id=job)


def summary_value(summary: JobRunSummary) -> dict[str, int]:
    """The data of `run.summary`."""
    return {
        "jobsAttempted": summary.attempted,
        "jobsCompleted": summary.completed,
        "jobsFailed": summary.failed,
        "totalDurationMs": summary.duration_ms,
        "totalTokensIn": summary.tokens_in,
        "totalTokensOut": summary.tokens_out,
    }


def _filter(request: JobRunRequest) -> dict[str, Any]:
    return {"action": list(request.actions)} if request.actions else {}


def _counted(summary: JobRunSummary, result: RecordResult) -> JobRunSummary:
    row, done = result.execution, result.execution.status == "completed"
    return summary._replace(
        completed=summary.completed + done,
        failed=summary.failed + (not done),
        tokens_in=summary.tokens_in + (row.tokens_in or 0),
        tokens_out=summary.tokens_out + (row.tokens_out or 0),
    )
