"""Has questions answered for a command, with progress and what it costs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.core.interrupts import stopped_by_any
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.event_bus import BusEvent
    from cairn.core.ports.reader import Reader
    from cairn.jobs.ask import ReadNow
    from cairn.jobs.judge import JudgeResult
    from cairn.jobs.run import JobRunSummary

with_option = click.option("--with", "reader", metavar="NAME", help="Ask this reader: claude, codex, ollama, …")
model_option = click.option("--model", metavar="NAME", help="Choose the model of the reader.")


def judge_now(
    ctx: Invocation,
    app: "App",
    reader: str | None,
    *,
    model: str | None = None,
    budget: str | None = None,
    only: Sequence[str] = (),
    most: int | None = None,
    record: Path | None = None,
) -> "JudgeResult":
    """Has what waits read right away, by this reader or the one that is there; `only` are ids of questions. Everything
    is checked before the first question: the reader, the pages, and the place for change requests."""
    from cairn.app.judging import reader_of
    from cairn.jobs.judge import JudgeRequest

    chosen = reader_of(app, reader, model, record=record)
    check_ready(app)
    ctx.out.detail(safe(f"reader: {chosen.reader.name} ({chosen.why}), model: {chosen.reader.model}"))
    return _judged(ctx, app, JudgeRequest(only, most), chosen.reader, budget)


def check_ready(app: "App") -> None:
    """What is done with answers needs these; better now than after they were paid for."""
    _ = app.corpora
    if app.vcs.root() is not None:
        app.forge.requests(states=())


def _judged(ctx: Invocation, app: "App", request: Any, reader: "Reader", budget: str | None) -> "JudgeResult":
    from cairn.app.judging import judge_with

    watch = _Watch(ctx, app, request.actions)
    try:
        with stopped_by_any(), app.bus.heard_by(watch):
            return judge_with(app, request, reader, budget=budget)
    except KeyboardInterrupt:
        count = watch.seen["abandoned"]
        ctx.out.say(f"stopped: {watch.seen['done']:,} answered; {count:,} returned to the queue, nothing is lost")
        raise
    finally:
        watch.close()


def reading_now(
    ctx: Invocation, app: "App", reader: str | None, *, model: str | None = None, budget: str | None = None
) -> "ReadNow | None":
    """Has questions of some actions read right away; None where no reader is named."""
    from cairn.app.judging import budget_of, reader_of, refuse_old_names, run_of
    from cairn.jobs.run import JobRunRequest, JobRunSummary

    refuse_old_names(app.env)
    if reader is None:
        if budget is not None:
            raise UsageError("--budget limits what a reader may cost; name the reader with --with")
        return None
    chosen = reader_of(app, reader, model).reader
    ceiling = budget_of(app, budget)
    check_ready(app)

    def read(actions: Sequence[str]) -> JobRunSummary:
        watch = _Watch(ctx, app, actions)
        try:
            with stopped_by_any(), app.bus.heard_by(watch):
                return run_of(app, chosen, ceiling).work(JobRunRequest("all", None, actions))
        finally:
            watch.close()

    return read


def reading_on_trial(
    ctx: Invocation, app: "App", reader: str, *, model: str | None, budget: str | None, most: int
) -> "ReadNow":
    """The same for an application in memory: so many questions at most, and nothing is written down."""
    from cairn.app.judging import budget_of, reader_of, run_of
    from cairn.jobs.run import JobRunRequest, JobRunSummary

    # Without a workspace, no layer of the settings is read but the defaults.
    chosen = reader_of(app, reader, model or ctx.env.get("CAIRN_JUDGE_MODEL")).reader
    ceiling = budget_of(app, budget or ctx.env.get("CAIRN_JUDGE_BUDGET"))

    def read(actions: Sequence[str]) -> JobRunSummary:
        watch = _Watch(ctx, app, actions)
        try:
            with stopped_by_any(), app.bus.heard_by(watch):
                run = run_of(app, chosen, ceiling, told=False)
                return run.work(JobRunRequest("max", most, actions))
        finally:
            watch.close()

    return read


def tell_read(ctx: Invocation, spent: "JobRunSummary | None", *, named: bool) -> None:
    """What the reader that was named did."""
    if named:
        from cairn.jobs.spent import spent_words

        ctx.out.say(spent_words(spent))


class _Watch:
    """Progress, cost so far, and each question that failed."""

    def __init__(self, ctx: Invocation, app: "App", actions: Sequence[str]) -> None:
        self._out, self._progress = ctx.out, ctx.out.progress()
        self._jobs, self._actions = app.store.jobs, actions
        self.seen: Counter[str] = Counter()
        self._told: dict[str, Any] = {}

    def __call__(self, event: "BusEvent") -> None:
        if event.type == "job.claimed":
            self._told[event.job_id or ""] = event.data
        if event.type == "job.completed":
            self.seen["done"] += 1
            self.seen["tokens"] += (event.data["tokensIn"] or 0) + (event.data["tokensOut"] or 0)
        if event.type == "job.failed":
            self._failed(event)
        if event.type in ("job.claimed", "job.completed", "job.failed"):
            self._step()

    def _failed(self, event: "BusEvent") -> None:
        told = self._told.get(event.job_id or "")
        if event.data["reason"] == "abandoned":
            self.seen["abandoned"] += 1
        if told is not None:
            what = f"{told['actionId']} about {told['nodeId']}"
            self._out.say(safe(f"{what} was not answered ({event.data['reason']}): {event.data['message']}"))

    def _step(self) -> None:
        left = sum(one.jobs for one in self._jobs.waiting() if not self._actions or one.action_id in self._actions)
        done = self.seen["done"]
        self._progress.step(f"reading, {self.seen['tokens']:,} tokens so far", done, done + left)

    def close(self) -> None:
        self._progress.event("judge.completed")


def judged_words(result: "JudgeResult", dollars: float | None = None) -> str:
    """One line that sums up."""
    money = "" if dollars is None else f", about ${dollars:.2f}"
    cost = f"; {result.tokens_in:,} tokens read and {result.tokens_out:,} written{money}" if result.attempted else ""
    questions = "question" if result.completed == 1 else "questions"
    return f"{result.completed:,} {questions} answered, {result.failed:,} failed{cost}"


def judged_value(result: "JudgeResult") -> dict[str, Any]:
    return {
        "answered": result.completed,
        "failed": result.failed,
        "returned": result.returned,
        "tokensIn": result.tokens_in,
        "tokensOut": result.tokens_out,
        "durationMs": result.duration_ms,
        "stopped": result.stopped or None,
        "followed": list(result.followed),
    }
