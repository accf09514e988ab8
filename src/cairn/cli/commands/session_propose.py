"""`cairn session propose` and `cairn session retry`: what sessions teach, as candidates for the curator."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.models import budget_option, timeout_option
from cairn.cli.width import safe

if TYPE_CHECKING:
    from cairn.app.curate.proposing import Proposing, Result, Wanted

provider_option = click.option(
    "--provider", metavar="P", default="rules", help="Who reads: rules (no model), auto, anthropic, deepseek, zai, …"
)


@define(
    "propose",
    help="Look for what is worth keeping in sessions: corrections, rules, decisions, components. What is found becomes "
    "candidates in the log of the session; `cairn curate` makes pages of them. Usually there is nothing. Without ids, "
    "all sessions that wait are looked at. A session is looked at once; when it goes on, only what is new. Ends with 1 "
    "when a session could not be looked at, and with 3 when somebody else was at it.",
    examples=(
        ("cairn session propose --dry-run", "what would be proposed"),
        ("cairn session propose", "look at all sessions that wait"),
        ("cairn session propose 5f1c --provider auto --budget 50k", "one session, by the model that there is"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", nargs=-1, metavar="[ID]...", help="Of sessions; their beginnings will do.")
@provider_option
@budget_option
@timeout_option
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="At most so many sessions.")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed and write nothing.")
def propose_command(
    ctx: Invocation,
    ids: tuple[str, ...],
    provider: str,
    budget: str | None,
    timeout: float,
    most: int | None,
    dry_run: bool,
) -> int:
    from cairn.app.curate.proposing import Wanted

    return _run(ctx, Wanted(ids, False, most, provider, budget, timeout, dry_run))


@define(
    "retry",
    help="Look again at sessions from which nothing could be proposed because that failed, whenever they would be due. "
    "Ends with 1 when it fails again.",
    examples=(
        ("cairn session retry", "all that failed"),
        ("cairn session retry 5f1c", "this one"),
        ("cairn session retry --provider rules", "without a model"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", nargs=-1, metavar="[ID]...", help="Of sessions; their beginnings will do.")
@provider_option
@budget_option
@timeout_option
def retry_command(ctx: Invocation, ids: tuple[str, ...], provider: str, budget: str | None, timeout: float) -> int:
    from cairn.app.curate.proposing import Wanted

    return _run(ctx, Wanted(ids, True, None, provider, budget, timeout))


def _run(ctx: Invocation, wanted: "Wanted") -> int:
    from cairn.app.curate.proposing import propose_sessions, result_value

    with closing(ctx.app()) as app:
        done = propose_sessions(app, wanted)
    if ctx.json:
        results = [result_value(result) for result in done.results]
        ctx.out.emit_json(
            {
                "dryRun": wanted.dry_run,
                "sessions": results,
                "waiting": done.waiting,
                "spent": done.metered.json() if done.metered else None,
            }
        )
    else:
        _tell(ctx, done, wanted)
    return 1 if done.any("failed") else 3 if done.any("busy") else 0


def _tell(ctx: Invocation, done: "Proposing", wanted: "Wanted") -> None:
    for result in done.results:
        ctx.out.data(f"{safe(result.session)}: {_said(result)}")
        for one in result.candidates:
            ctx.out.data(f"  {one.kind:<8}  {safe(one.title)}  ({one.confidence}, {one.taint.word})")
        for remark in result.remarks:
            ctx.out.warn(f"{safe(result.session)}: {safe(remark)}")
    if not done.results:
        ctx.out.say("no session failed" if wanted.failed else "no session waits to be looked at")
    elif any(result.candidates for result in done.results):
        ctx.out.say(
            "nothing was written" if wanted.dry_run else "`cairn curate --dry-run` shows what would become of them"
        )
    if done.waiting:
        ctx.out.say(f"{done.waiting:,} more {'waits' if done.waiting == 1 else 'wait'}")
    if done.metered is not None:
        from cairn.freshness.spending import said

        ctx.out.say(said(done.metered.spent, done.metered.dollars))


_SKIPPED = {
    "abandoned": "it was given up",
    "exploratory": "it only asks or explores",
    "planning": "it only plans",
    "off-project": "it is about something else",
    "empty": "no person speaks in it",
}


def _said(result: "Result") -> str:
    if result.status == "failed":
        return f"failed: {safe(result.error)}"
    if result.status == "skipped":
        return f"nothing to learn from, {_SKIPPED.get(result.error, safe(result.error))}"
    if result.status == "busy":
        return f"left for later: {safe(result.error)}"
    if result.status == "gone":
        return "its log is gone"
    count = len(result.candidates)
    return "nothing worth keeping" if not count else "1 candidate" if count == 1 else f"{count} candidates"
