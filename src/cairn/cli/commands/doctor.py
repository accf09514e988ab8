"""`cairn doctor`: is everything in order?"""

from contextlib import closing

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.width import safe
from cairn.errors import ConfigError


@define(
    "doctor",
    help="Check settings, git, database, ledger and plugins, and say what to do about what is wrong. "
    "Ends with 1 when something does not work. Changes nothing.",
    examples=(
        ("cairn doctor", "before you ask for help"),
        ("cairn doctor --json", "for a program"),
    ),
    exits=(0, 1, 2),
)
def command(ctx: Invocation) -> int:
    from cairn.app.doctor import State, examine, examine_without_settings

    root = ctx.root()
    try:
        app = ctx.app(root=root)
    except ConfigError as error:
        findings = examine_without_settings(root, error, env=ctx.env)
    else:
        with closing(app):
            findings = examine(app)
    worst = any(finding.state == State.ERROR for finding in findings)
    if ctx.json:
        rows = [
            {"check": f.check, "state": str(f.state), "message": f.message, **({"fix": f.fix} if f.fix else {})}
            for f in findings
        ]
        ctx.out.emit_json({"ok": not worst, "findings": rows})
        return int(worst)
    colors = {State.OK: "green", State.WARN: "yellow", State.ERROR: "red"}
    for finding in findings:
        mark = ctx.out.style(f"{finding.state:<5}", colors[finding.state])
        fix = f" — {finding.fix}" if finding.fix else ""
        ctx.out.data(f"{mark}  {finding.check:<10}{safe(finding.message)}{fix}")
    return int(worst)
