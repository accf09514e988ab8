"""`cairn freshness stamp`: somebody looked, and it is still right."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.diff import diff_lines, print_diff
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import run
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.freshness.mark_reviewed import ReviewedPage, ReviewRecord


@define(
    "stamp",
    help="Record that you read a page and what it relies on, and that it is still right: today becomes its last "
    "review, and its sources in the repository are hashed anew. Sources on the web are left alone.",
    examples=(
        ("cairn freshness stamp docs/client.md", "it is still right"),
        ("cairn freshness stamp docs/client.md --source src/client.py#connect", "only this source was looked at"),
        ("cairn freshness stamp --all-changed --dry-run", "what would be written"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("entries", nargs=-1, metavar="[ENTRY]...", help="Pages, by path or by name.")
@click.option("--source", "sources", multiple=True, metavar="S", help="Only this one, as `path` or `path#anchor`.")
@click.option("--all-changed", is_flag=True, help="Every page with a source in the repository that changed.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and change nothing.")
def command(ctx: Invocation, entries: tuple[str, ...], sources: tuple[str, ...], **given: Any) -> int:
    from cairn.freshness.mark_reviewed import pages_meant, stamp

    _one_choice(entries, sources, all_changed=given["all_changed"])
    with closing(ctx.app()) as app:
        run(ctx, app)
        pages = pages_meant(app, entries, here=ctx.directory, all_changed=given["all_changed"])
        outcome = stamp(app, pages, only=sources, dry_run=given["dry_run"])
        if outcome.pages_changed and not given["dry_run"]:
            run(ctx, app)  # else `status` would call our own edit a change that nobody scanned
    for warning in outcome.warnings:
        ctx.out.warn(safe(warning))
    if ctx.json:
        ctx.out.emit_json(_json(outcome, dry_run=given["dry_run"]))
    else:
        _for_people(ctx, outcome, dry_run=given["dry_run"])
    return 0


def _one_choice(entries: tuple[str, ...], sources: tuple[str, ...], *, all_changed: bool) -> None:
    if bool(entries) == all_changed:
        raise UsageError("Name the pages that you looked at, or give --all-changed.")
    if sources and all_changed:
        raise UsageError("--source goes with the name of a page, not with --all-changed.")


def _json(outcome: "ReviewRecord", *, dry_run: bool) -> dict[str, Any]:
    return {
        "stamped": [_stamped_json(one) for one in outcome.stamped],
        "beside": list(outcome.beside),
        "dryRun": dry_run,
    }


def _stamped_json(one: "ReviewedPage") -> dict[str, Any]:
    return {
        "path": one.document,
        "file": one.file,
        "changed": one.changed,
        "sources": [{"reference": source.reference, "hash": source.hash} for source in one.sources],
        "left": list(one.left),
        "diff": diff_lines(one.file, one.before, one.after),
    }


def _for_people(ctx: Invocation, outcome: "ReviewRecord", *, dry_run: bool) -> None:
    from cairn.changes.lock_files import WHY

    stamped = outcome.stamped
    for one in stamped:
        print_diff(ctx.out, diff_lines(one.file, one.before, one.after))
        if one.left:
            ctx.out.say(f"left alone, since they are on the web: {safe(', '.join(one.left))}")
    if outcome.beside:
        ctx.out.say(WHY)
    changed = sum(one.changed for one in stamped)
    pages = f"{changed:,} page{'' if changed == 1 else 's'}"
    same = f"; {len(stamped) - changed:,} already had today's stamp" if len(stamped) > changed else ""
    ctx.out.say(f"{'would stamp' if dry_run else 'stamped'} {pages}{same}")
