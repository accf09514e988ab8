"""The rules of jobs: states, ids, hashes, time to live; whatever happens, in whatever order."""

import re
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asked_jobs import ASK, NOON, asked, report, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.jobs import (
    FAILURE_REASONS,
    JOB_STATUSES,
    ExecutionFilter,
    FailureReason,
    JobClaim,
    JobFilter,
    JobStatus,
)
from cairn.errors import CairnError
from cairn.jobs.claim import claim, reap
from cairn.jobs.finish import JobAnswer, cancel, record
from cairn.jobs.model import JOB_ID, LONGEST_TTL, MOVES, REASONS, JobTtl, before, next_id, question_hash, run_id

STEPS = ("submit", "force", "claim", "answer", "bad", "fail", "late", "cancel", "reap", "forget", "wait")


def test_the_constants_are_the_types():
    assert get_args(JobStatus) == JOB_STATUSES and get_args(FailureReason) == FAILURE_REASONS
    assert set(MOVES) == set(JOB_STATUSES) and set().union(*REASONS.values()) == set(FAILURE_REASONS)


@pytest.mark.parametrize(
    ("status", "came_from"),
    [("queued", ()), ("running", ("queued",)), ("completed", ("running",)), ("failed", ("queued", "running"))],
)
def test_before_lists_the_states_that_may_lead_there(status, came_from):
    assert before(status) == came_from


@pytest.mark.parametrize(
    ("ttl", "seconds"),
    [
        (JobTtl(3600, 3, 60), 10_800),
        (JobTtl(3600, 3, 60, action=10), 60),
        (JobTtl(3600, 3, 60, action=100), 300),
        (JobTtl(3600, 3, 60, action=100, configured=20), 20),
        (JobTtl(3600, 3, 60, action=100, configured=20, given=5), 5),
        (JobTtl(10**12, 3, 60), LONGEST_TTL),
    ],
)
def test_ttl_is_expected_time_with_grace_unless_somebody_says_otherwise(ttl, seconds):
    assert ttl.seconds == seconds


def test_question_hash_is_of_action_version_and_material():
    asked_once = question_hash("a/b", "1", "text")
    assert re.fullmatch("[0-9a-f]{64}", asked_once)
    others = [("a/c", "1", "text"), ("a/b", "2", "text"), ("a/b", "1", "texts"), ("a/b", "1\ntext", "")]
    assert asked_once not in {question_hash(*other) for other in others}


def test_next_id_leaves_out_a_second_that_is_full():
    full = {"d-20260420-160000-": "d-20260420-160000-ffff", "d-20260420-160001-": "d-20260420-160001-00ff"}
    assert next_id("d", NOON, full.get) == "d-20260420-160001-0100"
    assert JOB_ID.fullmatch(next_id("d", NOON, {}.get))


def test_run_ids_have_their_mode():
    assert run_id(NOON, "a3f2") == "r-20260420-160000-a3f2"
    assert run_id(NOON, "a3f2", "ext") == "r-ext-20260420-160000-a3f2"


class Life:
    """A queue to which anything happens, and every pair of states that followed each other."""

    def __init__(self) -> None:
        self.database = open_memory()
        self.store = self.database.jobs
        self.now = NOON
        self.moves = set[tuple[str, str]]()
        self.reasons = set[tuple[str, str]]()
        self.states: dict[str, str] = {}
        self.running: list = []

    def step(self, name: str) -> None:
        with suppress(CairnError):
            getattr(self, name)()
        self.watch()

    def watch(self) -> None:
        for job in self.store.jobs(JobFilter()):
            old = self.states.get(job.id)
            if old is None:
                assert job.status in ("queued", "failed", "running")
            elif old != job.status:
                self.moves.add((old, job.status))
                if job.failure_reason:
                    self.reasons.add((old, job.failure_reason))
            self.states[job.id] = job.status
            assert (job.status == "failed") == (job.failure_reason is not None)
            assert (job.finished_at_ms is not None) == (job.status in ("completed", "failed"))

    def submit(self, **wanted) -> None:
        asked(self.store, at=self.now, **wanted)

    def force(self) -> None:
        self.submit(forced=True)

    def claim(self) -> None:
        found = claim(JobClaim("cli", "r", self.now), store=self.store)
        self.running += [found.job] if found else []

    def _record(self, **said) -> None:
        job = self.running.pop()
        record(JobAnswer(job.id, job.nonce, **said), store=self.store, actions={ASK.id: ASK}, now_ms=self.now)

    def answer(self) -> None:
        if self.running:
            self._record(status="completed", report=report())

    def bad(self) -> None:
        if self.running:
            self._record(status="completed", report="{}")

    def fail(self) -> None:
        if self.running:
            self._record(status="failed", error="no")

    def late(self) -> None:
        if self.running:
            self._record(status="failed", reason="timeout")

    def cancel(self) -> None:
        jobs = self.store.jobs(JobFilter())
        if jobs:
            cancel(jobs[0].id, store=self.store, now_ms=self.now)
            self.watch()
            cancel(jobs[-1].id, store=self.store, now_ms=self.now)

    def reap(self) -> None:
        reap(store=self.store, now_ms=self.now)

    def forget(self) -> None:
        self.database.purge.drop(lambda text: b"Text of docs" in text)

    def wait(self) -> None:
        self.now += 61_000


ALLOWED = {(one, other) for one, following in MOVES.items() for other in following}


@given(st.lists(st.sampled_from(STEPS), max_size=30))
@settings(max_examples=60, deadline=None)
def test_no_job_moves_otherwise_than_allowed(steps):
    life = Life()
    for name in steps:
        life.step(name)
    assert life.moves <= ALLOWED
    assert life.reasons <= {(one, reason) for one, reasons in REASONS.items() for reason in reasons}
    assert sum(status in ("completed", "failed") for status in life.states.values()) == ended(life)


def ended(life: Life) -> int:
    """Every job that ended has one record, and only those."""
    rows = life.store.executions(ExecutionFilter())
    assert len({row.job_id for row in rows}) == len(rows)
    return len(rows)


def test_every_state_and_reason_is_reached():
    life = Life()
    ends = (
        "claim answer",
        "claim bad",
        "claim fail",
        "claim late",
        "cancel",
        "claim cancel",
        "claim wait reap",
        "forget claim",
    )
    for name in " ".join(f"submit {end}" for end in ends).split():
        life.step(name)
    assert life.moves == ALLOWED
    assert {reason for _, reason in life.reasons} == set(FAILURE_REASONS)


def test_an_abandoned_question_is_asked_three_times():
    life = Life()
    life.submit()
    for attempt in (1, 2, 3):
        assert taken(life.store, at=life.now).attempt == attempt
        life.wait()
        life.reap()
    assert life.store.counts() == {"queued": 0, "running": 0, "completed": 0, "failed": 3}
