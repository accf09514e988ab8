"""A run: the order of its events, its bounds, and readers that fail."""

import pytest

from asked_jobs import ASK, NOON, asked, report, taken
from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.event_bus import EventBus
from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.jobs.run import JobRun, JobRunRequest


class Reader:
    provider, model = "scripted", "one"

    def __init__(self, *answers, takes=0.0, clock=None):
        self.answers, self.takes, self.clock, self.prompts = list(answers), takes, clock, []

    def run(self, prompt, *, timeout_seconds):
        self.prompts.append(prompt)
        if self.clock:
            self.clock.advance(round(self.takes * 1000))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return RunnerAnswer(answer, self.provider, self.model, 100, 20)


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def ran(store, reader, clock=None, **wanted):
    events = []
    run = JobRun(
        reader,
        store=store,
        actions={ASK.id: ASK},
        clock=clock or SettableClock(NOON),
        bus=EventBus(lambda event: events.append(event.value())),
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
    assert types(events) == [*AROUND[0], *ONE, "job.completed", *AROUND[1]]
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
    summary, events = ran(store, Reader(answer, report(), takes=takes, clock=clock), clock, mode="all", max_jobs=None)
    assert (summary.failed, summary.completed, summary.attempted) == (1, 1, 2)
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
