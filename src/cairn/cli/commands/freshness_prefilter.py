"""`cairn freshness audit-prefilter`: who is audited next."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import run

if TYPE_CHECKING:
    from cairn.freshness.select_entries import EntryChoice


@define(
    "audit-prefilter",
    help="Choose the entries to audit next: overdue, with a changed source, with a newer edition in sight, or never "
    "reviewed. Entries with an open change request, or whose audit failed lately, wait. Nothing is fetched.",
    examples=(
        ("cairn freshness audit-prefilter", "the next ones"),
        ("cairn freshness audit-prefilter --explain", "and why the others are not among them"),
        ("cairn freshness audit-prefilter --max 3 --order seed --json", "the three oldest, for a script"),
    ),
)
@click.option("--max", "most", type=click.IntRange(min=1), help="At most so many; else `freshness.max_per_run`.")
@click.option("--explain", is_flag=True, help="The reason for every entry, taken or not.")
@click.option(
    "--order",
    type=click.Choice(["class", "seed"]),
    default="class",
    help="`class` shares the places between the four reasons to look; `seed` goes by priority alone.",
)
def command(ctx: Invocation, most: int | None, explain: bool, order: Any) -> int:
    from cairn.freshness.select_entries import candidates_json, choose, explained_json

    with closing(ctx.app({"freshness.max_per_run": most}, reads=True)) as app:
        run(ctx, app)
        choices = choose(app, most=app.settings.integer("freshness.max_per_run"), order=order)
    if ctx.json:
        ctx.out.emit_json(explained_json(choices) if explain else candidates_json(choices))
    else:
        _for_people(ctx, choices, explain=explain)
    return 0


def _for_people(ctx: Invocation, choices: "list[EntryChoice]", *, explain: bool) -> None:
    taken = [choice for choice in choices if choice.taken]
    shown = choices if explain else taken
    rows = [["yes" if choice.taken else "no", *_columns(choice)] if explain else _columns(choice) for choice in shown]
    header = (*(("audit",) if explain else ()), "entry", "priority", "why")
    ctx.out.table(rows, header=header)
    waiting = sum(choice.waiting is not None for choice in choices)
    ctx.out.say(f"{len(taken):,} of {len(choices):,} entries; {waiting:,} wait for an audit")


def _columns(choice: "EntryChoice") -> list[str]:
    priority = "" if choice.priority is None else f"{choice.priority}"
    return [safe(choice.entry.path), priority, safe(choice.reason)]
