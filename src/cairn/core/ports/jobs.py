"""The job queue in the store: jobs, the prompts that they ask, and a record of each job that ended."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, Literal, NamedTuple, Protocol

JobStatus = Literal["queued", "running", "completed", "failed"]
JOB_STATUSES: Final[tuple[JobStatus, ...]] = ("queued", "running", "completed", "failed")
FailureReason = Literal["runner-error", "report-invalid", "timeout", "abandoned", "job-file-missing", "user-cancelled"]
FAILURE_REASONS: Final[tuple[FailureReason, ...]] = (
    "runner-error",
    "report-invalid",
    "timeout",
    "abandoned",
    "job-file-missing",
    "user-cancelled",
)


class Job(NamedTuple):
    """An action asked about one subject."""

    id: str
    """`d-YYYYMMDD-HHMMSS-XXXX`; ids of one store sort in the order of submission."""
    action_id: str
    action_version: str
    node_id: str
    """Path of a node, or a virtual id such as `session:<id>@<from>-<to>`."""
    question_hash: str
    """Of action, version and material; the wording of the prompt is not part of it."""
    content_hash: str
    """Of the prompt, by which it is stored once."""
    nonce: str
    priority: int
    status: JobStatus
    failure_reason: FailureReason | None
    runner: str | None
    run_id: str | None
    """The run that claimed it."""
    ttl_seconds: int
    attempt: int
    """1, and one more for each job before it that was claimed and never answered."""
    forced: int
    """1 if it was submitted although the same question was waiting."""
    created_at_ms: int
    claimed_at_ms: int | None
    finished_at_ms: int | None
    expires_at_ms: int | None
    submitted_by: str | None
    input_hash: str | None = None
    """Of the facts that a question is about, as JSON, by which they are stored beside the prompts."""
    retry_of: str | None = None
    """The job whose answer was refused, and whose problems this one lists."""
    taint: int = 1
    """Of the worst of its material, as in `cairn.core.model.change.Taint`."""
    tokens: int = 0
    """About as many as its prompt has."""


class JobClaim(NamedTuple):
    """Who claims, and what."""

    runner: str
    run_id: str
    now_ms: int
    actions: Sequence[str] = ()
    """Only jobs of these actions; empty means all."""
    most_taint: int | None = None
    """Only jobs whose material is trusted at least like this."""
    most_tokens: int | None = None
    """Only jobs whose prompt has so many at most."""


class JobsWaiting(NamedTuple):
    """Queued and running jobs of one action."""

    action_id: str
    jobs: int
    tokens: int
    """Of their prompts."""


class JobFilter(NamedTuple):
    """Empty means all."""

    statuses: Sequence[JobStatus] = ()
    actions: Sequence[str] = ()
    node: str = ""
    limit: int | None = None


class Execution(NamedTuple):
    """The record of a job that ended."""

    id: str
    """`e-YYYYMMDD-HHMMSS-XXXX`"""
    kind: str
    extension_id: str
    extension_version: str
    node_id: str
    content_hash: str | None
    status: str
    """`completed`, `failed` or `cancelled`."""
    failure_reason: FailureReason | None
    message: str | None
    exit_code: int | None
    runner: str | None
    model: str | None
    started_at_ms: int
    finished_at_ms: int
    duration_ms: int | None
    tokens_in: int | None
    tokens_out: int | None
    report_json: str | None
    job_id: str | None
    question_hash: str | None = None
    """Of the job, by which its answer is found again."""
    kept_json: str | None = None
    """What passed the checks, of an answer that failed."""


class ExecutionFilter(NamedTuple):
    """Empty means all; `since_ms` is inclusive, `until_ms` is not."""

    statuses: Sequence[str] = ()
    actions: Sequence[str] = ()
    node: str = ""
    since_ms: int = 0
    until_ms: int | None = None
    limit: int | None = None
    question_hash: str = ""


class JobStore(Protocol):
    def writing(self) -> AbstractContextManager[None]:
        """One transaction around several calls."""
        ...

    def add(self, job: Job, content: str, input_json: str | None = None) -> bool:
        """Store a queued job with its prompt, and the facts that it is about; False when its id is taken."""
        ...

    def last_id(self, prefix: str) -> str | None:
        """The greatest id of a job that begins like this."""
        ...

    def live(self, action: str, version: str, node: str, question_hash: str) -> Job | None:
        """A queued or running job that asks the same."""
        ...

    def live_question(self, question_hash: str) -> Job | None:
        """A queued or running job that asks the same, about whatever subject."""
        ...

    def claim(self, claim: JobClaim) -> Job | None:
        """Set the next queued job to running, in a single statement: the highest priority, then the oldest."""
        ...

    def job(self, id: str) -> Job | None: ...
    def jobs(self, wanted: JobFilter) -> list[Job]:
        """Newest first."""
        ...

    def counts(self) -> Mapping[JobStatus, int]:
        """By status; statuses without a job are 0."""
        ...

    def waiting(self, most_taint: int | None = None) -> list[JobsWaiting]:
        """What is queued or running, by action."""
        ...

    def content(self, content_hash: str) -> str | None: ...
    def expired(self, now_ms: int) -> list[Job]:
        """Running jobs past their time, oldest first."""
        ...

    def finish(
        self, id: str, status: JobStatus, *, came_from: Collection[JobStatus], reason: FailureReason | None, now_ms: int
    ) -> bool:
        """Move a job to its last state; False when it is not in one of the states that allow it."""
        ...

    def prune(self, status: JobStatus, before_ms: int) -> int:
        """Delete jobs of this last state that ended before then, and prompts that no job needs any more."""
        ...

    def count_old(self, status: JobStatus, before_ms: int) -> int:
        """How many jobs `prune` would delete."""
        ...

    def missing_contents(self) -> list[str]:
        """Ids of queued and running jobs whose prompt is gone."""
        ...

    def add_execution(self, row: Execution) -> bool:
        """False when its id is taken."""
        ...

    def last_execution_id(self, prefix: str) -> str | None: ...
    def executions(self, wanted: ExecutionFilter) -> list[Execution]:
        """Newest first."""
        ...
