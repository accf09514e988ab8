"""`cairn job claim` and `run`: take questions from the queue and answer them."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.define import define
from cairn.cli.events import print_event
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, with_option
from cairn.cli.output import safe
from cairn.core.interrupts import stopped_by_any
from cairn.errors import EnvironmentProblem, Refused, UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.core.event_bus import BusEvent

filter_option = click.option("--filter", "actions", multiple=True, metavar="ID", help="Only jobs of this action.")


def action_ids(app: "App", names: tuple[str, ...], *, old: bool = False) -> tuple[str, ...]:
    """Ids of actions by their names. With `old`, also of actions that no longer exist but have left jobs or records."""
    from cairn.jobs.action import find_action

    known = app.actions() if names else {}
    return tuple(name if old and _has_left(app, name) else find_action(name, known).id for name in names)


def _has_left(app: "App", id: str) -> bool:
    from cairn.core.ports.jobs import ExecutionFilter, JobFilter

    store = app.store.jobs
    return bool(
        store.jobs(JobFilter(actions=(id,), limit=1)) or store.executions(ExecutionFilter(actions=(id,), limit=1))
    )


@define(
    "claim",
    help="Claim the next job and print its id and nonce; with --json its prompt, too. Answer it with `cairn record`. "
    "Jobs that quote text from outside of the repository stay for `cairn judge`, unless `judge.agent_outside` is set. "
    "Jobs whose reader was not heard of in time return to the queue first.",
    examples=(
        ("cairn job claim --json", "id, nonce and prompt of the next job"),
        ("cairn job claim --filter core/tag --json", "only jobs of one action"),
    ),
    exits=(0, 1, 2, 5),
)
@filter_option
def claim_command(ctx: Invocation, actions: tuple[str, ...]) -> int:
    import os

    from cairn.core.ports.jobs import JobClaim
    from cairn.jobs.claim import claim, reap
    from cairn.jobs.model import run_id
    from cairn.jobs.outside import most_taint, queue_for_agent

    with closing(ctx.app()) as app:
        store, now_ms, only = app.store.jobs, app.clock.now_ms(), action_ids(app, actions)
        reap(store=store, now_ms=now_ms)
        run = run_id(now_ms, os.urandom(2).hex(), "ext")
        found = claim(JobClaim("skill", run, now_ms, only, most_taint(app.settings)), store=store)
        queue = queue_for_agent(store, app.settings)
    if found is None and queue.kept:
        raise Refused(f"No job is waiting for you. {queue.kept_sentence}", kept=queue.kept)
    if found is None:
        raise Refused("No job is waiting; `cairn job submit` adds one.")
    if ctx.json:
        ctx.out.emit_json({"id": found.job.id, "nonce": found.job.nonce, "content": found.content})
        return 0
    ctx.out.table([["id", found.job.id], ["nonce", found.job.nonce]])
    ctx.out.say(
        safe(f"{found.job.action_id} about {found.job.node_id}; `cairn job preview {found.job.id}` prints the prompt")
    )
    if queue.kept:
        ctx.out.say(queue.kept_sentence)
    return 0


@define(
    "run",
    help="Claim, ask and record with a reader: one job, or as many as given. Nothing is sent unless --with names one. "
    "With --json each event is one line.",
    examples=(
        ("cairn job run --with claude", "one job, with the program `claude`"),
        ("cairn job run --all --with openai-compatible --budget 200k", "every job, within a ceiling"),
    ),
    exits=(0, 2, 5),
)
@click.option("--all", "everything", is_flag=True, help="Until no job is left.")
@click.option("--max", "most", type=click.IntRange(min=1), metavar="N", help="At most so many jobs.")
@filter_option
@with_option
@model_option
@budget_option
def run_command(
    ctx: Invocation,
    everything: bool,
    most: int | None,
    actions: tuple[str, ...],
    reader: str | None,
    model: str | None,
    budget: str | None,
) -> int:
    from cairn.app.judging import reader_of, run_jobs
    from cairn.jobs.run import JobRunMode, JobRunRequest

    if everything and most is not None:
        raise UsageError("Give --all or --max, not both.")
    if reader is None:
        raise EnvironmentProblem(
            "No reader is named: give --with NAME (`cairn judge --check` finds the one that is there), or let your "
            "agent claim jobs with `cairn job claim --json`. Nothing was claimed."
        )
    limit = None if everything else most or 1
    mode: JobRunMode = "all" if everything else "single" if most is None else "max"
    with closing(ctx.app()) as app:
        chosen = reader_of(app, reader, model).reader
        request = JobRunRequest(mode, limit, action_ids(app, actions))
        with stopped_by_any(), app.bus.heard_by(lambda event: _print_event(ctx, event)):
            summary = run_jobs(app, request, chosen, budget=budget)
    ctx.out.say(f"{summary.attempted:,} asked, {summary.completed:,} completed, {summary.failed:,} failed")
    if summary.stopped:
        ctx.out.warn(safe(summary.stopped))
    return 1 if summary.failed or summary.stopped else 0


def _print_event(ctx: Invocation, event: "BusEvent") -> None:
    if ctx.json:
        print_event(ctx, event)
    elif event.type in ("job.completed", "job.failed"):
        ctx.out.data(safe(f"{event.job_id} {_outcome(event.data)}"))


def _outcome(data: Any) -> str:
    return f"failed ({data['reason']}): {data['message']}" if "reason" in data else "completed"
