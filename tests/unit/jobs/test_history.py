"""History: totals, periods, ranks and rates of the jobs that ended."""

import pytest

from asked_jobs import NOON, asked, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.ports.jobs import FAILURE_REASONS, ExecutionFilter
from cairn.jobs.finish import JobEnd, JobUsage, finish
from cairn.jobs.history import history_stats
from cairn.jobs.prune import prune

DAY = 86_400_000


@pytest.fixture
def store():
    database = open_memory()
    yield database.jobs
    database.close()


def ended(store, subject, end, *, day=0, **usage):
    asked(store, subject, at=NOON + day * DAY)
    job = taken(store, at=NOON + day * DAY)
    finish(job, end, store=store, now_ms=NOON + day * DAY + 10, usage=JobUsage(**usage))


def stats(store, **wanted):
    rows = store.executions(ExecutionFilter())
    return history_stats(rows, **{"since_ms": None, "until_ms": NOON, "period": "month", "top": 10, **wanted})


def test_an_empty_history_has_every_key():
    found = history_stats([], since_ms=NOON - DAY, until_ms=NOON, period="day", top=1)
    assert found["range"] == {"since": "2026-04-19T16:00:00.000Z", "until": "2026-04-20T16:00:00.000Z"}
    assert found["totals"] == {
        "executionsCount": 0,
        "completedCount": 0,
        "failedCount": 0,
        "tokensIn": 0,
        "tokensOut": 0,
        "durationMsTotal": 0,
    }
    assert found["errorRates"] == {
        "global": 0,
        "perAction": [],
        "perFailureReason": dict.fromkeys(FAILURE_REASONS, 0),
    }


def test_totals_add_up(store):
    ended(store, "a.md", JobEnd("completed"), tokens_in=100, tokens_out=10, duration_ms=50)
    ended(store, "a.md", JobEnd("failed", "timeout"), day=1, duration_ms=250)
    ended(store, "b.md", JobEnd("completed"), day=14, tokens_in=7, duration_ms=0)
    found = stats(store)
    assert found["totals"]["completedCount"] + found["totals"]["failedCount"] == 3
    assert (found["totals"]["tokensIn"], found["totals"]["durationMsTotal"]) == (107, 300)
    [action] = found["tokensPerAction"]
    assert (action["actionId"], action["executionsCount"], action["tokensOut"]) == ("test/ask", 3, 10)
    assert (action["durationMsMean"], action["durationMsMedian"]) == (100, 50)
    assert found["topNodes"] == [
        {"nodePath": "a.md", "executionsCount": 2, "lastExecutedAt": NOON + DAY + 10},
        {"nodePath": "b.md", "executionsCount": 1, "lastExecutedAt": NOON + 14 * DAY + 10},
    ]
    assert stats(store, top=1)["topNodes"][0]["nodePath"] == "a.md"
    assert found["errorRates"]["global"] == pytest.approx(1 / 3)
    assert found["errorRates"]["perFailureReason"]["timeout"] == 1


@pytest.mark.parametrize(
    ("period", "starts"),
    [
        ("day", ["2026-04-20", "2026-04-21", "2026-05-04"]),
        ("week", ["2026-04-20", "2026-05-04"]),
        ("month", ["2026-04-01", "2026-05-01"]),
    ],
)
def test_periods_start_at_midnight_on_mondays_or_on_the_first(store, period, starts):
    for day in (0, 1, 14):
        ended(store, "a.md", JobEnd("completed"), day=day)
    rows = stats(store, period=period)["executionsPerPeriod"]
    assert [row["periodStart"] for row in rows] == [f"{start}T00:00:00.000Z" for start in starts]
    assert sum(row["executionsCount"] for row in rows) == 3


class Retention:
    def __init__(self, **seconds):
        self.seconds = seconds

    def optional_integer(self, key):
        return self.seconds.get(key.rpartition(".")[2])


def test_prune_deletes_by_status_and_keeps_what_has_no_limit(store):
    for subject, end in (("a.md", JobEnd("completed")), ("b.md", JobEnd("failed", "timeout"))):
        ended(store, subject, end)
    later = NOON + 100_000
    wanted = Retention(completed=60)
    assert prune(store=store, settings=wanted, now_ms=later, dry_run=True) == {"completed": 1, "failed": 0}
    assert store.counts()["completed"] == 1, "a dry run deletes nothing"
    assert prune(store=store, settings=Retention(completed=200), now_ms=later) == {"completed": 0, "failed": 0}
    assert prune(store=store, settings=wanted, now_ms=later) == {"completed": 1, "failed": 0}
    assert store.counts() == {"queued": 0, "running": 0, "completed": 0, "failed": 1}
