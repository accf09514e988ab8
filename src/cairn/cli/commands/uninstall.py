"""`cairn uninstall`: remove the workspace."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation, confirmed
from cairn.cli.output import safe
from cairn.errors import CairnError, Refused

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.changes.lock_files import LockFileRemoval
    from cairn.workspace.workflows.install import WorkflowRemoval


@define(
    "uninstall",
    help="Remove the workspace from this repository: the folder .cairn with everything in it, the lock files of plain "
    "corpora, their line in .gitattributes, hooks in settings of agents, workflows that nobody edited, change requests "
    "with their branches, and what the state directory of this user knows about this repository. Pages stay, with the "
    "stamps that people put into them.",
    examples=(
        ("cairn uninstall --dry-run", "list the files that would be removed"),
        ("cairn uninstall --yes", "without asking"),
    ),
    exits=(0, 1, 2),
)
@click.option("--yes", is_flag=True, help="Skip the question.")
@click.option("-n", "--dry-run", is_flag=True, help="List the files that would be removed, and remove nothing.")
def command(ctx: Invocation, yes: bool, dry_run: bool) -> int:
    from cairn.app.open_workspace import open_with_defaults
    from cairn.changes.lock_files import take_along
    from cairn.workspace.init import belongings, remove
    from cairn.workspace.leftovers import (
        drop_hooks,
        drop_user_files,
        hooks_left,
        refs_left,
    )
    from cairn.workspace.workflows.install import take_along as take_workflows

    root = ctx.root()
    app = open_with_defaults(root, env=ctx.env)
    hooks, kept = hooks_left(root)
    for sentence in kept:
        ctx.out.warn(safe(sentence))
    left, names, refs = _left(ctx), belongings(root), refs_left(app)
    touched = [change.path for change in hooks]
    workflows = _workflows(ctx, app)
    gone = (*left.removed, *workflows.ours, *app.user_files.names())
    if dry_run:
        return _listed(ctx, left, gone, names, refs, touched, removed=False)
    if not ctx.json:
        ctx.out.say(f"{root}/.cairn would be removed: {len(names) - 1} files and folders, including stored state")
        if gone or left.edited:
            ctx.out.say(f"so would {safe(', '.join((*gone, *(f'a line of {e}' for e in left.edited))))}")
        if touched:
            ctx.out.say(f"so would what we put into {safe(', '.join(touched))}")
        if refs:
            ctx.out.say(f"so would {len(refs)} refs of git: change requests, their branches, kept state")
    if not confirmed(ctx, "Remove them?", yes=yes):
        raise Refused("Nothing was removed; add --yes to remove it, or --dry-run to list the files.")
    take_along(root, left)
    drop_hooks(root, hooks)
    take_workflows(workflows)
    app.own_refs.leave()
    stays = drop_user_files(app)
    remove(root, names, tell=lambda name: ctx.out.detail(f"removed {name}"))
    _listed(ctx, left, gone, names, refs, touched, removed=True)
    if stays:
        ctx.out.say(safe(stays))
    return 0


def _workflows(ctx: Invocation, app: "App") -> "WorkflowRemoval":
    """`app` has default settings: where these files are does not depend on those of the workspace."""
    from cairn.workspace.workflows.install import left_behind

    left = left_behind(app)
    for path in left.edited:
        ctx.out.warn(f"{path} was edited, so it stays; remove it yourself")
    return left


def _left(ctx: Invocation) -> "LockFileRemoval":
    """Settings that cannot be read must not keep anybody from leaving; then lock files stay."""
    from cairn.changes.lock_files import LockFileRemoval, left_behind

    try:
        with closing(ctx.app()) as app:
            return left_behind(app)
    except CairnError as error:
        ctx.out.warn(f"lock files of plain corpora stay, if there are any: {safe(error.message)}")
        return LockFileRemoval()


def _listed(
    ctx: Invocation,
    left: "LockFileRemoval",
    gone: Sequence[str],
    names: list[str],
    refs: list[str],
    hooks: list[str],
    *,
    removed: bool,
) -> int:
    if ctx.json:
        paths = [*gone, *names]
        ctx.out.emit_json({"removed": removed, "paths": paths, "edited": [*left.edited, *hooks], "refs": refs})
    elif removed:
        also = "".join(f", {safe(path)}" for path in gone) + "".join(f", a line of {e}" for e in left.edited)
        also += f", hooks in {safe(', '.join(hooks))}" if hooks else ""
        also += f", {len(refs)} refs of git" if refs else ""
        ctx.out.data(f"removed .cairn with {len(names) - 1} files and folders{also}")
    else:
        hooks_shown = [f"{path} (what we put into it)" for path in hooks]
        for name in (*gone, *(f"{path} (one line)" for path in left.edited), *hooks_shown, *names, *refs):
            ctx.out.data(safe(name))
    return 0
