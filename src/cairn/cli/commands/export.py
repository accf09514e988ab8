"""`cairn export`: the part of the graph that a query names."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import json_text
from cairn.cli.saving import STDOUT, deliver, force_option, output_option, refuse_to_replace
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.workspace.subgraph import Part


@define(
    "export",
    help="Write out the nodes of the last scan that a query names, with the links between them. A query is made of "
    "kind=a,b  has=issues  path=GLOB  tag=x; every word restricts further, none means everything.",
    examples=(
        ("cairn export kind=agent,skill", "as JSON"),
        ("cairn export 'path=docs/*' --format md -o report.md", "a report to read"),
        ("cairn export has=issues tag=release --format mermaid", "a picture"),
    ),
    exits=(0, 1, 2),
)
@argument("query", nargs=-1, help="Words such as kind=agent, has=issues, path='docs/*', tag=release.")
@click.option("--format", type=click.Choice(["json", "md", "mermaid"]), help="json, unless FILE ends otherwise.")
@output_option
@force_option
def command(ctx: Invocation, query: tuple[str, ...], format: str | None, output: str | None, force: bool) -> int:
    from cairn.workspace.subgraph import parse_query, select

    wanted = parse_query(query)
    chosen = _format(ctx, format, output)
    refuse_to_replace(ctx, output, force=force)
    with closing(ctx.app()) as app:
        part = select(app.scanned_store(), wanted)
        text = _text(app, chosen, part, " ".join(query))
    if not part.nodes:
        ctx.out.say("no node fits the query")
    deliver(ctx, app.root, text, format=chosen, output=output)
    return 0


def _format(ctx: Invocation, given: str | None, output: str | None) -> str:
    from cairn.workspace.picture import format_for

    to_file = output not in (None, STDOUT)
    ending = "md" if (output or "").lower().endswith(".md") else format_for(output or "")
    chosen = given or (ending if to_file and ending in ("md", "mermaid") else "json")
    if ctx.json and not to_file and chosen != "json":
        raise UsageError(f"--json prints JSON; for {chosen} leave it out, or add -o FILE.")
    return chosen


def _text(app: "App", format: str, part: "Part", query: str) -> str:
    from cairn.app.drawing import drawn, title_of
    from cairn.workspace.compare import graph_json
    from cairn.workspace.report import markdown

    if format == "json":
        return json_text({"query": query, **graph_json(part)}) + "\n"
    if format == "md":
        return markdown(part, title=f"{title_of(app)}: {query}" if query else title_of(app))
    return drawn(app, format, part)
