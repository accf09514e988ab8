"""`cairn record`: hand in the answer to a job."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.errors import NotFound, ReportInvalid, UsageError

if TYPE_CHECKING:
    from cairn.core.ports.jobs import Job


@define(
    "record",
    help="Record the answer to a job that you claimed. A report that does not hold what its action asks for fails the "
    "job.",
    examples=(
        ("cairn record --id ID --nonce NONCE --status completed --report report.json", "an answer in a file"),
        ("cairn record --id ID --nonce NONCE --status completed --report - < report.json", "from stdin"),
        ("cairn record --id ID --nonce NONCE --status failed --error 'no access'", "there is none"),
    ),
    exits=(0, 2, 4, 5),
)
@click.option("--id", "id", required=True, metavar="ID", help="Id of the job.")
@click.option("--nonce", required=True, metavar="TEXT", help="The nonce that `cairn job claim --json` printed.")
@click.option("--status", required=True, type=click.Choice(["completed", "failed"]), help="How it ended.")
@click.option("--report", metavar="FILE", help="The report as JSON, of a completed job; - for stdin.")
@click.option("--error", metavar="TEXT", help="Why it failed.")
@click.option("--tokens-in", type=click.IntRange(min=0), metavar="N", help="Tokens of the prompt.")
@click.option("--tokens-out", type=click.IntRange(min=0), metavar="N", help="Tokens of the answer.")
@click.option("--duration-ms", type=click.IntRange(min=0), metavar="N", help="How long it took.")
@click.option("--model", metavar="NAME", help="Which model answered.")
def command(
    ctx: Invocation,
    id: str,
    nonce: str,
    status: Literal["completed", "failed"],
    report: str | None,
    error: str | None,
    tokens_in: int | None,
    tokens_out: int | None,
    duration_ms: int | None,
    model: str | None,
) -> int:
    from cairn.jobs.finish import JobAnswer, JobUsage, record
    from cairn.jobs.model import job_value

    if status == "completed" and report is None:
        raise UsageError("A completed job has a report; give it with --report.")
    if status == "failed" and report is not None:
        raise UsageError("A failed job has no report; give the reason with --error.")
    text = "" if report is None else _read(ctx, report)
    usage = JobUsage(tokens_in, tokens_out, duration_ms, model)
    with closing(ctx.app()) as app:
        answer = JobAnswer(id, nonce, status, text, error, usage=usage)
        found = record(answer, store=app.store.jobs, actions=app.actions(), now_ms=app.clock.now_ms())
    if found.problems:
        raise ReportInvalid(
            f"The report does not hold what {found.job.action_id} asks for: {'; '.join(found.problems)}. The job "
            f"{found.job.id} failed.{_queued_again(found.successor)}",
            job=found.job.id,
            problems=list(found.problems),
            successor=None if found.successor is None else found.successor.id,
        )
    if ctx.json:
        ctx.out.emit_json({"job": job_value(found.job), "executionId": found.execution.id})
    else:
        ctx.out.say(f"{found.job.id} is {found.job.status}")
    return 0


def _queued_again(successor: "Job | None") -> str:
    if successor is None:
        return ""
    return f" The question was queued again as {successor.id}, with these problems: claim it with `cairn job claim`."


def _read(ctx: Invocation, name: str) -> str:
    """One character more than a report may have is enough to refuse it."""
    from cairn.jobs.report import LONGEST_REPORT

    most = 4 * (LONGEST_REPORT + 1)
    if name == "-":
        return sys.stdin.buffer.read(most).decode("utf-8", "replace")
    path = Path(ctx.directory, name)
    if not path.is_file():
        raise NotFound(f"There is no file {name}; check the path given to --report.")
    with path.open("rb") as file:
        return file.read(most).decode("utf-8", "replace")
