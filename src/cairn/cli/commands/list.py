"""`cairn list`: which documents there are."""

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, safe, severity_color
from cairn.cli.paging import Page, paged, say_more
from cairn.core.ports.graph import SORTS, NodeFilter

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.workspace.list_nodes import ListedNode


_ONLY_WHEN_ASKED = ("source",)


@define(
    "list",
    help="List the documents of the last scan, with their links and the issues that `cairn check` reports. Several "
    "conditions all have to hold. Addresses that entries cite are shown when --kind or --provider asks for them.",
    examples=(
        ("cairn list --kind agent,skill", "of two kinds"),
        ("cairn list --issue reference-broken --sort-by issues", "what to mend first"),
        ("cairn list --path 'docs/' --sort-by links-in --limit 10", "the most linked pages below docs/"),
    ),
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="`agent` or `claude/agent`; a,b for either.")
@click.option("--provider", "providers", multiple=True, metavar="ID", help="Of this provider; a,b for either.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="With this tag or topic; a,b for either.")
@click.option(
    "--issue",
    is_flag=False,
    flag_value="any",
    metavar="[ANALYZER]",
    help="With an issue of this analyzer; without a name, of any.",
)
@click.option("--path", metavar="GLOB", help="`docs/*` or `docs/`, from the root of the workspace.")
@click.option("--owner", metavar="@OWNER", help="That CODEOWNERS gives to @user or @organisation/team.")
@click.option("--sort-by", type=click.Choice(SORTS), default="path", help="Counts and times from high to low.")
@paged
def command(
    ctx: Invocation,
    kinds: tuple[str, ...],
    providers: tuple[str, ...],
    tags: tuple[str, ...],
    issue: str | None,
    path: str | None,
    owner: str | None,
    sort_by: str,
    **page: Any,
) -> int:
    from cairn.workspace.findings import for_people
    from cairn.workspace.list_nodes import glob_of, kinds_of, list_nodes, rule_name, why_empty, words

    part = Page(**page)
    limits = (part.at_most(ctx), part.offset)
    wanted = NodeFilter(
        kinds_of(kinds), words(providers), words(tags), rule_name(issue), glob_of(path), sort_by, *limits
    )
    if not (kinds or providers):
        wanted = wanted._replace(without=_ONLY_WHEN_ASKED)
    with closing(ctx.app(reads=True)) as app:
        store = app.scanned_store()
        keep = None if owner is None else _owned(app, owner)
        if ctx.json:
            listing = list_nodes(store, wanted, keep)
            ctx.out.emit_json({**listing.json(app.corpora), "more": part.more(len(listing.rows), listing.total)})
            return 0
        issues = for_people(app, notes=bool(ctx.verbosity), named=wanted.issues)
        listing = list_nodes(store, wanted, keep, issues)
        if not listing.rows and part.limit != 0:
            ctx.out.say(why_empty(store, wanted, issues))
    ctx.out.table([_row(ctx.out, row) for row in listing.rows], header=("path", "kind", "title", "in", "out", "issues"))
    if listing.total != len(listing.rows):
        ctx.out.say(f"showing {len(listing.rows):,} of {listing.total:,}")
    say_more(ctx, part.more(len(listing.rows), listing.total), part.offset + len(listing.rows))
    return 0


def _owned(app: "App", owner: str) -> Callable[[str], bool]:
    from cairn.workspace.owners import owned_by, owners_here

    return owned_by(owners_here(app), owner)


def _row(out: Output, row: "ListedNode") -> list[str]:
    from cairn.core.model.graph import shown_kind

    node = row.node
    issues = str(row.issues) if row.worst is None else out.style(str(row.issues), severity_color(row.worst))
    title = (
        "" if node.path.partition("://")[2].rstrip("/") == node.title else node.title
    )  # else an address is there twice
    return [safe(node.path), safe(shown_kind(node.kind)), safe(title), str(node.links_in), str(node.links_out), issues]
