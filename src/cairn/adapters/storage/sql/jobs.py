"""The job queue, in any database that speaks the shared queries."""

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Any

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.jobs import (
    JOB_STATUSES,
    Execution,
    ExecutionFilter,
    FailureReason,
    Job,
    JobClaim,
    JobFilter,
    JobStatus,
    JobsWaiting,
)

_AFTER = "\x7f"
"""Sorts behind every character of an id."""


class SqlJobs:
    def __init__(self, database: Database) -> None:
        self._db = database

    def writing(self) -> AbstractContextManager[None]:
        return self._db.writing()

    def add(self, job: Job, content: str, input_json: str | None = None) -> bool:
        with self._db.writing():
            if not self._db.run("add_job", job._asdict()):
                return False
            self._keep(job.content_hash, content, job.created_at_ms)
            if job.input_hash is not None and input_json is not None:
                self._keep(job.input_hash, input_json, job.created_at_ms)
            return True

    def _keep(self, content_hash: str, content: str, now_ms: int) -> None:
        kept = {"content_hash": content_hash, "content": content, "created_at_ms": now_ms}
        self._db.run("add_job_content", kept)

    def last_id(self, prefix: str) -> str | None:
        return self._last("last_job_id", prefix)

    def last_execution_id(self, prefix: str) -> str | None:
        return self._last("last_execution_id", prefix)

    def _last(self, query: str, prefix: str) -> str | None:
        return next((row[0] for row in self._db.rows(query, {"low": prefix, "high": prefix + _AFTER})), None)

    def live(self, action: str, version: str, node: str, question_hash: str) -> Job | None:
        key = {"action_id": action, "action_version": version, "node_id": node, "question_hash": question_hash}
        return self._one("live_job", key)

    def live_question(self, question_hash: str) -> Job | None:
        return self._one("live_question", {"question_hash": question_hash})

    def claim(self, claim: JobClaim) -> Job | None:
        wanted = {"runner": claim.runner, "run_id": claim.run_id, "now_ms": claim.now_ms}
        # Read to the end: a statement that is still open holds the lock of the whole database.
        claimed = [Job(*row) for row in self._filtered("claim_job", _claimable(claim), None, wanted)]
        return claimed[0] if claimed else None

    def job(self, id: str) -> Job | None:
        return self._one("job", {"id": id})

    def _one(self, query: str, parameters: Mapping[str, Any]) -> Job | None:
        rows = [Job(*row) for row in self._db.rows(query, parameters)]
        return rows[0] if rows else None

    def jobs(self, wanted: JobFilter) -> list[Job]:
        conditions = _in({"status": wanted.statuses, "action_id": wanted.actions})
        if wanted.node:
            conditions["node_id = :node"] = ("node", wanted.node)
        return [Job(*row) for row in self._filtered("jobs", conditions, wanted.limit)]

    def _filtered(
        self,
        query: str,
        conditions: Mapping[str, tuple[str, Any]],
        limit: int | None,
        parameters: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        given = {**(parameters or {}), **dict(conditions.values())}
        if limit is not None:
            given["limit"] = limit
        where, most = " AND ".join(conditions), "" if limit is None else "LIMIT :limit"
        return list(self._db.rows(query, given, where=where, limit=most))

    def counts(self) -> Mapping[JobStatus, int]:
        return dict.fromkeys(JOB_STATUSES, 0) | {row[0]: row[1] for row in self._db.rows("count_jobs")}

    def waiting(self, most_taint: int | None = None) -> list[JobsWaiting]:
        conditions = {} if most_taint is None else {"taint <= :most_taint": ("most_taint", most_taint)}
        rows = self._filtered("waiting_jobs", conditions, None)
        return [JobsWaiting(action, int(count), int(tokens)) for action, count, tokens in rows]

    def content(self, content_hash: str) -> str | None:
        return next((row[0] for row in self._db.rows("job_content", {"content_hash": content_hash})), None)

    def expired(self, now_ms: int) -> list[Job]:
        return [Job(*row) for row in self._db.rows("expired_jobs", {"now_ms": now_ms})]

    def finish(
        self, id: str, status: JobStatus, *, came_from: Collection[JobStatus], reason: FailureReason | None, now_ms: int
    ) -> bool:
        wanted = {"id": id, "status": status, "came_from": list(came_from), "reason": reason, "now_ms": now_ms}
        return self._db.run("finish_job", wanted) == 1

    def prune(self, status: JobStatus, before_ms: int) -> int:
        with self._db.writing():
            gone = self._db.run("prune_jobs", {"status": status, "before_ms": before_ms})
            self._db.run("prune_job_contents")
            return gone

    def count_old(self, status: JobStatus, before_ms: int) -> int:
        return int(next(iter(self._db.rows("count_old_jobs", {"status": status, "before_ms": before_ms})))[0])

    def missing_contents(self) -> list[str]:
        return [row[0] for row in self._db.rows("jobs_without_content")]

    def add_execution(self, row: Execution) -> bool:
        with self._db.writing():
            return self._db.run("add_execution", row._asdict()) == 1

    def executions(self, wanted: ExecutionFilter) -> list[Execution]:
        conditions = _in({"status": wanted.statuses, "extension_id": wanted.actions})
        if wanted.node:
            conditions["node_id = :node"] = ("node", wanted.node)
        if wanted.until_ms is not None:
            conditions["finished_at_ms < :until_ms"] = ("until_ms", wanted.until_ms)
        if wanted.question_hash:
            conditions["question_hash = :question_hash"] = ("question_hash", wanted.question_hash)
        rows = self._filtered("executions", conditions, wanted.limit, {"since_ms": wanted.since_ms})
        return [Execution(*row) for row in rows]


def _claimable(claim: JobClaim) -> dict[str, tuple[str, Any]]:
    conditions: dict[str, tuple[str, Any]] = {}
    if claim.actions:
        conditions = {"action_id IN [:actions]": ("actions", list(claim.actions))}
    if claim.most_taint is not None:
        conditions["taint <= :most_taint"] = ("most_taint", claim.most_taint)
    if claim.most_tokens is not None:
        conditions["tokens <= :most_tokens"] = ("most_tokens", claim.most_tokens)
    return conditions


def _in(wanted: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Conditions on columns that may have one of several values, each with its parameter."""
    return {f"{column} IN [:{column}]": (column, list(values)) for column, values in wanted.items() if values}
