"""Judging: run after run, with what follows in between, until nothing new is asked."""

from contextlib import closing

from asked_jobs import NOON, asked, report, taken
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.jobs.finish import JobEnd, finish
from cairn.jobs.judge import JudgeRequest, judge
from cairn.jobs.run import JobRunSummary


class Runs:
    """Answers what is queued, as many as it may."""

    def __init__(self, store, stopped=""):
        self.store, self.stopped, self.requests = store, stopped, []

    def __call__(self, request):
        self.requests.append(request)
        count = 0
        while self.store.counts()["queued"] and (request.max_jobs is None or count < request.max_jobs):
            finish(taken(self.store), JobEnd("completed", report=report()), store=self.store, now_ms=NOON)
            count += 1
        return JobRunSummary("r", count, 0, 10, 100 * count, 10 * count, 0, self.stopped)


def judged(features, request=JudgeRequest(), **more):  # noqa: B008 - a tuple
    with closing(open_memory()) as database:
        asked(database.jobs), asked(database.jobs, "b.md")
        run = Runs(database.jobs, **more)
        return judge(
            request, run=run, follow=[lambda one=one: one(database.jobs) for one in features], store=run.store
        ), run


def test_what_follows_from_answers_is_asked_too():
    left = ["c.md", "d.md"]

    def place(store):
        if left:
            asked(store, left.pop(0))
            return ["1 candidate is asked about."]
        return []

    result, run = judged([place, lambda store: ["The request has 2 pages."] if not left else []])
    assert (result.completed, result.tokens_in, len(run.requests)) == (4, 400, 3)
    assert result.followed[:2] == ("1 candidate is asked about.", "1 candidate is asked about.")


def test_a_run_that_stopped_is_the_last_one_and_its_answers_are_used():
    result, run = judged([lambda store: [asked(store, "c.md").id]], stopped="Busy.")
    assert result.stopped == "Busy." and len(run.requests) == 1 and len(result.followed) == 1


def test_a_bound_holds_over_all_runs():
    numbers = iter(range(100))

    def more(store):
        asked(store, f"{next(numbers)}.md")
        return []

    result, run = judged([more], JudgeRequest(max_jobs=5))
    assert result.completed == 5 and [request.max_jobs for request in run.requests] == [5, 3, 2, 1]


def test_answers_that_ask_for_ever_are_stopped():
    numbers = iter(range(1000))
    result, run = judged([lambda store: [asked(store, f"{next(numbers)}.md").id]])
    assert len(run.requests) == 50 and result.completed == 51
