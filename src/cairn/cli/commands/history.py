"""`cairn history`: jobs that ended, and statistics of them."""

import json
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import since_ms
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cairn.core.ports.jobs import Execution

STATES = ("completed", "failed", "cancelled")


@define(
    "history",
    help="List jobs that ended, newest first; with `stats` count tokens, durations and failures.",
    examples=(
        ("cairn history -n docs/guide.md", "about one document"),
        ("cairn history --status failed --since 7d", "failures of the last week"),
        ("cairn history stats --period week", "tokens and durations by week"),
    ),
    exits=(0, 2, 5),
)
@argument(
    "what", required=False, type=click.Choice(["stats"]), metavar="[stats]", help="Statistics in place of a list."
)
@click.option("-n", "--node", metavar="PATH", help="About this document.")
@click.option("--action", "actions", multiple=True, metavar="ID", help="Of this action; may be repeated.")
@click.option("--status", "states", multiple=True, type=click.Choice(STATES), help="Of this state; may be repeated.")
@click.option("--since", metavar="TIME", help="From then on: a span such as 7d, or a day.")
@click.option("--until", metavar="TIME", help="Before then.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
@click.option(
    "--period", type=click.Choice(["day", "week", "month"]), default="month", show_default=True, help="Of statistics."
)
@click.option(
    "--top", type=click.IntRange(min=0), default=10, show_default=True, metavar="N", help="Documents in statistics."
)
def command(
    ctx: Invocation,
    what: str | None,
    node: str | None,
    actions: tuple[str, ...],
    states: tuple[str, ...],
    since: str | None,
    until: str | None,
    limit: int | None,
    period: Any,
    top: int,
) -> int:
    from cairn.cli.commands.job_work import action_ids
    from cairn.core.ports.jobs import ExecutionFilter
    from cairn.jobs.history import history_stats

    began = time.monotonic()
    with closing(ctx.app(reads=True)) as app:
        now_ms = app.clock.now_ms()
        start = None if since is None else since_ms(since, now_ms=now_ms)
        end = now_ms if until is None else since_ms(until, now_ms=now_ms, option="--until")
        before = None if until is None else end
        wanted = ExecutionFilter(states, action_ids(app, actions, old=True), node or "", start or 0, before, limit)
        rows = app.store.jobs.executions(wanted)
    if what is None:
        return _list(ctx, rows)
    found = history_stats(rows, since_ms=start, until_ms=end, period=period, top=top)
    return _stats(ctx, {**found, "elapsedMs": round((time.monotonic() - began) * 1000)})


def _list(ctx: Invocation, rows: "list[Execution]") -> int:
    from cairn.jobs.model import execution_value

    if ctx.json:
        reports = [None if row.report_json is None else json.loads(row.report_json) for row in rows]
        ctx.out.emit_json([execution_value(row, report) for row, report in zip(rows, reports, strict=True)])
        return 0
    ctx.out.table([_row(row) for row in rows], header=("ended (UTC)", "state", "action", "document", "tokens", "ms"))
    ctx.out.say(f"{len(rows):,} {'record' if len(rows) == 1 else 'records'}")
    return 0


def _row(row: "Execution") -> list[str]:
    state = row.status if row.failure_reason in (None, "user-cancelled") else f"{row.status} ({row.failure_reason})"
    tokens = (
        "" if row.tokens_in is None and row.tokens_out is None else f"{(row.tokens_in or 0) + (row.tokens_out or 0):,}"
    )
    ended = iso_utc(row.finished_at_ms)[:19].replace("T", " ")
    return [ended, state, safe(row.extension_id), safe(row.node_id), tokens, f"{row.duration_ms or 0:,}"]


def _stats(ctx: Invocation, found: "Mapping[str, Any]") -> int:
    if ctx.json:
        ctx.out.emit_json(found)
        return 0
    totals = found["totals"]
    counts = f"{totals['completedCount']:,} completed, {totals['failedCount']:,} failed"
    tokens = f"{totals['tokensIn']:,} tokens in, {totals['tokensOut']:,} out"
    rows = [
        [safe(one["actionId"]), f"{one['executionsCount']:,}", f"{one['tokensIn'] + one['tokensOut']:,}", _mean(one)]
        for one in found["tokensPerAction"]
    ]
    ctx.out.table(rows, header=("action", "jobs", "tokens", "mean ms"))
    reasons = {reason: count for reason, count in found["errorRates"]["perFailureReason"].items() if count}
    for reason, count in reasons.items():
        ctx.out.data(f"{reason}: {count:,}")
    ctx.out.say(f"{counts}; {tokens}")
    return 0


def _mean(one: "Mapping[str, Any]") -> str:
    return f"{one['durationMsMean']:,}"
