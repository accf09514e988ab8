"""`cairn trust validate|probe`: ballots of people, and of programs that look whether sources answer."""

from contextlib import closing

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import bring_up_to_date
from cairn.cli.trusting import PAGE, page_at


@define(
    "validate",
    help="Vote on a page that you used: it held (confirm), it is wrong (reject), or it is harmful (flag). Of your "
    "ballots about one revision the latest counts.",
    examples=(
        ("cairn trust validate knowledge/limits.md confirm", "it held"),
        ("cairn trust validate knowledge/limits.md reject --reason 'The limit is 60 now.'", "it is wrong"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("page", help=PAGE)
@argument("verdict", type=click.Choice(("confirm", "reject", "flag")), help="What you found.")
@click.option("--reason", help="What is wrong; needed to reject or flag.")
def validate_command(ctx: Invocation, page: str, verdict: str, reason: str | None) -> int:
    from cairn.trust.validate import validate_page

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        path = page_at(ctx, app, page).path
        done = validate_page(app, path, verdict, reason=reason)
    ballot = done.ballot
    if ctx.json:
        told = {"ballot": done.id or None, "path": path, "verdict": verdict, "anchor": ballot.artefact.anchor}
        ctx.out.emit_json({**told, "revision": ballot.revision})
    elif done.id:
        ctx.out.say(f"recorded: {verdict} of {safe(path)}, revision {ballot.artefact.rev}")
    else:
        ctx.out.say("you said the same before; nothing was recorded")
    return 0


@define(
    "probe",
    help="Ask whether the sources of pages on the web still answer, and record each result as a ballot of small "
    "weight. Nothing is changed anywhere.",
    examples=(
        ("cairn trust probe", "every tracked page"),
        ("cairn trust probe knowledge/limits.md", "one page"),
    ),
    exits=(0, 2, 5),
)
@argument("pages", nargs=-1, help="Pages of knowledge; all that are tracked without.")
def probe_command(ctx: Invocation, pages: tuple[str, ...]) -> int:
    from cairn.trust.validate import probe

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        done = probe(app, [page_at(ctx, app, page).path for page in pages] or None)
    if ctx.json:
        ctx.out.emit_json({"probed": [one._asdict() for one in done]})
        return 0
    for one in done:
        ctx.out.data(f"{safe(one.path)}: {one.verdict or 'nobody can tell'}")
    ctx.out.say(f"{len(done):,} probed")
    return 0
