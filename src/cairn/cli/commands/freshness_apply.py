"""`cairn freshness audit-apply`: a verdict into its entry, as a change request or here."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.diff import print_diff
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.freshness.apply_verdict import AppliedVerdict


@define(
    "audit-apply",
    help="Put a verdict into the entry that it is about: dates, hashes, edition and the edits that it proposes. "
    "Sources are looked at again for their hashes. Without an option, only shows what would change.",
    examples=(
        ("cairn freshness audit-apply rate-limits verdict.json --open-request", "as a change request"),
        ("cairn freshness audit-apply rate-limits verdict.json --apply", "into the working tree"),
        ("cairn freshness audit-apply rate-limits verdict.json --read --apply", "you read what changed"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("entry", help="The page, by path or by name.")
@argument("verdict", help="File that `audit-run-entry --out` wrote.")
@click.option(
    "--open-request", "--open-pr", is_flag=True, help="Open a change request, or bring the open one up to date."
)
@click.option("--apply", "here", is_flag=True, help="Edit the file in the working tree, if no gate blocks it.")
@click.option("--read", is_flag=True, help="Record that you read what changed and that the entry is right.")
@click.option("-n", "--dry-run", is_flag=True, help="Only show what would change; so it is without an option.")
def command(ctx: Invocation, entry: str, verdict: str, read: bool, **given: Any) -> int:
    if sum(given.values()) > 1:
        raise UsageError("Choose one of --open-request, --apply and --dry-run.")
    from cairn.freshness.apply_verdict import How, apply_once, read_by_a_person, read_verdict

    how: How = "request" if given["open_request"] else "here" if given["here"] else "show"
    known = read_verdict(ctx.directory / Path(verdict))
    known = read_by_a_person(known) if read else known
    with closing(ctx.app()) as app:
        run(ctx, app)
        done = apply_once(app, entry, known, here=ctx.directory, how=how)
        if done.written:
            run(ctx, app)  # else `status` would call our own edit a change that nobody scanned
    if ctx.json:
        ctx.out.emit_json(done.json())
    else:
        _for_people(ctx, done)
    return 1 if done.held else 0


def _for_people(ctx: Invocation, done: "AppliedVerdict") -> None:
    print_diff(ctx.out, done.diff)
    for note in done.outcome.notes:
        ctx.out.say(f"note: {safe(note)}")
    for ruling in done.rulings:
        if ruling.level.value:
            ctx.out.say(f"{ruling.level.word}: {ruling.gate}: {safe(ruling.reason)}")
    ctx.out.say(safe(done.said))
