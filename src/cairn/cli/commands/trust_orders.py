"""`cairn trust enroll|quarantine|reinstate|check`: what people order, and what rules forbid."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.arguments import from_root
from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.cli.scan_run import bring_up_to_date
from cairn.cli.trusting import PAGE, artefact_value, page_at

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.trust.maintain import OrderResult


@define(
    "enroll",
    help="Track pages: they start at alpha, and ballots decide from there. Names pages, folders or corpora.",
    examples=(
        ("cairn trust enroll knowledge", "every page of a corpus"),
        ("cairn trust enroll knowledge/limits.md", "one page"),
        ("cairn trust enroll handbook --keep-status", "trust the status that the files have"),
    ),
    exits=(0, 2, 5),
)
@argument("names", nargs=-1, required=True, help="Pages, folders or corpora.")
@click.option("--keep-status", is_flag=True, help="Start with the status in the file, also if it is beta or stable.")
def enroll_command(ctx: Invocation, names: tuple[str, ...], keep_status: bool) -> int:
    from cairn.trust.maintain import Desk, enroll

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        done = enroll(Desk(app), [path for name in names for path in _pages(ctx, app, name)], keep_status=keep_status)
    if ctx.json:
        rows = [artefact_value(row) for row in done.enrolled]
        ctx.out.emit_json({"enrolled": rows, "known": list(done.known), "notOnBase": list(done.absent)})
        return 0
    for row in done.enrolled:
        ctx.out.data(f"{safe(row.artefact)}: {row.status}")
    ctx.out.say(f"{len(done.enrolled):,} enrolled, {len(done.known):,} tracked before")
    if done.absent:
        ctx.out.warn(f"{len(done.absent):,} not on the base branch, such as {safe(done.absent[0])}; commit them first")
    return 0


def _pages(ctx: Invocation, app: "App", name: str) -> list[str]:
    """Of a corpus or a folder all pages; of anything else the page of that name."""
    corpus = next((one for one in app.corpora if one.name == name), None)
    folder = corpus.root if corpus is not None else from_root(ctx, app.root, name)
    inside = [
        node.path
        for node in app.scanned_store().nodes()
        if not node.virtual
        and app.knowledge.kind(node.path) not in (None, "routes")
        and (not folder or node.path.startswith(f"{folder}/"))
    ]
    return (
        sorted(inside) if inside and (corpus or app.root.joinpath(folder).is_dir()) else [page_at(ctx, app, name).path]
    )


@define(
    "quarantine",
    help="Withdraw what a page says now: its last good revision is served, or nothing where there is none.",
    examples=(
        ("cairn trust quarantine knowledge/limits.md --reason 'It tells agents to run a script.'", "at once"),
        ("cairn trust quarantine knowledge/limits.md --whole --reason 'Wrong from the start.'", "serve no revision"),
    ),
    exits=(0, 1, 2, 3, 5),
)
@argument("page", help=PAGE)
@click.option("--reason", required=True, help="Why, for whoever looks at it.")
@click.option("--whole", is_flag=True, help="Serve nothing, also if there is a good revision.")
def quarantine_command(ctx: Invocation, page: str, reason: str, whole: bool) -> int:
    from cairn.trust.maintain import Desk, quarantine

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        done = quarantine(Desk(app), page_at(ctx, app, page).path, reason, whole=whole)
    return _print_order(ctx, done)


@define(
    "reinstate",
    help="Let a page in again that was in quarantine, on hold or hidden. Close its review issue, and count flags "
    "against it as bogus.",
    examples=(
        ("cairn trust reinstate knowledge/limits.md --reason 'The flag was wrong.'", "serve it again"),
        ("cairn trust reinstate limits --reason 'Checked.' --json", "as data"),
    ),
    exits=(0, 1, 2, 5),
)
@argument("page", help=PAGE)
@click.option("--reason", required=True, help="Why, for the history.")
def reinstate_command(ctx: Invocation, page: str, reason: str) -> int:
    from cairn.trust.maintain import Desk, reinstate

    with closing(ctx.app()) as app:
        bring_up_to_date(ctx, app)
        done = reinstate(Desk(app), page_at(ctx, app, page).path, reason)
    return _print_order(ctx, done)


def _print_order(ctx: Invocation, done: "OrderResult") -> int:
    if ctx.json:
        changes = [step._asdict() for step in done.landing]
        ctx.out.emit_json({"artefact": artefact_value(done.after), "changes": changes, "closed": list(done.closed)})
        return 0
    row = done.after
    ctx.out.data(f"{safe(row.artefact)}: {done.before.status} → {row.status}, revision {row.rev}")
    for step in done.landing:
        what = f"merged {step.request}" if step.landed else step.request or "no request"
        ctx.out.data(f"{what} ({safe(step.title)}){f': {safe(step.held)}' if step.held else ''}")
    for id in done.closed:
        ctx.out.data(f"closed the review {id}")
    return 0


@define(
    "check",
    help="Check that no status was raised by hand, and that whatever was withdrawn has a review issue. Ends with 1 "
    "where a rule is broken.",
    examples=(("cairn trust check", "in continuous integration"), ("cairn trust check --json", "as data")),
    exits=(0, 1, 2),
)
def check_command(ctx: Invocation) -> int:
    from cairn.trust.overview import overview

    with closing(ctx.app(reads=True)) as app:
        bring_up_to_date(ctx, app)
        problems = overview(app).problems
    if ctx.json:
        ctx.out.emit_json({"problems": [problem._asdict() for problem in problems]})
    else:
        for one in problems:
            ctx.out.data(f"{safe(one.path)}: {one.code}: {safe(one.message)}")
        ctx.out.say(f"{len(problems):,} {'problem' if len(problems) == 1 else 'problems'}")
    return 1 if problems else 0
