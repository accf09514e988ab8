"""`cairn change review`: a second opinion."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.arguments import budget_option
from cairn.cli.commands.freshness_gates import read_input
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.requests import ID, doubt_lines
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.freshness.review_change import ReviewResult


@define(
    "review",
    help="Ask for a second opinion about a change request, or about a diff: does what it would write agree with what "
    "was kept of its sources? By comparison alone, or by a model. It is advice: it says `warn` at most, stays with the "
    "request until another proposal comes, and stands among what the gates say.",
    examples=(
        ("cairn change review c-1f2e", "by comparison; sends nothing"),
        ("cairn change review c-1f2e --provider zai --budget 50k", "by a model, another than the one that wrote it"),
        ("git diff | cairn change review --diff -", "of what you are writing"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("id", required=False, help=ID)
@click.option("--diff", metavar="FILE", help="A unified diff instead of a request; `-` reads it from stdin.")
@click.option("--provider", metavar="P", default="extractive", help="Who judges: extractive, auto, anthropic, zai, …")
@budget_option
@click.option("--timeout", type=click.IntRange(min=1), default=600, help="Seconds that a model may take.")
def command(ctx: Invocation, id: str | None, diff: str | None, **given: Any) -> int:
    from cairn.freshness.review_change import Reviewer, review_diff, review_request

    if (id is None) == (diff is None):
        raise UsageError("name a change request, or give a diff with --diff")
    reviewer = Reviewer(given["provider"], given["budget"], given["timeout"])
    with closing(ctx.app()) as app:
        if id is not None:
            reviewed = review_request(app, id, reviewer)
        else:
            reviewed = review_diff(app, _read(ctx, diff or "-"), reviewer)
    if ctx.json:
        ctx.out.emit_json(_json(reviewed))
    else:
        _for_people(ctx, reviewed)
    return 0


def _read(ctx: Invocation, file: str) -> bytes:
    if file == "-" and ctx.stdin_tty:
        raise UsageError("--diff - reads stdin, and nothing is piped in; try `git diff | cairn change review --diff -`")
    return read_input(ctx, file)


def _for_people(ctx: Invocation, reviewed: "ReviewResult") -> None:
    ruling = reviewed.opinion.ruling("")
    ctx.out.data(f"{ruling.level.word}: {safe(ruling.reason)}")
    for line in doubt_lines(ruling):
        ctx.out.data(line)
    if reviewed.metered is not None:
        from cairn.core.model_budget import spending_text

        ctx.out.say(spending_text(reviewed.metered.spent, reviewed.metered.dollars))
    if reviewed.request is not None:
        ctx.out.say(f"kept with {reviewed.request.id}; `cairn change show {reviewed.request.id}` has it, too")


def _json(reviewed: "ReviewResult") -> dict[str, Any]:
    opinion, metered = reviewed.opinion, reviewed.metered
    return {
        "id": None if reviewed.request is None else reviewed.request.id,
        "reviewer": opinion.reviewer,
        "level": opinion.level.word,
        "reason": opinion.ruling("").reason,
        "statements": opinion.looked_at,
        "doubts": [doubt.json() for doubt in opinion.doubts],
        "remarks": list(opinion.remarks),
        "spent": None if metered is None else {"tokens": metered.spent.tokens, "dollars": metered.dollars},
    }
