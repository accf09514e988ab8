"""`cairn reconcile`: a file that went is one that is there."""

from contextlib import closing

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.moving import say_moved


@define(
    "reconcile",
    help="Record that a missing file was renamed, so that its stored data moves with it.",
    examples=(
        ("cairn reconcile docs/old.md --to docs/new.md", "it moved and was rewritten at once"),
        ("cairn reconcile docs/old.md --to docs/new.md -n", "show what would move"),
    ),
    exits=(0, 2, 3, 5),
)
@argument("old", help="Path of the missing file; `cairn orphans` lists them.")
@click.option("--to", "new", required=True, metavar="NEW", help="Path of the file now.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would happen, and change nothing.")
def command(ctx: Invocation, old: str, new: str, dry_run: bool) -> int:
    from cairn.graph.subgraph import node_called, path_called
    from cairn.workspace.record_moves import reconcile

    with closing(ctx.app()) as app:
        store = app.scanned_store()
        gone = {orphan.path for orphan in store.orphans()}
        target = node_called(store, new, root=app.root, here=ctx.directory).path
        source = path_called(old, gone.__contains__, root=app.root, here=ctx.directory)
        moved, warnings = reconcile(app, source, target, dry_run=dry_run)
    return say_moved(ctx, moved, warnings, dry_run=dry_run, sentence=f"`{moved.old}` is now `{moved.new}`")
