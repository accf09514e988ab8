"""`cairn freshness run`: the whole night at once."""

from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import renamed_provider
from cairn.cli.save_output import append_job_summary
from cairn.cli.scan_run import run

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.freshness.ask_reader import FirstAudits
    from cairn.freshness.run_plan import FreshnessRunSummary
    from cairn.freshness.sync_state import StateSync


@define(
    "run",
    help="Look at every source, audit the entries that are due, and open change requests for what follows: one for "
    "each change of a source, and one for all confirmations. A value, version, name or path that a source no longer "
    "has is drift; about everything else that changed a reader is asked: with --with it answers right away, without "
    "it the answers that exist are used, and the others wait for `cairn judge` or your agent. What fails, or can't be "
    "read, is named, and stays in the queue; the run then ends with 1. After a kill, run it again: nothing is done "
    "twice. While another run is under way it ends with 3.",
    examples=(
        ("cairn freshness run", "everything that is due, with the answers that exist"),
        ("cairn freshness run --category security --dry-run", "what would be asked for; changes nothing"),
        ("cairn freshness run retries --with claude --budget 20k", "one entry, due or not, read now"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("entries", nargs=-1, metavar="[ENTRY]...", help="Only these, due or not, by name or path.")
@click.option("--category", "categories", multiple=True, metavar="C", help="Only entries of this category; repeat it.")
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=1),
    help="Ask readers about so many entries, and open so many requests, a day; else `freshness.max_per_run`.",
)
@with_option
@model_option
@budget_option
@renamed_provider
@click.option("-y", "--yes", is_flag=True, help="Don't ask before whole sources are read for the first time.")
@click.option("--push-state", is_flag=True, help="Take in refs/cairn/state of origin first, and push it in the end.")
@click.option("-n", "--dry-run", is_flag=True, help="Look and judge, but open nothing and keep nothing.")
def command(ctx: Invocation, most: int | None, dry_run: bool, yes: bool, **given: Any) -> int:
    from functools import partial

    from cairn.app.judging import dollars_of
    from cairn.freshness.ask_reader import QUESTIONS
    from cairn.freshness.job_summary import night_page
    from cairn.freshness.run import only_one, prepare, run_night
    from cairn.freshness.select_entries import entries_meant
    from cairn.freshness.sync_state import come_home, set_out
    from cairn.jobs.spent import is_stopped

    state = "push" if given["push_state"] else None
    app = ctx.app({"freshness.max_per_run": most, "freshness.state": state})
    if dry_run:
        from cairn.app.rehearsal import Rehearsal

        app = Rehearsal(app)
    with closing(app):
        reader = reading_now(ctx, app, given["reader"], model=given["model"], budget=given["budget"])
        prepared = prepare(app)
        if reader is not None and not dry_run:
            prepared = prepared._replace(reader=reader, agree=partial(_agree, ctx, app, yes=yes))
        journey = set_out(app, dry_run=dry_run)
        with nullcontext() if dry_run else only_one(app) as hold:
            if hold and hold.before:
                ctx.out.say(f"the run of process {hold.before.pid} ended in the middle; this one goes on from there")
            _scan(ctx, app, dry_run=dry_run)
            progress = ctx.out.progress()
            wanted = entries_meant(app, given["entries"], given["categories"], here=ctx.directory)
            summary = run_night(app, prepared, dry_run=dry_run, wanted=wanted, hold=hold, progress=progress)
            progress.event("night.completed")
            journey = come_home(app, journey, dry_run=dry_run)
        waiting = app.waiting_line(QUESTIONS)
        spent = summary.spent
        dollars = None if spent is None else dollars_of(app, spent.tokens_in, spent.tokens_out)
    append_job_summary(ctx, night_page(summary, journey))
    if ctx.json:
        ctx.out.emit_json({**summary.json(dollars), "state": journey.json()})
    else:
        _for_people(ctx, summary, journey)
        tell_read(ctx, spent, named=prepared.reader is not None)
        if waiting:
            ctx.out.say(waiting)
    return 1 if is_stopped(spent) or summary.failed or summary.unread or summary.offline or journey.problem else 0


def _agree(ctx: Invocation, app: "App", first: "FirstAudits", *, yes: bool) -> bool:
    """The cost is stated before anything is asked, also where nobody has to agree."""
    from cairn.app.judging import dollars_of

    dollars = dollars_of(app, first.cost.reading, first.cost.writing)
    money = "" if dollars is None else f", ${dollars:.2f}"
    entries = "1 entry has" if first.questions == 1 else f"{first.questions:,} entries have"
    ctx.out.say(
        f"{entries} sources that nobody compared before: about {first.cost.reading:,} tokens to read whole and "
        f"{first.cost.writing:,} to write{money}"
    )
    if yes:
        return True
    if ctx.interactive:
        return click.confirm("Read them?", default=True, err=True)
    ctx.out.say("they are not read now; --yes has them read")
    return False


def _scan(ctx: Invocation, app: "App", *, dry_run: bool) -> None:
    if not dry_run:
        run(ctx, app)
        return
    from cairn.graph.run_scan import run_scan

    run_scan(app, app.scan_request(), remember=False)


def _for_people(ctx: Invocation, summary: "FreshnessRunSummary", journey: "StateSync") -> None:
    for line in summary.lines():
        ctx.out.data(safe(line))
    ctx.out.say(summary.totals())
    if summary.allowed:
        ctx.out.say(f"CAIRN_FETCH_ALLOW also allows {', '.join(summary.allowed)}")
    for line in journey.lines():
        ctx.out.say(line)
    if journey.problem:
        ctx.out.warn(f"what is known now did not get to other clones: {safe(journey.problem)}")
    if summary.opened and not summary.dry_run:
        ctx.out.say("look at them with `cairn change list`")
