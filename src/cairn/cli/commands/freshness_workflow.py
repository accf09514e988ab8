"""`cairn freshness install-workflow`: the night, the gates and the versions, on GitHub."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.diff import diff_lines, print_diff
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.readers import renamed_provider

if TYPE_CHECKING:
    from cairn.workspace.workflows.install import WorkflowPlan

_DONE = {"create": "created", "keep": "unchanged", "update": "updated", "edited": "replaced", "foreign": "replaced"}
_WOULD = {"create": "create", "keep": "keep", "update": "update", "edited": "replace", "foreign": "replace"}


@define(
    "install-workflow",
    help="Write workflows for GitHub: a nightly run, gates on pull requests that run from the base branch, and a "
    "request for the next version after a merge. Shows the difference first; again, it brings them up to date. Files "
    "that somebody edited stay. `cairn uninstall` takes them away.",
    examples=(
        ("cairn freshness install-workflow --dry-run", "only show what would be written"),
        ("cairn freshness install-workflow --schedule '30 4 * * 1-5'", "on working days, at 4:30 UTC"),
        ("cairn freshness install-workflow --with deepseek", "a reader answers, with a secret of the repository"),
    ),
    exits=(0, 1, 2),
)
@click.option("--schedule", metavar="CRON", help="When the night comes, UTC; `0 9 * * *` if nothing was ever said.")
@click.option("--with", "reader", metavar="NAME", help="Who reads: anthropic, deepseek, zai or openai-compatible.")
@renamed_provider
@click.option("--force", is_flag=True, help="Replace files that somebody edited, or that are not Cairn's.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(ctx: Invocation, schedule: str | None, reader: str | None, force: bool, dry_run: bool) -> int:
    from cairn.workspace.workflows.install import carry_out, plan

    with closing(ctx.app()) as app:
        planned = plan(app, schedule=schedule, reader=reader)
    if not ctx.json:
        for step in planned.steps:
            print_diff(ctx.out, diff_lines(step.path, step.before, step.after))
    written = [] if dry_run else carry_out(planned, force=force)
    if ctx.json:
        ctx.out.emit_json(_json(planned, written=not dry_run))
    else:
        _tell(ctx, planned, dry_run=dry_run, anything=bool(written))
    return 0


def _json(planned: "WorkflowPlan", *, written: bool) -> dict[str, Any]:
    return {
        "written": written,
        "schedule": planned.wanted.schedule,
        "reader": planned.wanted.reader or None,
        "files": [
            {"path": step.path, "state": step.standing, "diff": diff_lines(step.path, step.before, step.after)}
            for step in planned.steps
        ],
    }


def _tell(ctx: Invocation, planned: "WorkflowPlan", *, dry_run: bool, anything: bool) -> None:
    from cairn.workspace.workflows.texts import PATHS, SECRETS

    words = _WOULD if dry_run else _DONE
    ctx.out.table([[words[step.standing], safe(step.path), PATHS[step.path]] for step in planned.steps])
    secrets = [name for _, name in SECRETS[planned.wanted.reader]]
    if secrets:
        ctx.out.say(
            f"the repository needs {', '.join(secrets)}; set them at GitHub, under Settings, Secrets and variables"
        )
    if anything:
        ctx.out.say(
            "commit these, and let Actions open pull requests (Settings, Actions, General); `cairn doctor --ci` looks"
        )
