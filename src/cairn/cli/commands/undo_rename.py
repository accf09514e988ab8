"""`cairn undo-rename`: one file did not become another after all."""

from contextlib import closing

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.moving import say_moved


@define(
    "undo-rename",
    help="Undo a recorded rename. Stored data goes back to the old path, which is an orphan again.",
    examples=(
        ("cairn undo-rename docs/new.md", "the scan guessed wrong"),
        ("cairn undo-rename docs/new.md --from docs/old.md", "when several files became this one"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("new", help="New path of the recorded rename.")
@click.option("--from", "old", metavar="OLD", help="Old path, if several were recorded.")
@click.option("--force", is_flag=True, help="Also when there is a document at the old path again.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would happen, and change nothing.")
def command(ctx: Invocation, new: str, old: str | None, force: bool, dry_run: bool) -> int:
    from cairn.graph.subgraph import path_called
    from cairn.workspace.record_moves import undo_rename

    with closing(ctx.app()) as app:
        renames = app.scanned_store().renames()
        here = {"root": app.root, "here": ctx.directory}
        target = path_called(new, {rename.new for rename in renames}.__contains__, **here)
        source = None if old is None else path_called(old, {rename.old for rename in renames}.__contains__, **here)
        moved, warnings = undo_rename(app, target, source, force=force, dry_run=dry_run)
    sentence = f"`{moved.old}` is not `{moved.new}` any more"
    return say_moved(ctx, moved, warnings, dry_run=dry_run, sentence=sentence)
