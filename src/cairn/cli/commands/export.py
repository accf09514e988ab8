"""`cairn export`: the part of the graph that a query names."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.output import json_text
from cairn.cli.save_output import STDOUT, deliver, force_option, output_option, refuse_to_replace
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.graph.subgraph import Part


LLMS_TXT = "llms-txt"


@define(
    "export",
    help="Write out the documents of the last scan that a query names, with the links between them. A query is made of "
    "kind=a,b  has=issues  path=GLOB  tag=x; every word restricts further, none means everything.",
    examples=(
        ("cairn export kind=agent,skill", "as JSON"),
        ("cairn export 'path=docs/*' --format md -o report.md", "a report to read"),
        ("cairn export --llms-txt --base-url https://docs.example.org -o llms.txt", "what models should read"),
    ),
    exits=(0, 1, 2),
)
@argument("query", nargs=-1, help="Words such as kind=agent, has=issues, path='docs/*', tag=release.")
@click.option("--format", type=click.Choice(["json", "md", "mermaid"]), help="json, unless FILE ends otherwise.")
@click.option("--llms-txt", is_flag=True, help="As llms.txt: links with descriptions, for models.")
@click.option("--full", is_flag=True, help="With --llms-txt: the pages' texts too, as llms-full.txt has them.")
@click.option("--base-url", metavar="URL", help="With --llms-txt: where the pages are published.")
@output_option
@force_option
def command(
    ctx: Invocation,
    query: tuple[str, ...],
    format: str | None,
    llms_txt: bool,
    full: bool,
    base_url: str | None,
    output: str | None,
    force: bool,
) -> int:
    from cairn.graph.subgraph import parse_query, select
    from cairn.workspace.findings import for_people
    from cairn.workspace.llms_txt import base_of

    if not llms_txt and (full or base_url is not None):
        raise UsageError("--full and --base-url go with --llms-txt; add it, or leave them out.")
    wanted, base = parse_query(query), base_of(base_url)
    chosen = _format(ctx, format, output, llms_txt=llms_txt)
    refuse_to_replace(ctx, output, force=force)
    with closing(ctx.app(reads=True)) as app:
        store = app.scanned_store()
        part = select(store, wanted, None if chosen == "json" or not wanted.has_issues else for_people(app))
        text = _llms(ctx, app, part, base, full=full) if llms_txt else _text(app, chosen, part, " ".join(query))
    if not part.nodes:
        ctx.out.say("no document matches the query")
    deliver(ctx, app.root, text, format=chosen, output=output)
    return 0


def _format(ctx: Invocation, given: str | None, output: str | None, *, llms_txt: bool) -> str:
    from cairn.workspace.draw import format_for

    if llms_txt and given:
        raise UsageError("Choose one of --format and --llms-txt.")
    to_file = output not in (None, STDOUT)
    ending = "md" if (output or "").lower().endswith(".md") else format_for(output or "")
    chosen = given or (ending if to_file and ending in ("md", "mermaid") else "json")
    chosen = LLMS_TXT if llms_txt else chosen
    if ctx.json and not to_file and chosen != "json":
        raise UsageError(f"--json prints JSON; for {chosen} leave it out, or add -o FILE.")
    return chosen


def _text(app: "App", format: str, part: "Part", query: str) -> str:
    from cairn.graph.compare import graph_json
    from cairn.workspace.draw import as_checked, drawn, markdown, title_of

    if format == "json":
        return json_text({"query": query, **graph_json(part)}) + "\n"
    if format == "md":
        return markdown(as_checked(app, part), title=f"{title_of(app)}: {query}" if query else title_of(app))
    return drawn(app, format, part)


def _llms(ctx: Invocation, app: "App", part: "Part", base_url: str, *, full: bool) -> str:
    from cairn.workspace.draw import kind_specs, title_of
    from cairn.workspace.llms_txt import body_reader, full_text, index_text, site

    body_of = body_reader(app)
    found = site(
        part.nodes,
        title=title_of(app),
        corpora=app.corpora,
        kinds=kind_specs(app.registry),
        base_url=base_url,
        body_of=body_of,
    )
    text = full_text(found, body_of) if full else index_text(found)
    if app.tokenizer is not None:
        about = "" if app.tokenizer.exact else "about "
        ctx.out.say(f"{len(found.pages):,} pages, {about}{app.tokenizer.count(text):,} tokens")
    return text
