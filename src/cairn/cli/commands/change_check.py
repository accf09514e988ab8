"""`cairn change check`: may these commits land, as far as the gates are concerned?"""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.commands.freshness_gates import read_input
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.requests import ruling_rows
from cairn.cli.save_output import append_job_summary
from cairn.errors import UsageError
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.changes.check_changes import Judgement


@define(
    "check",
    help="Let all gates look at a branch or commit that is no change request of Cairn's, such as a pull request that "
    "somebody opened. Nothing of it is checked out or run: it is judged as what it would make of the base branch, with "
    "the settings that stand there. Ends with 1 when a gate blocks it.",
    examples=(
        ("cairn change check feature", "against the base branch"),
        ("cairn change check FETCH_HEAD --base HEAD --github", "in a pipeline, as annotations"),
        ("cairn change check feature --label override:anti-over-rewrite", "somebody allowed it"),
    ),
    exits=(0, 1, 2, 3),
)
@argument("revision", help="Branch or commit.")
@click.option("--base", metavar="REV", help="Where it should land; without it the base branch.")
@click.option("--label", "labels", multiple=True, metavar="NAME", help="A label that a person set; may be repeated.")
@click.option("--labels-from", metavar="FILE", help="Labels as a JSON array or one a line; - reads stdin.")
@click.option("--sarif", "as_sarif", is_flag=True, help="As SARIF 2.1.0 on stdout.")
@click.option("--github", "as_github", is_flag=True, help="As annotations in GitHub's log.")
def command(ctx: Invocation, revision: str, base: str | None, **given: Any) -> int:
    from cairn.changes.check_changes import judge_commit, listed_paths
    from cairn.core.model.change import Level

    if given["as_sarif"] + given["as_github"] + ctx.json > 1:
        raise UsageError("Choose one of --json, --sarif and --github.")
    more = (
        listed_paths(read_input(ctx, given["labels_from"]).decode("utf-8", "replace")) if given["labels_from"] else []
    )
    with closing(ctx.app()) as app:
        judged = judge_commit(app, revision, onto=base, labels=[*given["labels"], *more])
    _show(ctx, judged, given)
    return int(judged.level is Level.BLOCK)


def _show(ctx: Invocation, judged: "Judgement", given: dict[str, Any]) -> None:
    if given["as_sarif"]:
        from cairn.app.gates import GATES
        from cairn.changes.check_changes import rule_texts
        from cairn.graph.sarif import sarif

        ctx.out.emit_json(sarif(judged.issues, rule_texts(GATES), __version__))
        return
    from cairn.freshness.job_summary import gates_page

    append_job_summary(ctx, gates_page(judged.rulings, judged.paths))
    if given["as_github"]:
        from cairn.graph.sarif import github

        for line in github(judged.issues):
            ctx.out.data(line)
    elif ctx.json:
        ctx.out.emit_json(judged.json())
    else:
        ctx.out.table(ruling_rows(ctx.out, judged.rulings), header=("gate", "says", "why"))
    ctx.out.say(safe(_totals(judged)))


def _totals(judged: "Judgement") -> str:
    if not judged.paths:
        return "no page of knowledge would be different"
    pages = f"{len(judged.paths):,} page{'' if len(judged.paths) == 1 else 's'}"
    return f"{pages} would be different; the gates say {judged.level.word}"
