"""The job queue in the store, the same on every database."""

from asked_jobs import ASK, NOON, asked, taken
from cairn.adapters.storage.sql.store import SqlStore
from cairn.core.model.change import Taint
from cairn.core.ports.jobs import ExecutionFilter, JobClaim, JobFilter
from cairn.jobs.claim import reap
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.submit import JobRequest, submit


def test_claim_takes_the_highest_priority_then_the_oldest(store: SqlStore) -> None:
    old = asked(store.jobs, "old.md", at=NOON)
    new = asked(store.jobs, "new.md", at=NOON + 5)
    urgent = asked(store.jobs, "urgent.md", at=NOON + 9, priority=1)
    later = asked(store.jobs, "later.md", at=NOON - 9, priority=-1)
    assert [taken(store.jobs).id for _ in range(4)] == [urgent.id, old.id, new.id, later.id]
    assert store.jobs.claim(JobClaim("cli", "r", NOON)) is None


def test_claim_sets_who_claimed_and_when_the_time_is_up(store: SqlStore) -> None:
    asked(store.jobs, ttl_seconds=90)
    job = store.jobs.claim(JobClaim("skill", "r-ext-20260420-160000-0001", NOON + 7))
    assert job is not None and job.status == "running" and job.runner == "skill"
    assert (job.run_id, job.claimed_at_ms, job.expires_at_ms) == ("r-ext-20260420-160000-0001", NOON + 7, NOON + 90_007)
    assert store.jobs.job(job.id) == job


def test_claim_of_some_actions_leaves_the_others(store: SqlStore) -> None:
    asked(store.jobs)
    other = submit(JobRequest(ASK._replace(id="test/other"), "a.md", "", 60), store=store.jobs, now_ms=NOON)
    assert store.jobs.claim(JobClaim("cli", "r", NOON, ["test/none"])) is None
    claimed = store.jobs.claim(JobClaim("cli", "r", NOON, ["test/none", "test/other"]))
    assert claimed is not None and claimed.id == other.id


def test_ids_count_on_within_a_second(store: SqlStore) -> None:
    ids = [asked(store.jobs, f"{number}.md", at=NOON + number).id for number in range(3)]
    assert ids == [f"d-20260420-160000-{number:04x}" for number in range(3)]
    assert asked(store.jobs, "next.md", at=NOON + 1000).id == "d-20260420-160001-0000"


def test_a_prompt_is_stored_once(store: SqlStore) -> None:
    first, second = asked(store.jobs), asked(store.jobs, forced=True)
    assert first.content_hash == second.content_hash and first.id != second.id
    assert sum("state_job_contents" in line for line in store.dump()) == 1
    assert "Text of docs/a.md." in (store.jobs.content(first.content_hash) or "")


def test_counts_and_lists(store: SqlStore) -> None:
    ids = [asked(store.jobs, f"{number}.md").id for number in range(3)]
    taken(store.jobs)
    assert dict(store.jobs.counts()) == {"queued": 2, "running": 1, "completed": 0, "failed": 0}
    assert [job.id for job in store.jobs.jobs(JobFilter())] == ids[::-1]
    assert [job.id for job in store.jobs.jobs(JobFilter(statuses=("running",)))] == ids[:1]
    assert [job.id for job in store.jobs.jobs(JobFilter(actions=("test/ask",), limit=1))] == ids[2:]
    assert [job.node_id for job in store.jobs.jobs(JobFilter(node="1.md"))] == ["1.md"]


def test_finish_moves_only_from_the_states_that_allow_it(store: SqlStore) -> None:
    job = asked(store.jobs)
    done = {"came_from": ("running",), "reason": None, "now_ms": NOON}
    assert not store.jobs.finish(job.id, "completed", **done)
    taken(store.jobs)
    assert store.jobs.finish(job.id, "completed", **done)
    assert not store.jobs.finish(job.id, "completed", **done)


def test_prune_deletes_old_jobs_and_prompts_that_nobody_needs(store: SqlStore) -> None:
    old, new, waiting = asked(store.jobs, "old.md"), asked(store.jobs, "new.md"), asked(store.jobs, "waiting.md")
    for job, at in ((old, NOON), (new, NOON + 1000)):
        finish(taken(store.jobs), JobEnd("completed", report={}), store=store.jobs, now_ms=at)
        assert store.jobs.content(job.content_hash)
    assert store.jobs.count_old("completed", NOON + 1000) == 1
    assert store.jobs.prune("completed", NOON + 1000) == 1
    assert store.jobs.job(old.id) is None and store.jobs.content(old.content_hash) is None
    assert store.jobs.content(new.content_hash) and store.jobs.content(waiting.content_hash)
    assert len(store.jobs.executions(ExecutionFilter())) == 2, "the history stays"


def test_executions_are_filtered(store: SqlStore) -> None:
    for number in range(4):
        asked(store.jobs, f"{number % 2}.md", at=NOON + number)
        end = JobEnd("failed", "timeout", "late") if number == 3 else JobEnd("completed", report={"n": number})
        finish(taken(store.jobs), end, store=store.jobs, now_ms=NOON + number)
    nodes = [row.node_id for row in store.jobs.executions(ExecutionFilter())]
    assert nodes == ["1.md", "0.md", "1.md", "0.md"], "newest first"
    assert len(store.jobs.executions(ExecutionFilter(since_ms=NOON + 1, until_ms=NOON + 3))) == 2
    [late] = store.jobs.executions(ExecutionFilter(statuses=("failed",), actions=("test/ask",), node="1.md"))
    assert (late.failure_reason, late.message, late.report_json) == ("timeout", "late", None)


def test_jobs_follow_a_file_that_was_renamed(store: SqlStore) -> None:
    done = asked(store.jobs, "old.md")
    finish(taken(store.jobs), JobEnd("completed"), store=store.jobs, now_ms=NOON)
    waiting, there = asked(store.jobs, "old.md"), asked(store.jobs, "new.md", material="Text of old.md.")
    with store.scan() as session:
        session.move_state("old.md", "new.md")
    nodes = {job.id: job.node_id for job in store.jobs.jobs(JobFilter())}
    assert nodes == {done.id: "new.md", waiting.id: "old.md", there.id: "new.md"}, "the same question waits there"
    assert [row.node_id for row in store.jobs.executions(ExecutionFilter())] == ["new.md"]


def test_jobs_are_kept_state(store: SqlStore) -> None:
    """A reset of what can be rebuilt leaves them; a dump has them; they can be forgotten."""
    job = asked(store.jobs, material="the secret word")
    finish(taken(store.jobs), JobEnd("completed", report={"said": "the secret word"}), store=store.jobs, now_ms=NOON)
    assert {"state_jobs", "state_job_contents", "state_executions"} <= {
        line.split(" ")[2] for line in store.dump() if line.startswith("INSERT INTO ")
    }
    store.reset(state=False)
    assert store.jobs.job(job.id)
    held = store.purge.holding(lambda text: b"secret word" in text)
    assert held == {"state_job_contents": 1, "state_executions": 1}
    assert store.purge.drop(lambda text: b"secret word" in text) == 2
    store.reset(state=True)
    assert store.jobs.jobs(JobFilter()) == []


def test_a_job_without_its_prompt_is_named(store: SqlStore) -> None:
    job = asked(store.jobs, material="the secret word")
    store.purge.drop(lambda text: b"secret word" in text)
    assert store.jobs.missing_contents() == [job.id]
    assert store.check() == [f"The prompt of the job {job.id} is gone; `cairn job cancel {job.id}` ends it."]


def test_reaped_jobs_return_under_another_id(store: SqlStore) -> None:
    asked(store.jobs)
    first = taken(store.jobs)
    assert reap(store=store.jobs, now_ms=NOON + 60_000) == ()
    assert [job.id for job in reap(store=store.jobs, now_ms=NOON + 60_001)] == [first.id]
    second = taken(store.jobs, at=NOON + 60_002)
    assert second.id != first.id and second.nonce != first.nonce and second.attempt == 2
    assert second.content_hash == first.content_hash


def test_claim_within_a_taint_and_a_number_of_tokens(store: SqlStore) -> None:
    long = asked(store.jobs, "long.md", material="word " * 3000)
    web = asked(store.jobs, "web.md", taint=Taint.OUTSIDE)
    own = asked(store.jobs, "own.md", taint=Taint.PERSON)
    wanted = JobClaim("skill", "r", NOON, most_taint=Taint.MODEL, most_tokens=3000)
    assert [store.jobs.claim(wanted), store.jobs.claim(wanted)] == [store.jobs.job(own.id), None]
    assert {one.id for one in store.jobs.jobs(JobFilter(statuses=("queued",)))} == {long.id, web.id}
    [all_live], [trusted] = store.jobs.waiting(), store.jobs.waiting(Taint.MODEL)
    assert (all_live.action_id, all_live.jobs, trusted.jobs) == ("test/ask", 3, 2)
    assert all_live.tokens == long.tokens + web.tokens + own.tokens and long.tokens > 5000


def test_facts_are_kept_while_a_job_needs_them(store: SqlStore) -> None:
    facts = '{"text":"The door is red."}'
    first = asked(store.jobs, "a.md", input_json=facts)
    second = asked(store.jobs, "b.md", input_json=facts, material="other")
    assert first.input_hash == second.input_hash and store.jobs.content(str(first.input_hash)) == facts
    assert store.jobs.live_question(first.question_hash) == first
    finish(taken(store.jobs), JobEnd("completed", report={}, kept=None), store=store.jobs, now_ms=NOON)
    assert store.jobs.prune("completed", NOON + 1) == 1
    assert store.jobs.content(str(first.input_hash)) == facts
    finish(taken(store.jobs), JobEnd("completed", report={}), store=store.jobs, now_ms=NOON)
    store.jobs.prune("completed", NOON + 1)
    assert store.jobs.content(str(first.input_hash)) is None


def test_a_job_without_its_facts_is_named(store: SqlStore) -> None:
    job = asked(store.jobs, input_json='{"text":"the secret word"}')
    store.purge.drop(lambda text: b"secret word" in text)
    assert store.jobs.content(job.content_hash) and store.jobs.missing_contents() == [job.id]


def test_executions_are_found_by_their_question(store: SqlStore) -> None:
    job = asked(store.jobs)
    end = JobEnd("failed", "report-invalid", "bad", report="said", kept={"answer": {"a": 1}, "problems": ["bad"]})
    finish(taken(store.jobs), end, store=store.jobs, now_ms=NOON)
    [row] = store.jobs.executions(ExecutionFilter(question_hash=job.question_hash))
    assert row.kept_json == '{"answer": {"a": 1}, "problems": ["bad"]}'
    assert store.jobs.executions(ExecutionFilter(question_hash="0" * 64)) == []
