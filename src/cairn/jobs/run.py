"""Works through the queue with a reader: return what expired, then claim, ask and record, several at a time where the
reader allows it. Whatever stops a run, claimed jobs return to the queue at once."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context, copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Literal, NamedTuple

from cairn.core.event_bus import EventBus
from cairn.core.interrupts import undisturbed
from cairn.core.model_budget import MOST_ANSWER, RunnerAnswer, RunnerFailed, tokens_of
from cairn.core.ports.jobs import FailureReason, Job, JobClaim, JobFilter, JobStore
from cairn.core.ports.reader import Reader, ReaderRequest
from cairn.core.ports.runtime import Clock
from cairn.errors import CairnError, JobNotRunning
from cairn.jobs.action import JobAction
from cairn.jobs.claim import ClaimedJob, claim, lose, reap
from cairn.jobs.finish import JobAnswer, JobUsage, RecordResult, record
from cairn.jobs.model import run_id
from cairn.jobs.report import schema_of_report
from cairn.jobs.spending import RUNNER, DailyBudget

JobRunMode = Literal["single", "all", "max"]
MOST_WAITS: Final = 5
"""How often in a row a busy reader is waited for."""
MOST_FAILURES: Final = 3
"""How many questions in a row may fail before the reader is left alone."""
_FIRST_WAIT: Final = 2.0
_LONGEST_WAIT: Final = 60.0

Account = Callable[[], AbstractContextManager[object]]
"""Around each question that is sent."""


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
    returned: int = 0
    """Jobs that were claimed and are queued again."""
    stopped: str = ""
    """Why the run ended although jobs wait."""

    @property
    def attempted(self) -> int:
        return self.completed + self.failed


class _Read(NamedTuple):
    claimed: ClaimedJob
    outcome: RunnerAnswer | RunnerFailed
    took_ms: int


class _Flight(NamedTuple):
    """A question that is out."""

    claimed: ClaimedJob
    turn: AbstractContextManager[object]
    context: Context


class JobRun:
    """One run, whose events go to the bus in the order of the contract."""

    def __init__(
        self,
        reader: Reader,
        *,
        store: JobStore,
        actions: Mapping[str, JobAction],
        clock: Clock,
        bus: EventBus,
        budget: DailyBudget | None = None,
        account: Account = nullcontext,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self._reader, self._store, self._actions, self._clock, self._bus = reader, store, actions, clock, bus
        self._budget, self._account, self._wait = budget, account, wait or _sleep
        self._flying: dict[str, _Flight] = {}
        self._read: SimpleQueue[_Read] = SimpleQueue()
        self._waits = self._failures = 0
        self._summary = JobRunSummary("")

    def work(self, request: JobRunRequest) -> JobRunSummary:
        began = self._clock.now_ms()
        self._summary = JobRunSummary(run_id(began, request.ids()))
        self._emit("run.started", mode=request.mode, maxJobs=request.max_jobs, filter=_filter(request))
        self._reap()
        try:
            self._work(request)
        finally:
            with undisturbed():
                self._give_back("the run was stopped")
                took = max(0, self._clock.now_ms() - began)
                self._summary = self._summary._replace(duration_ms=took)
                self._emit("run.summary", **dict[str, Any](summary_value(self._summary)))
        return self._summary

    def _work(self, request: JobRunRequest) -> None:
        while not self._summary.stopped:
            self._start_more(request)
            if not self._flying:
                return
            self._take(self._read.get())

    # --- asking ---------------------------------------------------------------------------------------------------

    def _start_more(self, request: JobRunRequest) -> None:
        together = 1 if self._waits else max(1, self._reader.parallel)
        while len(self._flying) < together:
            if request.max_jobs is not None and self._summary.attempted + len(self._flying) >= request.max_jobs:
                return
            most = self._most_tokens()
            wanted = JobClaim(RUNNER, self._summary.run_id, self._clock.now_ms(), request.actions, most_tokens=most)
            claimed = claim(wanted, store=self._store)
            if claimed is None:
                if not self._flying:
                    self._skip(request, most)
                return
            self._ask(claimed)

    def _most_tokens(self) -> int | None:
        """Of a prompt, within the budget and the window of the reader."""
        window = None if self._reader.window is None else max(0, self._reader.window - MOST_ANSWER)
        budget = None if self._budget is None else self._budget.most_tokens
        return min((one for one in (window, budget) if one is not None), default=None)

    def _skip(self, request: JobRunRequest, most: int | None) -> None:
        """Nothing could be claimed: there is nothing, or nothing that may be asked."""
        if most is not None and self._store.jobs(JobFilter(("queued",), request.actions, limit=1)):
            is_spent = self._budget is not None and self._budget.most_tokens == most
            self._stop(self._budget.sentence if is_spent and self._budget else self._too_long(most))
        self._emit("job.skipped", reason="filter-excluded-all" if self._store.counts()["queued"] else "queue-empty")

    def _too_long(self, most: int) -> str:
        return (
            f"What is left is longer than {self._reader.name} can read ({most:,} tokens); it waits for another reader "
            "(`--with`)."
        )

    def _ask(self, claimed: ClaimedJob) -> None:
        job = claimed.job
        facts: dict[str, Any] = {"actionId": job.action_id, "actionVersion": job.action_version, "nodeId": job.node_id}
        self._emit("job.claimed", job.id, **facts, ttlSeconds=job.ttl_seconds, priority=job.priority)
        command = f"{self._reader.name} {self._reader.model}"
        self._emit("job.spawning", job.id, runner=RUNNER, command=command, contentHash=job.content_hash)
        turn, context = self._account(), copy_context()
        self._flying[job.id] = _Flight(claimed, turn, context)
        context.run(turn.__enter__)
        if self._budget is not None:
            self._budget.hold(job.id, job.tokens)
        # A daemon: a reader that does not answer must not keep anybody from leaving.
        Thread(target=self._answer, args=(claimed,), daemon=True).start()

    def _answer(self, claimed: ClaimedJob) -> None:
        """In a thread of its own, where nothing but the reader is touched."""
        job, began = claimed.job, self._clock.monotonic()
        action = self._actions.get(job.action_id)
        schema = schema_of_report(action.schema) if action else {}
        request = ReaderRequest(claimed.content, schema, job.ttl_seconds, key_of(job))
        outcome: RunnerAnswer | RunnerFailed
        try:
            outcome = self._reader.read(request)
        except RunnerFailed as problem:
            outcome = problem
        except Exception as problem:
            outcome = RunnerFailed(f"{type(problem).__name__}: {problem}", retryable=False)
        self._read.put(_Read(claimed, outcome, round((self._clock.monotonic() - began) * 1000)))

    # --- what came back -------------------------------------------------------------------------------------------

    def _take(self, read: _Read) -> None:
        flight = self._flying.pop(read.claimed.job.id)
        flight.context.run(flight.turn.__exit__, None, None, None)
        if isinstance(read.outcome, RunnerAnswer):
            self._waits = self._failures = 0
            self._record(read.claimed.job, self._usage(read, read.outcome), read.outcome.text)
        else:
            self._failed(read, read.outcome)

    def _usage(self, read: _Read, said: RunnerAnswer) -> JobUsage:
        """As the reader says; else about as much as it must have been."""
        job = read.claimed.job
        tokens_in = job.tokens if said.tokens_in is None else said.tokens_in
        tokens_out = tokens_of(said.text[: MOST_ANSWER * 4]) if said.tokens_out is None else said.tokens_out
        self._settle(job, tokens_in, tokens_out, guessed=said.tokens_in is None or said.tokens_out is None)
        return JobUsage(tokens_in, tokens_out, read.took_ms, said.model)

    def _settle(self, job: Job, tokens_in: int, tokens_out: int, *, guessed: bool) -> None:
        if self._budget is not None:
            self._budget.settle(job.id, tokens_in, tokens_out, guessed=guessed)

    def _record(self, job: Job, usage: JobUsage, text: str) -> None:
        answer = JobAnswer(job.id, job.nonce, "completed", text, usage=usage)
        now_ms = self._clock.now_ms()
        try:
            result = record(answer, store=self._store, actions=self._actions, now_ms=now_ms)
        except JobNotRunning as problem:  # it was cancelled, or another run took it over
            self._emit("job.failed", job.id, **_failure("abandoned", problem.message), durationMs=usage.duration_ms)
            return
        except CairnError:
            raise
        except Exception as problem:  # a checker that stumbles over one answer must not stop the others
            said = f"its answer could not be checked ({type(problem).__name__}: {problem})"
            self._lose(job, "runner-error", said, usage)
            return
        self._count(result)

    def _failed(self, read: _Read, problem: RunnerFailed) -> None:
        job = read.claimed.job
        if problem.is_busy or problem.ends_run:
            self._return(job, str(problem))
            if problem.ends_run:
                self._stop(str(problem))
            else:
                self._be_patient(problem)
            return
        late = read.took_ms >= job.ttl_seconds * 1000
        self._settle(job, job.tokens, 0, guessed=True)  # it may have been read, and billed
        usage = JobUsage(job.tokens, 0, read.took_ms, self._reader.model)
        self._lose(job, "timeout" if late else "runner-error", str(problem), usage)
        self._failures += 1
        if self._failures == MOST_FAILURES:
            self._stop(f"{MOST_FAILURES} questions in a row failed, the last one with: {problem}")

    def _be_patient(self, problem: RunnerFailed) -> None:
        self._waits += 1
        if self._waits > MOST_WAITS:
            self._stop(f"{self._reader.name} takes no more questions for now: {problem} Run it again later.")
            return
        told = problem.after_seconds
        self._wait(min(_FIRST_WAIT * 2 ** (self._waits - 1) if told is None else told, _LONGEST_WAIT))

    def _lose(self, job: Job, reason: FailureReason, message: str, usage: JobUsage) -> None:
        try:
            lose(job, reason, message, store=self._store, now_ms=self._clock.now_ms(), usage=usage)
        except JobNotRunning as problem:
            message = problem.message
        self._summary = self._summary._replace(failed=self._summary.failed + 1)
        self._emit("job.failed", job.id, **_failure(reason, message), durationMs=usage.duration_ms)

    def _count(self, result: RecordResult) -> None:
        job, row, one = result.job, result.execution, self._summary
        self._emit("job.callback.received", job.id, status=row.status, model=row.model, executionId=row.id)
        done = row.status == "completed"
        if done:
            spent: dict[str, Any] = {"tokensIn": row.tokens_in, "tokensOut": row.tokens_out, "model": row.model}
            self._emit("job.completed", job.id, durationMs=row.duration_ms, **spent, executionId=row.id)
            self._emit("action.completed", job.id, actionId=job.action_id, node=job.node_id, jobResult=row.status)
        else:
            self._emit("job.failed", job.id, **_failure(row.failure_reason, row.message), durationMs=row.duration_ms)
        self._summary = one._replace(
            completed=one.completed + done,
            failed=one.failed + (not done),
            tokens_in=one.tokens_in + (row.tokens_in or 0),
            tokens_out=one.tokens_out + (row.tokens_out or 0),
        )

    # --- stopping -------------------------------------------------------------------------------------------------

    def _stop(self, why: str) -> None:
        self._summary = self._summary._replace(stopped=why)

    def _give_back(self, why: str) -> None:
        """Everything that is still out, also what was claimed in the moment of an interrupt."""
        own = self._summary.run_id
        running = [job for job in self._store.jobs(JobFilter(("running",))) if job.run_id == own]
        if self._flying:
            self._reader.stop()
        for flight in self._flying.values():
            flight.context.run(flight.turn.__exit__, KeyboardInterrupt, None, None)
        self._flying.clear()
        for job in running:
            self._return(job, why)

    def _return(self, job: Job, why: str) -> None:
        if self._budget is not None:
            self._budget.release(job.id)
        try:
            lose(job, "abandoned", why, store=self._store, now_ms=self._clock.now_ms(), counted=False)
        except JobNotRunning:
            return
        self._summary = self._summary._replace(returned=self._summary.returned + 1)
        self._emit("job.failed", job.id, **_failure("abandoned", why), durationMs=None)

    def _reap(self) -> None:
        self._emit("run.reap.started")
        late = reap(store=self._store, now_ms=self._clock.now_ms())
        self._emit("run.reap.completed", reapedCount=len(late), reapedIds=[job.id for job in late])
        for job in late:
            self._emit("job.failed", job.id, **_failure("abandoned", None), durationMs=None)

    def _emit(self, type: str, job: str | None = None, /, **data: Any) -> None:
        self._bus.emit(type, data, at_ms=self._clock.now_ms(), run_id=self._summary.run_id, job_id=job)


def key_of(job: Job) -> str:
    """Under which an answer is recorded: equal for equal questions. The answer to a second attempt is another one."""
    name = job.action_id.replace("/", "-")
    return f"{name}-{job.action_version}-{job.question_hash[:16]}{'-again' if job.retry_of else ''}"


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


def _failure(reason: str | None, message: str | None) -> dict[str, Any]:
    return {"reason": reason, "message": message, "exitCode": None}


def _filter(request: JobRunRequest) -> dict[str, Any]:
    return {"action": list(request.actions)} if request.actions else {}


def _sleep(seconds: float) -> None:
    import time

    time.sleep(seconds)
