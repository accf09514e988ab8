"""`cairn uninstall`: take the workspace away again."""

from typing import Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.picking import confirmed
from cairn.errors import Refused


@define(
    "uninstall",
    help="Remove the workspace from this repository: the folder .cairn with everything in it. Nothing else was ever "
    "written, so the tree is as it was before `cairn init`.",
    examples=(
        ("cairn uninstall --dry-run", "list what would go"),
        ("cairn uninstall --yes", "without asking"),
    ),
    exits=(0, 1, 2),
)
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("-n", "--dry-run", is_flag=True, help="List what would go, and remove nothing.")
def command(ctx: Invocation, yes: bool, dry_run: bool) -> int:
    from cairn.workspace.install import belongings, remove

    root = ctx.root()
    names = belongings(root)
    if dry_run:
        return _listed(ctx, names, removed=False)
    if not ctx.json:
        ctx.out.say(f"{len(names)} files and folders below {root}/.cairn would go, kept state among them")
    if not confirmed(ctx, "Remove them?", yes=yes):
        raise Refused("Nothing was removed; say --yes to go ahead, or --dry-run to see the list.")
    remove(root, names, tell=lambda name: ctx.out.detail(f"removed {name}"))
    return _listed(ctx, names, removed=True)


def _listed(ctx: Invocation, names: list[str], *, removed: bool) -> int:
    if ctx.json:
        body: dict[str, Any] = {"removed": removed, "paths": names}
        ctx.out.emit_json(body)
    elif removed:
        ctx.out.data(f"removed .cairn with {len(names) - 1} files and folders")
    else:
        for name in names:
            ctx.out.data(name)
    return 0
