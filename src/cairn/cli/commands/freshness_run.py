"""`cairn freshness run`: the whole night at once."""

from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.save_output import append_job_summary
from cairn.cli.scan_run import run

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.freshness.run_plan import FreshnessRunSummary
    from cairn.freshness.sync_state import StateSync


@define(
    "run",
    help="Look at every source, audit the entries that are due, and open change requests for what follows: one for "
    "each change of a source, and one for all confirmations. What fails, or can't be read, is named, and stays in the "
    "queue; the run then ends with 1. After a kill, run it again: nothing is done twice. While another run is under "
    "way it ends with 3.",
    examples=(
        ("cairn freshness run", "everything that is due, with the default auditor"),
        ("cairn freshness run --category security --dry-run", "what would be asked for; changes nothing"),
        ("cairn freshness run retries --provider auto --budget 20k", "one entry, due or not, by a model"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("entries", nargs=-1, metavar="[ENTRY]...", help="Only these, due or not, by name or path.")
@click.option("--category", "categories", multiple=True, metavar="C", help="Only entries of this category; repeat it.")
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=1),
    help="At most so many audits by a model, and so many requests, a day; else `freshness.max_per_run`.",
)
@click.option("--provider", metavar="P", help="Who judges: extractive, auto, anthropic, deepseek, zai, …")
@budget_option
@click.option("--timeout", type=click.IntRange(min=1), default=600, help="Seconds that a model may take for an entry.")
@click.option("--push-state", is_flag=True, help="Take in refs/cairn/state of origin first, and push it in the end.")
@click.option("-n", "--dry-run", is_flag=True, help="Look and judge, but open nothing and keep nothing.")
def command(ctx: Invocation, most: int | None, provider: str | None, dry_run: bool, **given: Any) -> int:
    from cairn.freshness.job_summary import night_page
    from cairn.freshness.run import only_one, prepare, run_night
    from cairn.freshness.select_entries import entries_meant
    from cairn.freshness.sync_state import come_home, set_out

    state = "push" if given["push_state"] else None
    app = ctx.app({"freshness.max_per_run": most, "freshness.provider": provider, "freshness.state": state})
    if dry_run:
        from cairn.app.rehearsal import Rehearsal

        app = Rehearsal(app)
    with closing(app):
        prepared = prepare(app, budget=given["budget"], timeout=given["timeout"])
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
    append_job_summary(ctx, night_page(summary, journey))
    if ctx.json:
        ctx.out.emit_json({**summary.json(), "state": journey.json()})
    else:
        _for_people(ctx, summary, journey)
    return 1 if summary.failed or summary.unread or summary.offline or journey.problem else 0


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
    if summary.spent:
        ctx.out.say(summary.spent)
    if summary.allowed:
        ctx.out.say(f"CAIRN_FETCH_ALLOW also allows {', '.join(summary.allowed)}")
    for line in journey.lines():
        ctx.out.say(line)
    if journey.problem:
        ctx.out.warn(f"what is known now did not get to other clones: {safe(journey.problem)}")
    if summary.opened and not summary.dry_run:
        ctx.out.say("look at them with `cairn change list`")
