"""`cairn curate`: makes pages of candidates, as a change that a person reviews."""

from contextlib import closing

import click

from cairn.cli.arguments import budget_option
from cairn.cli.curated import tell_curated, tell_unread
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.readers import questions_waiting, renamed_provider


@define(
    "curate",
    help="Learn from sessions and notes: ask a reader what each session taught, then what becomes of each "
    "candidate: a new page, an edit of a page, a conflict for a person, or nothing. With --with the reader "
    "answers right away; without it the answers that exist are used, and the questions that are missing wait "
    "for `cairn judge` or your agent. What a person explicitly asked to keep needs no reader: it is kept word "
    "for word, dropped if a page states it, and a conflict if a page states another value. Pages go into one "
    "change request, which later runs extend while it is open; --apply writes them into the work tree instead. "
    "Ends with 1 when a candidate failed or has to wait for a person.",
    examples=(
        ("cairn curate --dry-run", "what would become of each, and why"),
        ("cairn curate", "use the answers that exist, and ask what is missing"),
        ("cairn curate --with anthropic --budget 200k", "have a reader answer now, within a ceiling"),
    ),
    exits=(0, 1, 2, 3),
)
@click.option("--dry-run", is_flag=True, help="Only print the plan.")
@click.option("--apply", "here", is_flag=True, help="Edit the pages in the work tree; no request.")
@click.option("--retry-failed", is_flag=True, help="Only candidates that failed before.")
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="Of at most so many sessions, and notes.")
@with_option
@model_option
@budget_option
@renamed_provider
def command(
    ctx: Invocation,
    dry_run: bool,
    here: bool,
    retry_failed: bool,
    most: int | None,
    reader: str | None,
    model: str | None,
    budget: str | None,
) -> int:
    from cairn.curate.curate import CurateOptions
    from cairn.curate.curate_sessions import curate_sessions
    from cairn.curate.propose import unread_sessions
    from cairn.curate.report import curated_value
    from cairn.jobs.spent import is_stopped, spent_value

    wanted = CurateOptions("here" if here else "request", dry_run, retry_failed, most)
    with closing(ctx.app()) as app:
        done = curate_sessions(app, wanted, reading_now(ctx, app, reader, model=model, budget=budget))
        unread, waiting = unread_sessions(app), questions_waiting(app)
    if ctx.json:
        value = curated_value(done.curated, dry_run=dry_run)
        ctx.out.emit_json({**value, "unread": unread.waiting + unread.failed, "spent": spent_value(done.spent)})
    else:
        tell_curated(ctx, done.curated, dry_run=dry_run, again=retry_failed)
        tell_read(ctx, done.spent, named=reader is not None)
        tell_unread(ctx, unread, waiting)
    return int(done.curated.left or is_stopped(done.spent))
