"""`cairn init`: creates a workspace here."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation, ask_provider
from cairn.cli.output import safe
from cairn.cli.scan_run import print_report, run, scan_json
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App

_FLAGGED_SHOWN = 3


@define(
    "init",
    help="Create a workspace in this folder: settings, a database, and a first scan. Shows what it writes; running it "
    "again changes nothing.",
    examples=(
        ("cairn init", "in the root of your repository"),
        ("cairn init --dry-run", "only show what would be written"),
        ("cairn init --no-scan", "scan later"),
    ),
    exits=(0, 2),
)
@click.option("--no-scan", is_flag=True, help="Skip the first scan.")
@click.option("--force", is_flag=True, help="Choose the agent host again.")
@click.option("--strict", is_flag=True, help="Treat problems in frontmatter as errors, now and later.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(ctx: Invocation, no_scan: bool, force: bool, strict: bool, dry_run: bool) -> int:
    from cairn.app.open_workspace import open_before_init, outer_workspace
    from cairn.workspace.init import InitOptions, initialise

    root = ctx.directory.resolve()
    if not root.is_dir():
        raise UsageError(f"there is no folder {ctx.directory}; check the path given to -C")
    wishes = InitOptions(strict=strict, force=force, dry_run=dry_run)
    with closing(open_before_init(root, env=ctx.env)) as app:
        made = initialise(app, wishes, ask=ask_provider(ctx), outer=outer_workspace(root))
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
    out.data(_host(made.choice.active, [id for id in made.choice.found if id != made.choice.active]))
    for corpus in made.corpora:
        if (made.root / corpus.root).is_dir():
            out.data(f"knowledge: {safe(corpus.root or '.')}/ (layout {corpus.layout})")
    for note in made.notes:
        out.say(note)


def _host(active: str | None, others: list[str]) -> str:
    if active is None and not others:
        return "No agent configuration found (.claude, .codex, .cursor, AGENTS.md)."
    return f"agent host: {active or 'none'}" + (f" (also found: {', '.join(others)})" if others else "")


def _first_scan(ctx: Invocation, root: Path, active: str | None) -> dict[str, Any] | None:
    with closing(ctx.app(root=root)) as app:
        scanned = run(ctx, app, active=active, checked=True)
        if ctx.json:
            return scan_json(app, scanned, graph=False)
        print_report(ctx, scanned)
        ctx.out.say("next: `cairn check` lists the findings, `cairn graph --open` draws the map")
        _tell_memory(ctx, app)
        _tell_unapproved(ctx, app)
    return None


def _tell_unapproved(ctx: Invocation, app: "App") -> None:
    """Pages that came with the repository: no agent is told of them before a person has seen the list."""
    from cairn.knowledge.approve import pages_to_approve

    pages = pages_to_approve(app)
    flagged = [page for page in pages if page.marks and not _is_manual(app, page.path)]
    for page in flagged[:_FLAGGED_SHOWN]:
        ctx.out.warn(f"{safe(page.path)} is flagged ({', '.join(dict.fromkeys(mark.why for mark in page.marks))})")
    if len(flagged) > _FLAGGED_SHOWN:
        ctx.out.warn(f"{len(flagged) - _FLAGGED_SHOWN:,} more are flagged: `cairn approve` lists them first")
    if pages:
        number = "1 page waits" if len(pages) == 1 else f"{len(pages):,} pages wait"
        ctx.out.say(f"{number} for your approval: `cairn approve` lists them, `cairn approve --all` approves them")


def _is_manual(app: "App", path: str) -> bool:
    """Documentation for people. Where it speaks of passwords and installers, that is its subject."""
    from cairn.core.model.knowledge import corpus_of

    corpus = corpus_of(path, app.corpora)
    return corpus is None or corpus.layout == "plain"


def _tell_memory(ctx: Invocation, app: "App") -> None:
    """Names the files; their content is read by `cairn import` only."""
    from cairn.curate.memory import places

    found = [place.path for place in places(app)]
    if found:
        told = f"{safe(found[0])} and {len(found) - 1} more have" if len(found) > 1 else f"{safe(found[0])} has"
        ctx.out.say(f"{told} rules for agents; `cairn import` lists those that could become pages")
