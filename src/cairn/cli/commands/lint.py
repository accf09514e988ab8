"""`cairn lint`: do the pages fit together?"""

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import reader_may_leave, safe

if TYPE_CHECKING:
    from cairn.curate.lint import Lint, LintResult

_COLOR = {"error": "red", "finding": "yellow"}


@define(
    "lint",
    help="Look at how pages fit together. Errors: relations that lead nowhere or in a circle, names that are not those "
    "of their files. Findings, listed with -v: tags that are nearly one, pages that no relation leads to, titles and "
    "summaries that are too long. Ends with 1 when there is an error. Changes no page.",
    examples=(
        ("cairn lint", "errors, and how many findings"),
        ("cairn lint -v", "the findings too"),
        ("cairn lint --json", "for a program"),
    ),
    exits=(0, 1, 2),
)
def command(ctx: Invocation) -> int:
    from cairn.curate.lint import lint_pages

    with closing(ctx.app()) as app:
        linted = lint_pages(app)
    with reader_may_leave():
        if ctx.json:
            ctx.out.emit_json(linted.json())
        else:
            _tell(ctx, linted)
    if linted.problem:
        ctx.out.warn(f"when this was done is not kept: {linted.problem}")
    return int(bool(linted.errors))


def _tell(ctx: Invocation, linted: "LintResult") -> None:
    shown = linted.found if ctx.verbosity else linted.errors
    for one in shown:
        ctx.out.data(_line(ctx, one))
    ctx.out.data(_tally(linted))
    hidden = Counter(one.rule for one in linted.findings)
    if hidden and not ctx.verbosity:
        rules = ", ".join(f"{rule} {number:,}" for rule, number in hidden.most_common())
        ctx.out.say(f"{rules}; `cairn lint -v` lists them")


def _line(ctx: Invocation, one: "Lint") -> str:
    word = ctx.out.style(f"[{one.level}]", _COLOR[one.level])
    return f"{word} {safe(one.path)} {one.rule}: {safe(' '.join(one.message.split()))}"


def _tally(linted: "LintResult") -> str:
    if not linted.pages:
        return "No pages to lint: no corpus has the layout `nodes` or `entries`. `cairn check` reads every document."
    counts = ((linted.pages, "page"), (len(linted.errors), "error"), (len(linted.findings), "finding"))
    pages, *rest = (f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in counts)
    return f"{pages}: {', '.join(rest)}"
