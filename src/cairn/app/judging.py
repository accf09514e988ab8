"""Who reads, and what a run needs: the reader that the operator chose, their ceiling, and an account of each call."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cairn.adapters.runner.choose import ChosenReader, ReaderEnvironment, choose_reader
from cairn.app.questions import follow_ups
from cairn.capture.python_turn import turn_in
from cairn.core.event_bus import EventBus
from cairn.core.model_budget import ModelPrice, ceiling_of, parse_price
from cairn.core.ports.reader import Reader
from cairn.jobs.judge import JudgeRequest, JudgeResult, judge
from cairn.jobs.run import JobRun, JobRunRequest, JobRunSummary
from cairn.jobs.spending import DailyBudget, spent_today

if TYPE_CHECKING:
    from cairn.app.build import App

PRICE: Final = "CAIRN_JUDGE_PRICE"


def reader_of(app: "App", name: str | None, model: str | None, record: Path | None) -> ChosenReader:
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


def price_of(app: "App") -> ModelPrice | None:
    price = app.env.get(PRICE, "").strip()
    return parse_price(price, PRICE) if price else None


def budget_of(app: "App", budget: str | None) -> DailyBudget:
    ceiling = ceiling_of(budget or app.settings.optional_text("judge.budget"))
    spent = spent_today(app.store.jobs, app.clock.now_ms())
    return DailyBudget(ceiling, price_of(app), spent)


def run_of(app: "App", reader: Reader, budget: DailyBudget, bus: EventBus) -> JobRun:
    return JobRun(
        reader,
        store=app.store.jobs,
        actions=app.actions(),
        clock=app.clock,
        bus=bus,
        budget=budget,
        account=lambda: turn_in(app, stage="judge", agent=f"{reader.name}/{reader.model}"),
    )


def judge_with(
    app: "App", request: JudgeRequest, reader: Reader, *, budget: str | None, bus: EventBus | None
) -> JudgeResult:
    ceiling, events = budget_of(app, budget), bus or EventBus()

    def run(wanted: JobRunRequest) -> JobRunSummary:
        return run_of(app, reader, ceiling, events).work(wanted)

    return judge(request, run=run, follow=follow_ups(app), store=app.store.jobs)
