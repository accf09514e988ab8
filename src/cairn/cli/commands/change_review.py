"""`cairn change review`: a second opinion."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.commands.freshness_gates import read_input
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.judging import model_option, reading_now, tell_read, with_option
from cairn.cli.output import safe
from cairn.cli.readers import renamed_provider
from cairn.cli.requests import ID, doubt_lines
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.freshness.review_change import ReviewResult


@define(
    "review",
    help="Ask for a second opinion about a change request, or about a diff: does what it would write agree with what "
    "was kept of its sources? With --with a reader answers right away; without it the opinion is that of a comparison, "
    "and a question about a request waits for `cairn judge` or your agent. It is advice: it says `warn` at most, stays "
    "with the request until another proposal comes, and stands among what the gates say.",
    examples=(
        ("cairn change review c-1f2e", "compare, and ask"),
        ("cairn change review c-1f2e --with zai --budget 50k", "have a reader answer now, not the one that wrote it"),
        ("git diff | cairn change review --diff -", "of what you are writing"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("id", required=False, help=ID)
@click.option("--diff", metavar="FILE", help="A unified diff instead of a request; `-` reads it from stdin.")
@with_option
@model_option
@budget_option
@renamed_provider
def command(ctx: Invocation, id: str | None, diff: str | None, **given: Any) -> int:
    from cairn.app.judging import dollars_of
    from cairn.freshness.questions.review.question import QUESTION
    from cairn.freshness.review_change import review_diff, review_request
    from cairn.jobs.spent import is_stopped

    if (id is None) == (diff is None):
        raise UsageError("name a change request, or give a diff with --diff")
    with closing(ctx.app()) as app:
        reader = reading_now(ctx, app, given["reader"], model=given["model"], budget=given["budget"])
        if id is not None:
            reviewed = review_request(app, id, reader)
        else:
            reviewed = review_diff(app, _read(ctx, diff or "-"), reader)
        spent, waiting = reviewed.spent, app.waiting_line([QUESTION.id])
        dollars = None if spent is None else dollars_of(app, spent.tokens_in, spent.tokens_out)
    if ctx.json:
        ctx.out.emit_json(_json(reviewed, dollars))
    else:
        _for_people(ctx, reviewed)
        tell_read(ctx, spent, named=reader is not None)
        if waiting:
            ctx.out.say(waiting)
    return int(is_stopped(spent))


def _read(ctx: Invocation, file: str) -> bytes:
    if file == "-" and ctx.stdin_tty:
        raise UsageError("--diff - reads stdin, and nothing is piped in; try `git diff | cairn change review --diff -`")
    return read_input(ctx, file)


def _for_people(ctx: Invocation, reviewed: "ReviewResult") -> None:
    ruling = reviewed.opinion.ruling("")
    ctx.out.data(f"{ruling.level.word}: {safe(ruling.reason)}")
    for line in doubt_lines(ruling):
        ctx.out.data(line)
    if reviewed.request is not None:
        ctx.out.say(f"kept with {reviewed.request.id}; `cairn change show {reviewed.request.id}` has it, too")


def _json(reviewed: "ReviewResult", dollars: float | None) -> dict[str, Any]:
    opinion, spent = reviewed.opinion, reviewed.spent
    return {
        "id": None if reviewed.request is None else reviewed.request.id,
        "reviewer": opinion.reviewer,
        "level": opinion.level.word,
        "reason": opinion.ruling("").reason,
        "statements": opinion.looked_at,
        "doubts": [doubt.json() for doubt in opinion.doubts],
        "remarks": list(opinion.remarks),
        "waits": opinion.waits,
        "spent": None if spent is None else {"tokens": spent.tokens_in + spent.tokens_out, "dollars": dollars},
    }
