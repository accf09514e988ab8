"""`cairn job`: questions about documents that wait for a reader, and what became of them."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands import job_work
from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import Conflict, UsageError
from cairn.journal import iso_utc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cairn.app.build import App
    from cairn.core.ports.jobs import Job
    from cairn.jobs.submit import SubmitResult

STATES = ("queued", "running", "completed", "failed")
ID = "Id of the job."
_LARGEST = 2**31 - 1


# --- submit ---------------------------------------------------------------------------------------------------------


@define(
    "submit",
    help="Submit a question about a document: a job that an agent or another reader claims. `cairn actions list` lists "
    "the questions.",
    examples=(
        ("cairn job submit summarise -n docs/guide.md", "one document"),
        ("cairn job submit core/tag --all", "every document that the action is for"),
        ("cairn job submit core/tag -n docs/guide.md --force", "although the same question is waiting"),
    ),
    exits=(0, 2, 3, 5),
)
@argument("action", help="Id of an action.")
@click.option("-n", "--node", metavar="PATH", help="The document.")
@click.option("--all", "everything", is_flag=True, help="Every document that the action is for.")
@click.option("--force", is_flag=True, help="Submit it although the same question is waiting.")
@click.option("--ttl", type=int, metavar="SECONDS", help="How long a reader may take.")
@click.option(
    "--priority", type=click.IntRange(-_LARGEST, _LARGEST), metavar="N", help="Higher ones are claimed first."
)
def submit_command(
    ctx: Invocation, action: str, node: str | None, everything: bool, force: bool, ttl: int | None, priority: int | None
) -> int:
    from cairn.jobs.submit import SubmitOptions

    if everything == (node is not None):
        raise UsageError("Give a document with -n, or --all.")
    if ttl is not None and ttl <= 0:
        raise UsageError(f"--ttl is a number of seconds above 0, not {ttl}.")
    with closing(ctx.app()) as app:
        found = _submit(ctx, app, action, node, SubmitOptions(ttl, priority, force, "cli"))
    return _print_submitted(ctx, found, everything)


def _submit(ctx: Invocation, app: "App", name: str, path: str | None, options: Any) -> "SubmitResult":
    from cairn.graph.subgraph import path_called
    from cairn.jobs.action import find_action
    from cairn.jobs.submit import node_for, nodes_for, refuse_question, submit_nodes

    action = find_action(name, app.actions())
    refuse_question(action)
    store = app.scanned_store()
    active = store.meta().get("active_provider")
    if path is None:
        nodes = nodes_for(action, store, active)
    else:
        known = path_called(path, lambda one: store.node(one) is not None, root=app.root, here=ctx.directory)
        nodes = [node_for(action, known, store, active)]
    return submit_nodes(
        action,
        nodes,
        options,
        store=store.jobs,
        files=app.files,
        settings=app.settings,
        now_ms=app.clock.now_ms(),
    )


def _print_submitted(ctx: Invocation, found: "SubmitResult", everything: bool) -> int:
    from cairn.jobs.model import job_value

    if found.duplicates and not found.submitted:
        first = found.duplicates[0]
        others = f" So do jobs for {len(found.duplicates) - 1:,} other documents." if len(found.duplicates) > 1 else ""
        raise Conflict(
            f"The job {first.id} asks the same and is {first.status}; --force submits another one.{others}",
            job=first.id,
        )
    if ctx.json:
        jobs = [job_value(job) for job in found.submitted]
        skipped = [job.id for job in found.duplicates]
        ctx.out.emit_json({"jobs": jobs, "duplicates": skipped} if everything else jobs[0])
        return 0
    for job in found.submitted:
        ctx.out.data(job.id)
    waiting = f", {len(found.duplicates):,} were waiting already" if found.duplicates else ""
    ctx.out.say(f"{len(found.submitted):,} submitted{waiting}")
    return 0


# --- list, show, preview, status ------------------------------------------------------------------------------------


@define(
    "list",
    help="List jobs, newest first.",
    examples=(
        ("cairn job list --status queued", "jobs that wait for a reader"),
        ("cairn job list --node docs/guide.md --json", "jobs about one document"),
    ),
    exits=(0, 2, 5),
)
@click.option("--status", "states", multiple=True, type=click.Choice(STATES), help="Of this state; may be repeated.")
@click.option("--action", "actions", multiple=True, metavar="ID", help="Of this action; may be repeated.")
@click.option("--node", metavar="PATH", help="About this document.")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
def list_command(
    ctx: Invocation, states: tuple[Any, ...], actions: tuple[str, ...], node: str | None, limit: int | None
) -> int:
    from cairn.core.ports.jobs import JobFilter
    from cairn.jobs.model import job_value

    with closing(ctx.app(reads=True)) as app:
        found = app.store.jobs.jobs(JobFilter(states, job_work.action_ids(app, actions, old=True), node or "", limit))
    if ctx.json:
        ctx.out.emit_json([job_value(job) for job in found])
        return 0
    ctx.out.table([_row(job) for job in found], header=("id", "state", "action", "document", "priority"))
    ctx.out.say(_number(found))
    return 0


def _number(jobs: "Sequence[Job]") -> str:
    return f"{len(jobs):,} {'job' if len(jobs) == 1 else 'jobs'}"


def _row(job: "Job") -> list[str]:
    state = f"{job.status} ({job.failure_reason})" if job.failure_reason else job.status
    return [job.id, state, safe(job.action_id), safe(job.node_id), str(job.priority)]


@define(
    "show",
    help="Show one job: its state, who claimed it, and how long it may still take.",
    examples=(
        ("cairn job show d-20260420-143055-0000", "by its id"),
        ("cairn job show d-20260420-143055-0000 --json", "for a program"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help=ID)
def show_command(ctx: Invocation, id: str) -> int:
    return _show(ctx, id)


def _show(ctx: Invocation, id: str) -> int:
    from cairn.jobs.finish import find_job
    from cairn.jobs.model import job_value

    with closing(ctx.app(reads=True)) as app:
        job, now_ms = find_job(id, app.store.jobs), app.clock.now_ms()
    left = max(0, job.expires_at_ms - now_ms) // 1000 if job.status == "running" and job.expires_at_ms else None
    if ctx.json:
        ctx.out.emit_json({**job_value(job), "ttlRemainingSeconds": left})
        return 0
    times = {"submitted": job.created_at_ms, "claimed": job.claimed_at_ms, "ended": job.finished_at_ms}
    facts = [
        ("state", f"{job.status} ({job.failure_reason})" if job.failure_reason else job.status),
        ("action", f"{safe(job.action_id)} {safe(job.action_version)}"),
        ("document", safe(job.node_id)),
        ("priority", str(job.priority)),
        *((name, iso_utc(at)) for name, at in times.items() if at is not None),
        ("runner", safe(job.runner or "")),
        ("time to live", f"{job.ttl_seconds:,} s" + (f", {left:,} s left" if left is not None else "")),
        ("attempt", str(job.attempt)),
        ("prompt", job.content_hash),
    ]
    ctx.out.table([[name, text] for name, text in facts if text])
    return 0


@define(
    "preview",
    help="Print the exact prompt of a job.",
    examples=(
        ("cairn job preview d-20260420-143055-0000", "as a reader gets it"),
        ("cairn job preview d-20260420-143055-0000 | wc -c", "how long it is"),
    ),
    exits=(0, 2, 5),
    timed=False,
)
@argument("id", help=ID)
def preview_command(ctx: Invocation, id: str) -> int:
    from cairn.jobs.finish import find_job, prompt_text

    with closing(ctx.app(reads=True)) as app:
        job = find_job(id, app.store.jobs)
        content = prompt_text(job, app.store.jobs)
    if ctx.json:
        ctx.out.emit_json({"id": job.id, "contentHash": job.content_hash, "content": content})
    else:
        ctx.out.data(content.removesuffix("\n"))
    return 0


@define(
    "status",
    help="Count jobs by state, or show the state of one job.",
    examples=(
        ("cairn job status", "how many wait, run and ended"),
        ("cairn job status d-20260420-143055-0000", "one job"),
    ),
    exits=(0, 2, 5),
)
@argument("id", required=False, help=ID)
def status_command(ctx: Invocation, id: str | None) -> int:
    if id is not None:
        return _show(ctx, id)
    with closing(ctx.app(reads=True)) as app:
        counts = app.store.jobs.counts()
    if ctx.json:
        ctx.out.emit_json({state: counts[state] for state in counts})
        return 0
    ctx.out.table([[state, f"{count:,}"] for state, count in counts.items()])
    return 0


# --- cancel, prune --------------------------------------------------------------------------------------------------


@define(
    "cancel",
    help="Cancel a queued or running job. A reader that is at work is not interrupted; its answer is refused.",
    examples=(
        ("cairn job cancel d-20260420-143055-0000", "one job"),
        ("cairn job cancel --all", "every queued and running job"),
    ),
    exits=(0, 2, 5),
)
@argument("id", required=False, help=ID)
@click.option("--all", "everything", is_flag=True, help="Every queued and running job.")
def cancel_command(ctx: Invocation, id: str | None, everything: bool) -> int:
    from cairn.jobs.finish import cancel, cancel_all
    from cairn.jobs.model import job_value

    if everything == (id is not None):
        raise UsageError("Give the id of a job, or --all.")
    with closing(ctx.app()) as app:
        store, now_ms = app.store.jobs, app.clock.now_ms()
        gone = cancel_all(store=store, now_ms=now_ms) if id is None else [cancel(id, store=store, now_ms=now_ms)]
    if ctx.json:
        ctx.out.emit_json({"cancelled": [job_value(job) for job in gone]})
        return 0
    for job in gone:
        ctx.out.data(job.id)
    ctx.out.say(f"{len(gone):,} cancelled")
    return 0


@define(
    "prune",
    help="Delete jobs that ended longer ago than `jobs.retention` says, and prompts that no job needs. Their records "
    "stay in `cairn history`.",
    examples=(
        ("cairn job prune --dry-run", "how many would be deleted"),
        ("cairn job prune", "delete them"),
    ),
)
@click.option("-n", "--dry-run", is_flag=True, help="Print what would be deleted, and change nothing.")
def prune_command(ctx: Invocation, dry_run: bool) -> int:
    from cairn.jobs.prune import prune

    with closing(ctx.app()) as app:
        gone = prune(store=app.store.jobs, settings=app.settings, now_ms=app.clock.now_ms(), dry_run=dry_run)
    if ctx.json:
        ctx.out.emit_json({"deleted": dict(gone), "dryRun": dry_run})
        return 0
    counts = " and ".join(f"{count:,} {state}" for state, count in gone.items())
    ctx.out.say(f"{counts} jobs {'would be ' if dry_run else ''}deleted")
    return 0


command = define_group(
    "job",
    [
        submit_command,
        list_command,
        show_command,
        preview_command,
        job_work.claim_command,
        job_work.run_command,
        status_command,
        cancel_command,
        prune_command,
    ],
    help="Ask questions about documents, and see what became of them. A question waits in a queue until an agent, or "
    "another reader, claims and answers it.",
    examples=(
        ("cairn job submit summarise -n docs/guide.md", "ask"),
        ("cairn job claim --json", "what an agent calls to get the next question"),
        ("cairn job status", "how many wait"),
    ),
    exits=(0, 1, 2, 3, 5),
)
