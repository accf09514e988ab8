"""`cairn session propose` and `cairn session retry`: candidates for the curator, from sessions."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import budget_option
from cairn.cli.curated import tell_unread
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import questions_waiting, renamed_provider

if TYPE_CHECKING:
    from cairn.curate.propose import ProposeOptions, ProposeResult, SessionResult


@define(
    "propose",
    help="Ask what should outlive a session, and keep the answers as candidates in its log; `cairn curate` makes "
    "pages of them. What a person explicitly asked to keep is taken at once, word for word: a turn that opens "
    "with “remember:”, “note for next time:” and the like. With --with a reader answers the rest right away; "
    "without it the questions wait for `cairn judge` or your agent. Without ids, all sessions that wait are "
    "taken; one that goes on is continued where it was left. Ends with 1 when a question got no answer that "
    "counts, and with 3 when another process held a session.",
    examples=(
        ("cairn session propose --dry-run", "what people asked to keep; no question is asked"),
        ("cairn session propose --with anthropic", "have all sessions read that wait"),
        ("cairn session propose 5f1c --with anthropic --budget 50k", "one session, with a ceiling"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", nargs=-1, metavar="[ID]...", help="Of sessions; their beginnings will do.")
@with_option
@model_option
@budget_option
@renamed_provider
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="At most so many sessions.")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed, write nothing and ask nothing.")
def propose_command(
    ctx: Invocation,
    ids: tuple[str, ...],
    reader: str | None,
    model: str | None,
    budget: str | None,
    most: int | None,
    dry_run: bool,
) -> int:
    from cairn.curate.propose import ProposeOptions

    return _run(ctx, ProposeOptions(ids, False, most, dry_run), reader, model, budget)


@define(
    "retry",
    help="Ask again about sessions whose question got no answer that counts, without waiting until they are due. "
    "Ends with 1 when that fails again.",
    examples=(
        ("cairn session retry", "all that failed"),
        ("cairn session retry 5f1c --with anthropic", "this one, and read it now"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("ids", nargs=-1, metavar="[ID]...", help="Of sessions; their beginnings will do.")
@with_option
@model_option
@budget_option
@renamed_provider
def retry_command(
    ctx: Invocation, ids: tuple[str, ...], reader: str | None, model: str | None, budget: str | None
) -> int:
    from cairn.curate.propose import ProposeOptions

    return _run(ctx, ProposeOptions(ids, True), reader, model, budget)


def _run(ctx: Invocation, wanted: "ProposeOptions", reader: str | None, model: str | None, budget: str | None) -> int:
    from cairn.curate.curate_sessions import learn
    from cairn.curate.propose import result_value
    from cairn.jobs.spent import is_stopped, spent_value

    with closing(ctx.app()) as app:
        learned = learn(app, wanted, reading_now(ctx, app, reader, model=model, budget=budget))
        waiting = questions_waiting(app)
    done = learned.proposed
    if ctx.json:
        results = [result_value(result) for result in done.results]
        ctx.out.emit_json(
            {
                "dryRun": wanted.dry_run,
                "sessions": results,
                "waiting": done.later,
                "unread": done.unread.waiting + done.unread.failed,
                "spent": spent_value(learned.spent),
            }
        )
    else:
        _tell(ctx, done, wanted)
        tell_read(ctx, learned.spent, named=reader is not None)
        tell_unread(ctx, done.unread, waiting)
    return 1 if done.any("failed") or is_stopped(learned.spent) else 3 if done.any("busy") else 0


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
    if done.later:
        ctx.out.say(f"{done.later:,} more {'waits' if done.later == 1 else 'wait'}")


def _said(result: "SessionResult") -> str:
    if result.status == "failed":
        return f"failed: {safe(result.error)}"
    if result.status == "busy":
        return f"left for later: {safe(result.error)}"
    if result.status == "gone":
        return "its log is gone"
    count = len(result.candidates)
    return "no new candidates" if not count else "1 candidate" if count == 1 else f"{count} candidates"
