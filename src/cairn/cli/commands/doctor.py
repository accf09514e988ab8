"""`cairn doctor`: is everything in order?"""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import ConfigError

if TYPE_CHECKING:
    from cairn.core.model.issue import HealthFinding


@define(
    "doctor",
    help="Check settings, git, database, ledger and plugins, and say what to do about what is wrong. "
    "With --ci instead: whether the workflows at GitHub guard what they should. Ends with 1 when something does not "
    "work. Changes nothing.",
    examples=(
        ("cairn doctor", "before you ask for help"),
        ("cairn doctor --ci", "are the workflows pinned, and run from the base branch?"),
        ("cairn doctor --json", "for a program"),
    ),
    exits=(0, 1, 2),
)
@click.option("--ci", "workflows", is_flag=True, help="Look at the workflows that `install-workflow` writes.")
def command(ctx: Invocation, workflows: bool) -> int:
    from cairn.core.model.issue import HealthState

    findings = _workflows(ctx) if workflows else _machine(ctx)
    worst = any(finding.state == HealthState.ERROR for finding in findings)
    if ctx.json:
        rows = [
            {"check": f.check, "state": str(f.state), "message": f.message, **({"fix": f.fix} if f.fix else {})}
            for f in findings
        ]
        ctx.out.emit_json({"ok": not worst, "findings": rows})
        return int(worst)
    colors = {HealthState.OK: "green", HealthState.WARN: "yellow", HealthState.ERROR: "red"}
    for finding in findings:
        mark = ctx.out.style(f"{finding.state:<5}", colors[finding.state])
        fix = f" — {finding.fix}" if finding.fix else ""
        ctx.out.data(f"{mark}  {finding.check:<10}{safe(finding.message)}{fix}")
    return int(worst)


def _machine(ctx: Invocation) -> "list[HealthFinding]":
    from cairn.app.open_workspace import open_with_defaults
    from cairn.workspace.doctor import examine, examine_without_settings

    root = ctx.root()
    try:
        app = ctx.app(root=root)
    except ConfigError as error:
        return examine_without_settings(open_with_defaults(root, env=ctx.env), error)
    with closing(app):
        return examine(app)


def _workflows(ctx: Invocation) -> "list[HealthFinding]":
    from cairn.workspace.workflows.inspect import inspect

    with closing(ctx.app()) as app:
        return inspect(app)
