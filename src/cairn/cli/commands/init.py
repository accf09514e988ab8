"""`cairn init`: make a workspace here."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.scan import print_report, run, scan_json
from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.picking import ask_provider
from cairn.cli.width import safe
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App


@define(
    "init",
    help="Make a Cairn workspace in this folder: settings, a database, and a first scan. Shows what it writes; "
    "doing it again changes nothing.",
    examples=(
        ("cairn init", "in the root of your repository"),
        ("cairn init --dry-run", "only show what would be written"),
        ("cairn init --no-scan", "scan later"),
    ),
    exits=(0, 2),
)
@click.option("--no-scan", is_flag=True, help="Don't scan yet.")
@click.option("--force", is_flag=True, help="Choose the agent host anew.")
@click.option("--strict", is_flag=True, help="Problems of frontmatter are errors, here and from now on.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(ctx: Invocation, no_scan: bool, force: bool, strict: bool, dry_run: bool) -> int:
    from cairn.app.workspace.initialising import Wishes, initialise

    root = ctx.directory.resolve()
    if not root.is_dir():
        raise UsageError(f"there is no folder {ctx.directory}; check the path given to -C")
    wishes = Wishes(strict=strict, force=force, dry_run=dry_run)
    made = initialise(root, wishes, env=ctx.env, ask=ask_provider(ctx))
    if not ctx.json:
        _tell(ctx, made)
    scanned = None
    if not no_scan and not dry_run:
        scanned = _first_scan(ctx, root, made.choice.active)
    if ctx.json:
        ctx.out.emit_json({**made.json(), "scan": scanned})
    return 0


def _tell(ctx: Invocation, made: Any) -> None:
    out = ctx.out
    out.table([[step.action, step.path, step.what] for step in made.steps])
    active = made.choice.active
    others = [id for id in made.choice.found if id != active]
    if active:
        out.data(f"agent host: {active}" + (f" (also found: {', '.join(others)})" if others else ""))
    else:
        out.data("No agent configuration found (.claude, .codex, .cursor, AGENTS.md).")
    for corpus in made.corpora:
        out.data(f"knowledge: {safe(corpus.root or '.')}/ (layout {corpus.layout})")
    shared = ".cairn/settings.json, .cairn/plugins/, .cairn/conflicts/"
    out.say(f"committed: {shared} — everything else below .cairn/ stays on this machine")
    for note in made.notes:
        out.say(note)


def _first_scan(ctx: Invocation, root: Path, active: str | None) -> dict[str, Any] | None:
    with closing(ctx.app(root=root)) as app:
        scanned = run(ctx, app, active=active, checked=True)
        if ctx.json:
            return scan_json(app, scanned, graph=False)
        print_report(ctx, scanned)
        ctx.out.say("next: `cairn check` says what is wrong, `cairn graph --format html -o map.html` draws it")
        _tell_memory(ctx, app)
    return None


def _tell_memory(ctx: Invocation, app: "App") -> None:
    """By their names: what is in them is read when somebody wants it."""
    from cairn.app.curate.importing import places

    found = [place.path for place in places(app)]
    if found:
        told = f"{safe(found[0])} and {len(found) - 1} more tell" if len(found) > 1 else f"{safe(found[0])} tells"
        ctx.out.say(f"{told} agents what to remember; `cairn import` shows what could become pages")
