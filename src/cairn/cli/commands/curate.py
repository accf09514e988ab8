"""`cairn curate`: makes pages of candidates, as a change that a person reviews."""

from contextlib import closing

import click

from cairn.cli.arguments import budget_option, timeout_option
from cairn.cli.curated import tell_curated, tell_unread
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.errors import UsageError


@define(
    "curate",
    help="Decide what becomes of every candidate of sessions and notes: a new page, an edit of a page, a conflict for "
    "a person, or nothing. Without a model nothing is edited: an exact duplicate is dropped, another value in the same "
    "words is a conflict, and everything else is a new page. Pages go into one change request, which later runs extend "
    "while it is open; --apply writes them into the work tree instead. Ends with 1 when a candidate failed or has to "
    "wait.",
    examples=(
        ("cairn curate --dry-run", "what would become of each, and why"),
        ("cairn curate", "ask for it, as a change request"),
        ("cairn curate --apply --max 10", "edit the pages here, of ten sessions"),
    ),
    exits=(0, 1, 2, 3),
)
@click.option("--dry-run", is_flag=True, help="Only print the plan.")
@click.option("--apply", "here", is_flag=True, help="Edit the pages in the work tree; no request.")
@click.option("--retry-failed", is_flag=True, help="Only candidates that failed before.")
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="Of at most so many sessions, and notes.")
@click.option(
    "--provider", default="rules", show_default=True, metavar="NAME", help="Who decides: rules (no model), auto, …"
)
@budget_option
@timeout_option
def command(
    ctx: Invocation,
    dry_run: bool,
    here: bool,
    retry_failed: bool,
    most: int | None,
    provider: str,
    budget: str | None,
    timeout: float,
) -> int:
    from cairn.curate.curate import CurateOptions, curate
    from cairn.curate.propose import unread_sessions
    from cairn.curate.report import curated_value

    if budget and provider == "rules":
        raise UsageError("--budget is a ceiling for a model; name one with --provider")
    wanted = CurateOptions("here" if here else "request", dry_run, retry_failed, provider, budget, timeout, most)
    with closing(ctx.app()) as app:
        curated = curate(app, wanted)
        unread = unread_sessions(app)
    if ctx.json:
        ctx.out.emit_json({**curated_value(curated, dry_run=dry_run), "unread": sum(unread)})
    else:
        tell_curated(ctx, curated, dry_run=dry_run, again=retry_failed)
        tell_unread(ctx, unread)
    return int(bool(curated.plan.failures or curated.waiting))
