"""`cairn context`: what an agent should know before it begins, within a budget."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import from_root
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.scan_run import bring_up_to_date

if TYPE_CHECKING:
    from cairn.retrieve.context import Context

_LARGEST = 50_000


@define(
    "context",
    help="Print what an agent should know before it begins: approved knowledge only, a line a page, ranked for the "
    "branch, the files that are edited and the last commits, within a hard budget of tokens. With --step or --topic: "
    "what was written down for a step of the work. Agents with hooks get the briefing by themselves.",
    examples=(
        ("cairn context", "the briefing for what is being worked on here"),
        ("cairn context --near src/orders.py --budget 400", "for one file, in fewer words"),
        ("cairn context --step review --topic payment", "what is known for a step, page by page"),
    ),
    exits=(0, 2),
)
@click.option(
    "--budget",
    type=click.IntRange(1, _LARGEST),
    metavar="N",
    help="Tokens at most, all of it counted (retrieve.context_budget; five times that for a step).",
)
@click.option("--near", multiple=True, metavar="PATH", help="Ranked for this file; can be given more than once.")
@click.option("--step", metavar="NAME", help="For a step of the work: pages about it, with what they say.")
@click.option(
    "--topic", "topics", multiple=True, metavar="TOPIC", help="Pages about this; can be given more than once."
)
@click.option("--no-scan", is_flag=True, help="As the last scan left it.")
def command(
    ctx: Invocation, budget: int | None, near: tuple[str, ...], step: str | None, topics: tuple[str, ...], no_scan: bool
) -> int:
    from cairn.curate.pending_candidates import CurationReminders
    from cairn.retrieve.context import ContextOptions, context, waiting_note, why_empty

    with closing(ctx.app(reads=True)) as app:
        if not no_scan:
            bring_up_to_date(ctx, app)
        wanted = ContextOptions(budget, tuple(from_root(ctx, app.root, path) for path in near), step, topics)
        found = context(app, wanted, reminders=CurationReminders(app))
        reason = waiting_note(app) if found.text else why_empty(app, found)
    _print(ctx, found, reason)
    return 0


def _print(ctx: Invocation, found: "Context", reason: str) -> None:
    if ctx.json:
        ctx.out.emit_json(found.json())
    elif found.text:
        ctx.out.data(found.text)
    if reason:
        ctx.out.say(reason)
