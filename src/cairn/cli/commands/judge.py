"""`cairn judge`: has the questions that wait answered by an agent or a model."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import judge_now, judged_value, judged_words, model_option, with_option
from cairn.cli.output import safe
from cairn.core.model_budget import ceiling_of
from cairn.errors import EnvironmentProblem, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.ports.jobs import JobsWaiting
    from cairn.jobs.action import JobAction


@define(
    "judge",
    help="Have the questions that wait answered by a reader, and use the answers: lessons of sessions, changed "
    "sources, sentences in doubt. A reader sees nothing but the question: it has no tools and works in an empty "
    "folder. Stopped at any time, nothing is lost and nothing is asked twice. Ends with 1 when a question failed, or "
    "when it ended early.",
    examples=(
        ("cairn judge --dry-run", "how many questions of which kind wait, and what they cost"),
        ("cairn judge --check", "which reader there is, and whether it answers"),
        ("cairn judge --with claude --budget 500k", "everything that waits, within a ceiling for the day"),
    ),
    exits=(0, 1, 2, 5),
)
@with_option
@model_option
@budget_option
@click.option(
    "--only", multiple=True, metavar="QUESTION", help="Only this kind; review-security reads unapproved pages."
)
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="At most so many questions.")
@click.option("--dry-run", is_flag=True, help="Only print what waits and what it costs.")
@click.option("--check", is_flag=True, help="Only find the reader, and ask it one small question.")
@click.option("--record", metavar="DIR", help="Keep the answers in a folder, for `--with replay:DIR`.")
def command(
    ctx: Invocation,
    reader: str | None,
    model: str | None,
    budget: str | None,
    only: tuple[str, ...],
    most: int | None,
    dry_run: bool,
    check: bool,
    record: str | None,
) -> int:
    if dry_run and check:
        raise UsageError("Give --dry-run or --check, not both.")
    ceiling_of(budget)
    with closing(ctx.app(reads=dry_run)) as app:
        from cairn.app.judging import dollars_of
        from cairn.jobs.action import find_action

        actions = app.actions()
        ids = tuple(find_action(name, actions).id for name in only)
        if dry_run:
            return _print_costs(ctx, app, ids)
        _refuse_never(app, reader)
        if check:
            return _check(ctx, app, reader, model)
        _ask_by_name(app, ids)
        folder = None if record is None else Path(ctx.directory, record)
        result = judge_now(ctx, app, reader, model=model, budget=budget, only=ids, most=most, record=folder)
        line, dollars = app.waiting_line(ids), dollars_of(app, result.tokens_in, result.tokens_out)
    if ctx.json:
        ctx.out.emit_json(judged_value(result))
    else:
        for sentence in result.followed:
            ctx.out.data(safe(sentence))
        for said in (line, judged_words(result, dollars)):
            if said:
                ctx.out.say(safe(said))
    if result.stopped:
        ctx.out.warn(safe(result.stopped))
    return int(bool(result.failed or result.stopped))


def _refuse_never(app: "App", reader: str | None) -> None:
    if reader is None and app.settings.text("judge.when") == "never":
        raise EnvironmentProblem("`judge.when` is `never`, so no reader is asked; name one with --with.")


def _ask_by_name(app: "App", only: tuple[str, ...]) -> None:
    """Reviews are asked for only where somebody names them: each reads a whole page."""
    from cairn.workspace.review_pages import REVIEW, ask_reviews

    if REVIEW in only:
        app.update_graph()
        ask_reviews(app)


def _check(ctx: Invocation, app: "App", name: str | None, model: str | None) -> int:
    from cairn.app.judging import reader_of
    from cairn.jobs.check_reader import check_reader

    chosen = reader_of(app, name, model)
    found = check_reader(chosen.reader)
    if ctx.json:
        said = {"reader": chosen.reader.name, "model": found.model or chosen.reader.model, "found": chosen.why}
        ctx.out.emit_json({**said, "works": found.works, "message": found.message})
    else:
        ctx.out.data(safe(f"{chosen.reader.name} ({chosen.why}), model {found.model or chosen.reader.model}"))
        ctx.out.data(safe(found.message))
    return 0 if found.works else 1


# --- what it costs ----------------------------------------------------------------------------------------------------


def _print_costs(ctx: Invocation, app: "App", only: tuple[str, ...]) -> int:
    from cairn.app.judging import dollars_of

    actions = app.actions()
    rows = [_cost(one, actions.get(one.action_id)) for one in app.store.jobs.waiting()]
    rows = [row for row in rows if not only or row["question"] in only]
    total = {key: sum(row[key] for row in rows) for key in ("count", "tokensIn", "tokensOut")}
    counts = app.waiting_counts()
    unasked = sum(count for id, count in counts.items() if not only or id in only) - total["count"]
    dollars = dollars_of(app, total["tokensIn"], total["tokensOut"])
    if ctx.json:
        ctx.out.emit_json({"questions": rows, **total, "dollars": dollars, "unasked": unasked})
        return 0
    ctx.out.table([_row(row) for row in rows], header=("question", "waiting", "tokens read", "written"))
    money = "" if dollars is None else f", about ${dollars:.2f}"
    read, written = f"{total['tokensIn']:,} tokens to read", f"{total['tokensOut']:,} to write"
    ctx.out.say(f"{total['count']:,} questions: about {read} and {written}{money}; nothing was asked")
    if unasked:
        things = "1 session has" if unasked == 1 else f"{unasked:,} sessions have"
        ctx.out.say(f"{things} no question yet: `cairn session propose` asks, so that the cost is known")
    return 0


def _cost(waiting: "JobsWaiting", action: "JobAction | None") -> dict[str, Any]:
    written = 0 if action is None else action.answer_tokens * waiting.jobs
    return {
        "question": waiting.action_id,
        "count": waiting.jobs,
        "tokensIn": waiting.tokens,
        "tokensOut": written,
    }


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    return safe(row["question"]), f"{row['count']:,}", f"{row['tokensIn']:,}", f"{row['tokensOut']:,}"
