"""`cairn orphans`: files that went."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.paging import Page, paged, say_more
from cairn.errors import UsageError
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.ports.graph import Orphan


@define(
    "orphans",
    help="List deleted files that still have stored data. If one was renamed, record that with `cairn reconcile`; "
    "otherwise delete its data with --forget.",
    examples=(
        ("cairn orphans", "deleted files with stored data"),
        ("cairn orphans --forget docs/old.md docs/older.md", "these are gone for good"),
        ("cairn orphans --forget-all --dry-run", "what would be forgotten"),
    ),
    exits=(0, 2, 5),
)
@argument("paths", nargs=-1, help="Only these.")
@click.option("--forget", is_flag=True, help="Delete the stored data of PATHS.")
@click.option("--forget-all", is_flag=True, help="Delete the stored data of all of them.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be deleted, and change nothing.")
@paged
def command(ctx: Invocation, paths: tuple[str, ...], forget: bool, forget_all: bool, dry_run: bool, **page: Any) -> int:
    from cairn.graph.moved_files import orphans_at

    _check_usage(paths, forget, forget_all, dry_run)
    with closing(ctx.app(reads=True)) as app:
        store = app.scanned_store()
        wanted = _spelled(ctx, app, paths, store.orphans())
        if forget or forget_all:
            return _forget(ctx, app, wanted, all=forget_all, dry_run=dry_run)
        return _show(ctx, orphans_at(store, wanted), Page(**page))


def _check_usage(paths: tuple[str, ...], forget: bool, forget_all: bool, dry_run: bool) -> None:
    if forget_all and paths:
        raise UsageError("Name paths with --forget, or say --forget-all, not both.")
    if forget and not paths and not forget_all:
        raise UsageError("Name what to forget, or say --forget-all.")
    if dry_run and not forget and not forget_all:
        raise UsageError("--dry-run goes with --forget or --forget-all.")


def _spelled(ctx: Invocation, app: "App", paths: tuple[str, ...], orphans: Sequence["Orphan"]) -> tuple[str, ...]:
    from cairn.graph.subgraph import path_called

    known = {orphan.path for orphan in orphans}.__contains__
    return tuple(path_called(path, known, root=app.root, here=ctx.directory) for path in paths)


def _forget(ctx: Invocation, app: "App", paths: tuple[str, ...], *, all: bool, dry_run: bool) -> int:
    from cairn.workspace.record_moves import forget

    gone, warnings = forget(app, paths, all=all, dry_run=dry_run)
    for warning in warnings:
        ctx.out.warn(warning)
    if ctx.json:
        ctx.out.emit_json({"forgotten": list(gone), "dryRun": dry_run})
        return 0
    for path in gone:
        ctx.out.data(safe(path))
    ctx.out.say(f"{len(gone):,} {'would be ' if dry_run else ''}forgotten" if gone else "there is nothing to forget")
    return 0


def _show(ctx: Invocation, orphans: Sequence["Orphan"], part: Page) -> int:
    shown, more = part.of(ctx, orphans)
    if ctx.json:
        ctx.out.emit_json({"orphans": [_json(orphan) for orphan in shown], "more": more})
        return 0
    rows = [[safe(o.path), iso_utc(o.since_ms)[:16].replace("T", " "), str(o.kept)] for o in shown]
    ctx.out.table(rows, header=("path", "gone since (UTC)", "kept facts"))
    say_more(ctx, more, part.offset + len(shown))
    if not orphans:
        ctx.out.say("there are no orphans")
    return 0


def _json(orphan: "Orphan") -> dict[str, Any]:
    return {"path": orphan.path, "since": iso_utc(orphan.since_ms), "keptFacts": orphan.kept}
