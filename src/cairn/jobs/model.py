"""The rules of a job: its states, ids, hashes, priority and time to live."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.ports.jobs import Execution, FailureReason, Job, JobStatus
from cairn.jobs.prompt import storable

_MS: Final = 1000
_LAST_SUFFIX: Final = 0xFFFF
JOB_ID: Final = re.compile(r"d-\d{8}-\d{6}-[0-9a-f]{4}")
MOST_ATTEMPTS: Final = 3
"""A question whose readers never answer is asked so many times. Then it fails for good."""
LONGEST_TTL: Final = 366 * 24 * 3600
PRIORITIES: Final = range(-(2**31), 2**31)

MOVES: Final[Mapping[JobStatus, tuple[JobStatus, ...]]] = {
    "queued": ("running", "failed"),
    "running": ("completed", "failed"),
    "completed": (),
    "failed": (),
}
"""From each state, the states that may follow."""

REASONS: Final[Mapping[JobStatus, tuple[FailureReason, ...]]] = {
    "queued": ("user-cancelled", "job-file-missing"),
    "running": ("runner-error", "report-invalid", "timeout", "abandoned", "job-file-missing", "user-cancelled"),
}
"""From each state, the reasons for which a job may fail."""


def before(status: JobStatus) -> tuple[JobStatus, ...]:
    """The states from which a job may get there."""
    return tuple(state for state, following in MOVES.items() if status in following)


def is_over(job: Job) -> bool:
    return not MOVES[job.status]


class JobTtl(NamedTuple):
    """What the time to live of a job follows from, in seconds."""

    default: int
    grace: int
    minimum: int
    action: int | None = None
    """How long the action expects to take."""
    configured: int | None = None
    """By the user, for this action."""
    given: int | None = None
    """By `--ttl`."""

    @property
    def seconds(self) -> int:
        computed = max((self.action or self.default) * self.grace, self.minimum)
        return min(next((one for one in (self.given, self.configured) if one is not None), computed), LONGEST_TTL)


def question_hash(action: str, version: str, material: str) -> str:
    """Equal for equal questions: the wording of the prompt is not part of it, so that an edited comma asks nothing
    again."""
    return digest("\n".join((action, version, digest(material))))


def canonical_json(facts: Mapping[str, Any]) -> str:
    """Equal for equal facts."""
    return storable(json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def next_id(kind: str, now_ms: int, last: Callable[[str], str | None]) -> str:
    """`d-20260420-143055-0000`, and in the same second one more each time. A second that is full is left out."""
    while True:
        prefix = f"{kind}-{timestamp(now_ms)}-"
        greatest = last(prefix)
        number = int(greatest.removeprefix(prefix), 16) + 1 if greatest else 0
        if number <= _LAST_SUFFIX:
            return f"{prefix}{number:04x}"
        now_ms += _MS


def run_id(now_ms: int, suffix: str, mode: str = "") -> str:
    """`r-20260420-143055-a3f2`, or with a mode such as `ext` for claims from outside of a run."""
    return "-".join(part for part in ("r", mode, timestamp(now_ms), suffix) if part)


def timestamp(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // _MS, UTC).strftime("%Y%m%d-%H%M%S")


def job_value(job: Job) -> dict[str, Any]:
    """As JSON, without the nonce: whoever has that may answer."""
    return {
        "id": job.id,
        "actionId": job.action_id,
        "actionVersion": job.action_version,
        "nodeId": job.node_id,
        "questionHash": job.question_hash,
        "contentHash": job.content_hash,
        "priority": job.priority,
        "status": job.status,
        "failureReason": job.failure_reason,
        "runner": job.runner,
        "runId": job.run_id,
        "ttlSeconds": job.ttl_seconds,
        "attempt": job.attempt,
        "retryOf": job.retry_of,
        "taint": Taint(job.taint).word,
        "tokens": job.tokens,
        "createdAt": job.created_at_ms,
        "claimedAt": job.claimed_at_ms,
        "finishedAt": job.finished_at_ms,
        "expiresAt": job.expires_at_ms,
        "submittedBy": job.submitted_by,
    }


def execution_value(row: Execution, report: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "extensionId": row.extension_id,
        "extensionVersion": row.extension_version,
        "nodeIds": [row.node_id],
        "contentHash": row.content_hash,
        "status": row.status,
        "failureReason": row.failure_reason,
        "message": row.message,
        "exitCode": row.exit_code,
        "runner": row.runner,
        "model": row.model,
        "startedAt": row.started_at_ms,
        "finishedAt": row.finished_at_ms,
        "durationMs": row.duration_ms,
        "tokensIn": row.tokens_in,
        "tokensOut": row.tokens_out,
        "report": report,
        "jobId": row.job_id,
        "questionHash": row.question_hash,
    }
