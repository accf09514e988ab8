"""A run: the order of its events, its bounds, and readers that fail."""

import json
from threading import Barrier, Event

import pytest

from asked_jobs import ASK, NOON, SAFE, asked, report, taken
from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.event_bus import EventBus
from cairn.core.model_budget import MOST_ANSWER, ModelBudget, ModelPrice, ModelSpending, RunnerAnswer, RunnerFailed
from cairn.core.ports.jobs import JobFilter
from cairn.errors import UsageError
from cairn.jobs.action import action_of
from cairn.jobs.finish import cancel
from cairn.jobs.question import Question
from cairn.jobs.run import JobRun, JobRunRequest
from cairn.jobs.spending import DailyBudget, spent_today
from sample_questions.colours.question import QUESTION


class Reader:
    name, model, parallel, window = "scripted", "one", 1, None

    def __init__(self, *answers, takes=0.0, clock=None):
        self.answers, self.takes, self.clock, self.requests, self.stopped = list(answers), takes, clock, [], 0

    def read(self, request):
        self.requests.append(request)
        if self.clock:
            self.clock.advance(round(self.takes * 1000))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return RunnerAnswer(answer, self.name, self.model, 100, 20)

    def stop(self):
        self.stopped += 1


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def ran(store, reader, clock=None, budget=None, wait=None, **wanted):
    events = []
    run = JobRun(
        reader,
        store=store,
        actions={ASK.id: ASK},
        clock=clock or SettableClock(NOON),
        bus=EventBus(lambda event: events.append(event.value())),
        budget=budget,
        wait=wait or (lambda seconds: pytest.fail("it waited")),
    )
    summary = run.work(JobRunRequest(ids=lambda: "a3f2")._replace(**wanted))
    assert {event["runId"] for event in events} == {"r-20260420-160000-a3f2"}
    assert all(list(event) == ["type", "timestamp", "runId", "jobId", "data"] for event in events)
    return summary, events


def types(events):
    return [event["type"] for event in events]


AROUND = (["run.started", "run.reap.started", "run.reap.completed"], ["run.summary"])
ONE = ["job.claimed", "job.spawning", "job.callback.received"]


def test_events_of_a_job_come_in_order(store):
    job = asked(store, priority=2)
    summary, events = ran(store, Reader(report()))
    assert types(events) == [*AROUND[0], *ONE, "job.completed", "action.completed", *AROUND[1]]
    claimed, spawning, callback, completed = events[3:7]
    assert {event["jobId"] for event in events[3:7]} == {job.id}
    assert claimed["data"] == {
        "actionId": "test/ask",
        "actionVersion": "1.0.0",
        "nodeId": "docs/a.md",
        "ttlSeconds": 60,
        "priority": 2,
    }
    assert spawning["data"] == {"runner": "cli", "command": "scripted one", "contentHash": job.content_hash}
    assert callback["data"]["executionId"] == completed["data"]["executionId"]
    assert completed["data"]["tokensIn"] == 100 and summary.completed == 1
    assert events[-1]["data"]["jobsAttempted"] == 1 and events[0]["data"]["mode"] == "single"


def test_a_run_takes_as_many_as_it_may(store):
    for number in range(4):
        asked(store, f"{number}.md")
    assert ran(store, Reader(report()))[0].attempted == 1
    assert ran(store, Reader(report(), report()), mode="max", max_jobs=2)[0].attempted == 2
    summary, events = ran(store, Reader(report()), mode="all", max_jobs=None)
    assert summary.attempted == 1 and types(events)[-2:] == ["job.skipped", "run.summary"]
    assert events[-2]["data"] == {"reason": "queue-empty"}


def test_jobs_that_the_filter_excludes_are_not_an_empty_queue(store):
    asked(store)
    events = ran(store, Reader(), actions=["test/other"])[1]
    assert events[-2]["data"] == {"reason": "filter-excluded-all"}
    assert events[0]["data"]["filter"] == {"action": ["test/other"]}


@pytest.mark.parametrize(
    ("answer", "takes", "reason"),
    [
        (RunnerFailed("HTTP 500", retryable=True), 1, "runner-error"),
        (RunnerFailed("no answer", retryable=True), 61, "timeout"),
    ],
)
def test_a_reader_that_fails_fails_its_job_and_the_run_goes_on(store, answer, takes, reason):
    asked(store, "a.md", priority=1)
    asked(store, "b.md")
    clock = SettableClock(NOON)
    summary, events = ran(
        store, Reader(answer, report(), report(), takes=takes, clock=clock), clock, mode="all", max_jobs=None
    )
    assert (summary.failed, summary.completed, summary.attempted) == (1, 2, 3), "its question is asked again"
    [failed] = [event["data"] for event in events if event["type"] == "job.failed"]
    assert failed["reason"] == reason and failed["message"]


def test_a_refused_report_is_asked_for_once_more(store):
    asked(store)
    summary, events = ran(store, Reader("no JSON", "no JSON"), mode="all", max_jobs=None)
    assert (summary.failed, summary.completed) == (2, 0)
    assert [event["data"]["reason"] for event in events if event["type"] == "job.failed"] == ["report-invalid"] * 2


def test_what_expired_returns_before_the_first_claim(store):
    asked(store)
    late = taken(store, at=NOON - 70_000)
    summary, events = ran(store, Reader(report()))
    assert types(events)[:5] == [*AROUND[0], "job.failed", "job.claimed"]
    assert events[2]["data"] == {"reapedCount": 1, "reapedIds": [late.id]}
    assert events[3]["jobId"] == late.id and events[3]["data"]["reason"] == "abandoned"
    assert summary.completed == 1 and summary.failed == 0


def test_what_cannot_be_written_as_json_becomes_an_error_event():
    seen = []
    bus = EventBus()
    bus.subscribe(seen.append)
    bus.emit("scan.completed", {"nodes": {1}}, at_ms=1, run_id="r")
    assert seen[0].type == "emitter.error" and "scan.completed" in seen[0].data["message"]


def stops(reader_says):
    return {event["data"]["message"] for event in reader_says if event["type"] == "job.failed"}


def test_a_busy_reader_is_waited_for_and_its_questions_return(store):
    asked(store)
    waits = []
    busy = RunnerFailed("Too many.", retryable=True, is_busy=True)
    reader = Reader(busy, RunnerFailed("Later.", retryable=True, is_busy=True, after_seconds=7), report())
    summary, _ = ran(store, reader, wait=waits.append)
    assert waits == [2.0, 7] and (summary.completed, summary.failed, summary.returned) == (1, 0, 2)
    assert [job.attempt for job in store.jobs(JobFilter(("completed",)))] == [1]


def test_a_reader_that_stays_busy_ends_the_run(store):
    asked(store)
    waits = []
    busy = [RunnerFailed("Too many.", retryable=True, is_busy=True) for _ in range(6)]
    summary, _ = ran(store, Reader(*busy), wait=waits.append)
    assert waits == [2, 4, 8, 16, 32] and "scripted takes no more questions for now: Too many." in summary.stopped
    assert store.counts()["queued"] == 1 and not summary.failed


def test_a_reader_that_lets_nobody_in_ends_the_run_and_nothing_is_lost(store):
    asked(store), asked(store, "b.md")
    out = RunnerFailed("Not logged in.", retryable=True, ends_run=True)
    summary, _ = ran(store, Reader(out), mode="all", max_jobs=None)
    assert summary.stopped == "Not logged in." and (summary.attempted, summary.returned) == (0, 1)
    assert store.counts()["queued"] == 2


def test_three_failures_in_a_row_end_the_run(store):
    for number in range(5):
        asked(store, f"{number}.md")
    summary, _ = ran(store, Reader(*[RunnerFailed("Odd.", retryable=False)] * 3), mode="all", max_jobs=None)
    assert summary.stopped == "3 questions in a row failed, the last one with: Odd." and summary.failed == 3
    assert store.counts()["queued"] == 5, "each is asked again"


def test_a_crash_of_a_reader_is_its_failure(store):
    asked(store)
    summary, events = ran(store, Reader(KeyError("x")))
    assert summary.failed == 1 and stops(events) == {"KeyError: 'x'"}


def test_a_checker_that_stumbles_stops_nobody(store):
    def stumble(facts, found):
        raise ZeroDivisionError("division by zero")

    question = Question(QUESTION._folder / "question.py", material=QUESTION.material, check=stumble)
    action = action_of(question)
    asked(store, action=action, input_json='{"text":"red"}')
    events = []
    run = JobRun(
        Reader(json.dumps({"colours": [], "confidence": 1, "safety": SAFE})),
        store=store,
        actions={action.id: action},
        clock=SettableClock(NOON),
        bus=EventBus(lambda event: events.append(event.value())),
    )
    assert run.work(JobRunRequest()).failed == 1
    assert stops(events) == {"its answer could not be checked (ZeroDivisionError: division by zero)"}


def test_several_are_asked_at_a_time_where_the_reader_allows_it(store):
    for number in range(6):
        asked(store, f"{number}.md")
    together = Barrier(3, timeout=20)

    class Many(Reader):
        parallel = 3

        def read(self, request):
            together.wait()
            return super().read(request)

    summary, _ = ran(store, Many(*[report()] * 6), mode="all", max_jobs=None)
    assert summary.completed == 6


def test_an_interrupt_returns_what_is_out(store):
    for number in range(3):
        asked(store, f"{number}.md")
    hangs = Event()

    class Hanging(Reader):
        parallel = 2

        def read(self, request):
            hangs.wait(20)
            return super().read(request)

    def interrupt(event):
        if event.type == "job.spawning" and store.counts()["running"] == 2:
            raise KeyboardInterrupt

    reader, actions = Hanging(report(), report()), {ASK.id: ASK}
    run = JobRun(reader, store=store, actions=actions, clock=SettableClock(NOON), bus=EventBus(interrupt))
    with pytest.raises(KeyboardInterrupt):
        run.work(JobRunRequest("all", None))
    hangs.set()
    assert store.counts() == {"queued": 3, "running": 0, "completed": 0, "failed": 2} and reader.stopped
    assert {job.attempt for job in store.jobs(JobFilter(("queued",)))} == {1}


def test_a_job_that_was_cancelled_meanwhile_takes_no_answer(store):
    job = asked(store)

    class Slow(Reader):
        def read(self, request):
            answer = super().read(request)
            cancelled.wait(20)
            return answer

    cancelled = Event()

    def cancel_it(event):
        if event.type == "job.spawning":
            cancel(job.id, store=store, now_ms=NOON)
            cancelled.set()

    run = JobRun(Slow(report()), store=store, actions={ASK.id: ASK}, clock=SettableClock(NOON), bus=EventBus(cancel_it))
    summary = run.work(JobRunRequest())
    assert not summary.attempted and store.job(job.id).failure_reason == "user-cancelled"


# --- the budget, and the window ---------------------------------------------------------------------------------------


def test_a_budget_is_kept_across_runs(store):
    for number in range(3):
        asked(store, f"{number}.md")
    tokens = store.jobs(JobFilter(limit=1))[0].tokens

    def budget(limit):
        return DailyBudget(ModelBudget(tokens=limit), None, spent_today(store, NOON))

    limit = MOST_ANSWER + 120 + tokens
    first, _ = ran(store, Reader(report(), report()), budget=budget(limit), mode="all", max_jobs=None)
    assert first.completed == 2 and "does not suffice for the next question (240 tokens are spent" in first.stopped
    second, _ = ran(store, Reader(), budget=budget(limit), mode="all", max_jobs=None)
    assert second.completed == 0 and second.stopped == first.stopped
    third, _ = ran(store, Reader(report()), budget=budget(None), mode="all", max_jobs=None)
    assert third.completed == 1 and not third.stopped
    assert spent_today(store, NOON + 24 * 3_600_000).calls == 0, "tomorrow is another day"


def test_a_budget_in_money_needs_a_price():
    with pytest.raises(UsageError, match="CAIRN_JUDGE_PRICE"):
        DailyBudget(ModelBudget(dollars=1.0), None, ModelSpending())
    cheap = DailyBudget(ModelBudget(dollars=1.0), ModelPrice(1.0, 10.0), ModelSpending(1, 100_000, 10_000))
    assert cheap.most_tokens == 1_000_000 - 100_000 - 10 * (10_000 + MOST_ANSWER)


def test_questions_that_are_longer_than_the_window_wait(store):
    asked(store, "long.md", material="word " * 9000)
    asked(store)

    class Small(Reader):
        window = MOST_ANSWER + 5000

    summary, _ = ran(store, Small(report()), mode="all", max_jobs=None)
    assert summary.completed == 1 and store.counts()["queued"] == 1
    assert summary.stopped == (
        "What is left is longer than scripted can read (5,000 tokens); it waits for another reader (`--with`)."
    )
