"""Answers: who may give one, when, and what is recorded of it."""

import json

import pytest

from asked_jobs import ASK, NOON, asked, report, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.jobs import ExecutionFilter
from cairn.errors import EnvironmentProblem, JobNotRunning, NonceMismatch, NotFound
from cairn.jobs.finish import JobAnswer, JobUsage, cancel, cancel_all, record

ACTIONS = {ASK.id: ASK}


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def answered(store, **said):
    job = taken(store)
    answer = JobAnswer(job.id, job.nonce, "completed", report())._replace(**said)
    return record(answer, store=store, actions=ACTIONS, now_ms=NOON + 500)


def test_a_report_completes_the_job_and_is_recorded_with_what_it_took(store):
    asked(store)
    result = answered(store, usage=JobUsage(100, 20, 480, "model-1", 0))
    assert result.job.status == "completed" and result.job.finished_at_ms == NOON + 500 and not result.problems
    [row] = store.executions(ExecutionFilter())
    assert row == result.execution and json.loads(row.report_json or "") == json.loads(report())
    assert (row.tokens_in, row.tokens_out, row.duration_ms, row.model, row.exit_code) == (100, 20, 480, "model-1", 0)
    assert (row.started_at_ms, row.finished_at_ms, row.runner, row.job_id) == (NOON, NOON + 500, "cli", result.job.id)
    assert row.id == "e-20260420-160000-0000"


def test_without_a_duration_the_time_since_the_claim_counts(store):
    asked(store)
    assert answered(store).execution.duration_ms == 500


@pytest.mark.parametrize("text", ["no JSON at all", json.dumps({"answer": 1})])
def test_an_invalid_report_fails_the_job_and_is_kept(store, text):
    asked(store)
    result = answered(store, report=text)
    assert result.problems and (result.job.status, result.job.failure_reason) == ("failed", "report-invalid")
    assert result.execution.message == "; ".join(result.problems)
    kept = json.loads(result.execution.report_json or "")
    assert kept == text or kept == json.loads(text)


def test_a_failure_keeps_its_reason(store):
    asked(store)
    result = answered(store, status="failed", error="HTTP 500")
    assert (result.job.failure_reason, result.execution.message) == ("runner-error", "HTTP 500")


def test_an_unknown_job_a_wrong_nonce_and_a_second_answer_are_refused(store):
    waiting = asked(store)
    good = JobAnswer(waiting.id, waiting.nonce, "completed", report())
    for answer, error in (
        (good._replace(id="d-20260420-160000-ffff"), NotFound),
        (good._replace(nonce="0" * 32), NonceMismatch),
        (good._replace(nonce=""), NonceMismatch),
        (good._replace(nonce="ü"), NonceMismatch),
        (good, JobNotRunning),
    ):
        with pytest.raises(error):
            record(answer, store=store, actions=ACTIONS, now_ms=NOON)
    assert store.job(waiting.id) == waiting and store.executions(ExecutionFilter()) == []
    answered(store)
    with pytest.raises(JobNotRunning, match="is completed"):
        record(good, store=store, actions=ACTIONS, now_ms=NOON)


def test_an_answer_to_an_action_that_is_gone_is_refused_and_the_job_goes_on(store):
    asked(store)
    job = taken(store)
    with pytest.raises(EnvironmentProblem, match="is not installed"):
        record(JobAnswer(job.id, job.nonce, "completed", report()), store=store, actions={}, now_ms=NOON)
    assert store.job(job.id).status == "running"


def test_cancel_ends_queued_and_running_jobs_only(store):
    one, two = asked(store), asked(store, "b.md")
    taken(store)
    for job in (one, two):
        gone = cancel(job.id, store=store, now_ms=NOON)
        assert (gone.status, gone.failure_reason) == ("failed", "user-cancelled")
        with pytest.raises(JobNotRunning, match=r"is failed \(user-cancelled\) already"):
            cancel(job.id, store=store, now_ms=NOON)
    assert [row.status for row in store.executions(ExecutionFilter())] == ["cancelled", "cancelled"]
    asked(store)
    assert [job.node_id for job in cancel_all(store=store, now_ms=NOON)] == ["docs/a.md"]
    assert cancel_all(store=store, now_ms=NOON) == []
