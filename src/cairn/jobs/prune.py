"""Deletes jobs that ended long ago, and prompts that no job needs any more. Their records stay in the history."""

from collections.abc import Mapping
from typing import Final

from cairn.core.ports.jobs import JobStatus, JobStore
from cairn.core.ports.runtime import Settings

_KEYS: Final[Mapping[JobStatus, str]] = {
    "completed": "jobs.retention.completed",
    "failed": "jobs.retention.failed",
}


def prune(*, store: JobStore, settings: Settings, now_ms: int, dry_run: bool = False) -> Mapping[JobStatus, int]:
    """How many jobs were deleted, by status. A status without a retention is kept for good."""
    limits = {status: settings.optional_integer(key) for status, key in _KEYS.items()}
    before = {status: now_ms - seconds * 1000 for status, seconds in limits.items() if seconds is not None}
    delete = store.count_old if dry_run else store.prune
    return dict.fromkeys(_KEYS, 0) | {status: delete(status, before_ms) for status, before_ms in before.items()}
