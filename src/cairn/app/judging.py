"""Who reads, and what a run needs: the reader that the operator chose, their ceiling, and an account of each call."""

import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.adapters.runner.choose import (
    ChosenReader,
    ReaderEnvironment,
    choose_reader,
    must_be_reader,
    refuse_old_names,
)
from cairn.app.questions import follow_ups
from cairn.capture.python_turn import turn_in
from cairn.core.model_budget import ModelPrice, ceiling_of, parse_price
from cairn.core.ports.reader import Reader
from cairn.errors import Refused
from cairn.jobs.judge import JudgeRequest, JudgeResult, judge
from cairn.jobs.run import Account, JobRun, JobRunRequest, JobRunSummary
from cairn.jobs.spending import DailyBudget, spent_today

if TYPE_CHECKING:
    from cairn.app.build import App

__all__ = ["must_be_reader", "refuse_old_names"]
PRICE: Final = "CAIRN_JUDGE_PRICE"


def reader_of(
    app: "App", name: str | None = None, model: str | None = None, *, record: Path | None = None
) -> ChosenReader:
    """Who answers questions: by this name, else as the settings say, else the one that is there. With `record` the
    answers are kept in a folder."""

    def which(program: str) -> str | None:
        return shutil.which(program, path=app.env.get("PATH", ""))

    settings = app.settings
    wanted = name or settings.optional_text("judge.with")
    around = ReaderEnvironment(app.env, which)
    chosen = choose_reader(wanted, model or settings.optional_text("judge.model"), around)
    if record is None:
        return chosen
    from cairn.adapters.runner.recorded import RecordingReader

    return chosen._replace(reader=RecordingReader(chosen.reader, record))


def dollars_of(app: "App", tokens_in: int, tokens_out: int) -> float | None:
    """What that costs, where the operator says what a token costs."""
    price = price_of(app)
    return None if price is None else price.of(tokens_in, tokens_out)


def price_of(app: "App") -> ModelPrice | None:
    price = app.env.get(PRICE, "").strip()
    return parse_price(price, PRICE) if price else None


def budget_of(app: "App", budget: str | None) -> DailyBudget:
    ceiling = ceiling_of(app.settings.optional_text("judge.budget") if budget is None else budget)
    spent = spent_today(app.store.jobs, app.clock.now_ms())
    return DailyBudget(ceiling, price_of(app), spent)


def run_of(app: "App", reader: Reader, budget: DailyBudget, *, told: bool = True) -> JobRun:
    """`told`: each call of the reader is a turn in the ledger."""
    account: Account = (
        (lambda: turn_in(app, stage="judge", agent=f"{reader.name}/{reader.model}")) if told else nullcontext
    )
    return JobRun(
        reader,
        store=app.store.jobs,
        actions=app.actions(),
        clock=app.clock,
        bus=app.bus,
        budget=budget,
        account=account,
    )


def run_jobs(app: "App", request: JobRunRequest, reader: Reader, *, budget: str | None) -> JobRunSummary:
    return run_of(app, reader, budget_of(app, budget)).work(request)


def judge_with(app: "App", request: JudgeRequest, reader: Reader, *, budget: str | None) -> JudgeResult:
    """Has the queue read, and uses the answers."""
    ceiling = budget_of(app, budget)

    def run(wanted: JobRunRequest) -> JobRunSummary:
        return run_of(app, reader, ceiling).work(wanted)

    return judge(request, run=run, follow=follow_ups(app), store=app.store.jobs)


def read_waiting(app: "App", most: int) -> int:
    """Where nobody watches: by the reader of the settings, within its budget. Why it ended early is raised, so that it
    is logged."""
    result = judge_with(app, JudgeRequest((), most), reader_of(app).reader, budget=None)
    if result.stopped:
        raise Refused(result.stopped)
    return result.completed
