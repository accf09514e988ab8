"""`cairn session propose` and `cairn session retry`: candidates for the curator, from sessions."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import budget_option, timeout_option
from cairn.cli.curated import tell_unread
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.curate.propose import ProposeOptions, ProposeResult, SessionResult

provider_option = click.option(
    "--provider",
    metavar="P",
    default="rules",
    help="Who reads: rules (no model, explicit cues only), auto, anthropic, deepseek, zai, …",
)


@define(
    "propose",
    help="Propose what should outlive a session, as candidates in its log; `cairn curate` makes pages of them. Without "
    "a model, only what a person explicitly asked to keep is taken, word for word: a turn that opens with “remember:”, "
    "“note for next time:” and the like. Everything else waits until a model has read the session. Without ids, all "
    "sessions that wait are taken; one that goes on is continued where it was left. Ends with 1 when a model gave no "
    "answer, and with 3 when another process held a session.",
    examples=(
        ("cairn session propose --dry-run", "what people asked to keep"),
        ("cairn session propose --provider auto", "let the configured model read all sessions that wait"),
        ("cairn session propose 5f1c --provider auto --budget 50k", "one session, with a ceiling"),
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
    from cairn.curate.propose import ProposeOptions

    return _run(ctx, ProposeOptions(ids, False, most, provider, budget, timeout, dry_run))


@define(
    "retry",
    help="Let a model read the sessions again that it failed to read, without waiting until they are due. Ends with 1 "
    "when it fails again.",
    examples=(
        ("cairn session retry --provider auto", "all that failed"),
        ("cairn session retry 5f1c --provider auto", "this one"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", nargs=-1, metavar="[ID]...", help="Of sessions; their beginnings will do.")
@provider_option
@budget_option
@timeout_option
def retry_command(ctx: Invocation, ids: tuple[str, ...], provider: str, budget: str | None, timeout: float) -> int:
    from cairn.curate.propose import DEFAULT_PROVIDER, ProposeOptions

    if provider == DEFAULT_PROVIDER:
        raise UsageError("Only a model can fail to read a session; name one, such as --provider auto.")
    return _run(ctx, ProposeOptions(ids, True, None, provider, budget, timeout))


def _run(ctx: Invocation, wanted: "ProposeOptions") -> int:
    from cairn.curate.propose import propose_sessions, result_value

    with closing(ctx.app()) as app:
        done = propose_sessions(app, wanted)
    if ctx.json:
        results = [result_value(result) for result in done.results]
        ctx.out.emit_json(
            {
                "dryRun": wanted.dry_run,
                "sessions": results,
                "waiting": done.waiting,
                "unread": sum(done.unread),
                "spent": done.metered.json() if done.metered else None,
            }
        )
    else:
        _tell(ctx, done, wanted)
    return 1 if done.any("failed") else 3 if done.any("busy") else 0


def _tell(ctx: Invocation, done: "ProposeResult", wanted: "ProposeOptions") -> None:
    for result in done.results:
        if result.candidates or result.status not in ("pending", "skipped"):
            ctx.out.data(f"{safe(result.session)}: {_said(result)}")
        for one in result.candidates:
            ctx.out.data(f"  {one.kind:<8}  {safe(one.title)}  ({one.confidence}, {one.taint.word})")
        for remark in result.remarks:
            ctx.out.warn(f"{safe(result.session)}: {safe(remark)}")
    if not any(result.candidates for result in done.results):
        ctx.out.say("no session failed" if wanted.failed and not done.results else "no new candidates")
    else:
        ctx.out.say(
            "nothing was written" if wanted.dry_run else "`cairn curate --dry-run` shows what would become of them"
        )
    if done.waiting:
        ctx.out.say(f"{done.waiting:,} more {'waits' if done.waiting == 1 else 'wait'}")
    if done.metered is not None:
        from cairn.core.model_budget import spending_text

        ctx.out.say(spending_text(done.metered.spent, done.metered.dollars))
    tell_unread(ctx, done.unread)


def _said(result: "SessionResult") -> str:
    if result.status == "failed":
        return f"failed: {safe(result.error)}"
    if result.status == "busy":
        return f"left for later: {safe(result.error)}"
    if result.status == "gone":
        return "its log is gone"
    count = len(result.candidates)
    return "no new candidates" if not count else "1 candidate" if count == 1 else f"{count} candidates"
