"""Has the queue read: run after run, with what follows from the answers in between, until nothing new is asked."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cairn.core.ports.jobs import JobFilter, JobStore
from cairn.jobs.follow import Follow, follow_up
from cairn.jobs.run import JobRunRequest, JobRunSummary

_MOST_RUNS = 50
"""Answers that ask new questions for ever are a mistake."""

RunJobs = Callable[[JobRunRequest], JobRunSummary]


class JudgeRequest(NamedTuple):
    actions: Sequence[str] = ()
    """Only questions of these actions; empty means all."""
    max_jobs: int | None = None


class JudgeResult(NamedTuple):
    completed: int = 0
    failed: int = 0
    returned: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    duration_ms: int = 0
    stopped: str = ""
    """Why it ended although questions wait."""
    followed: tuple[str, ...] = ()
    """What was done with the answers, a sentence each."""

    @property
    def attempted(self) -> int:
        return self.completed + self.failed

    def with_run(self, run: JobRunSummary) -> "JudgeResult":
        return self._replace(
            completed=self.completed + run.completed,
            failed=self.failed + run.failed,
            returned=self.returned + run.returned,
            tokens_in=self.tokens_in + run.tokens_in,
            tokens_out=self.tokens_out + run.tokens_out,
            duration_ms=self.duration_ms + run.duration_ms,
            stopped=run.stopped,
        )


def judge(request: JudgeRequest, *, run: RunJobs, follow: Iterable[Follow], store: JobStore) -> JudgeResult:
    """Answers that exist already are used even where no question is left."""
    features, result = list(follow), JudgeResult()
    for _ in range(_MOST_RUNS):
        left = None if request.max_jobs is None else request.max_jobs - result.attempted
        if left is None or left > 0:
            result = result.with_run(run(JobRunRequest("all" if left is None else "max", left, request.actions)))
        result = result._replace(followed=(*result.followed, *follow_up(features)))
        is_enough = left is not None and request.max_jobs is not None and result.attempted >= request.max_jobs
        if result.stopped or is_enough or not _is_asked_more(request, store):
            break
    return result


def _is_asked_more(request: JudgeRequest, store: JobStore) -> bool:
    return bool(store.jobs(JobFilter(("queued",), request.actions, limit=1)))
