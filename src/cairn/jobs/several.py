"""Claims several jobs within a number of tokens, and records several answers, each for itself: for an agent at work."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cairn.core.ports.jobs import Execution, ExecutionFilter, JobClaim, JobFilter, JobStore
from cairn.errors import CairnError
from cairn.jobs.action import JobAction
from cairn.jobs.claim import ClaimedJob, claim
from cairn.jobs.finish import JobAnswer, RecordResult, record


class Recorded(NamedTuple):
    id: str
    state: str
    """`completed`, `failed`, or `refused`: nothing was recorded."""
    problems: tuple[str, ...] = ()
    asked_again: bool = False


def claim_several(wanted: JobClaim, most: int, *, store: JobStore) -> list[ClaimedJob]:
    """The next ones, as many as fit. Where none does, one that is too long: it would wait for ever."""
    found: list[ClaimedJob] = []
    left = wanted.most_tokens
    while len(found) < most:
        one = claim(wanted._replace(most_tokens=left), store=store)
        if one is None and not found and left is not None:
            one = claim(wanted._replace(most_tokens=None), store=store)
        if one is None:
            break
        found.append(one)
        left = None if left is None else max(0, left - one.job.tokens)
    return found


def record_several(
    answers: Sequence[JobAnswer], *, store: JobStore, actions: Mapping[str, JobAction], now_ms: int
) -> Iterator[Recorded]:
    for answer in answers:
        try:
            result = record(answer, store=store, actions=actions, now_ms=now_ms)
        except CairnError as error:
            yield Recorded(answer.id, "refused", (error.message,))
        else:
            yield _recorded(result)


def _recorded(result: RecordResult) -> Recorded:
    return Recorded(result.job.id, result.job.status, result.problems, result.successor is not None)


def last_failures(store: JobStore, most: int) -> list[Execution]:
    """Questions that failed and are not asked again, newest first."""
    live = {job.question_hash for job in store.jobs(JobFilter(("queued", "running")))}
    done = {row.question_hash for row in store.executions(ExecutionFilter(("completed",)))}
    rows = store.executions(ExecutionFilter(("failed",)))
    found: dict[str, Execution] = {}
    for row in rows:
        if row.question_hash is not None and row.question_hash not in live | done:
            found.setdefault(row.question_hash, row)
    return list(found.values())[:most]
