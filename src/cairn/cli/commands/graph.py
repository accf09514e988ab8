"""`cairn graph`: draws the map of the repository."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.save_output import STDOUT, deliver, force_option, output_option, refuse_to_replace
from cairn.errors import UsageError

if TYPE_CHECKING:
    from cairn.app.build import App
    from cairn.graph.subgraph import Part

_DEPTH = 2


@define(
    "graph",
    help="Draw the last scan, or the neighbours of one document. Formats: html (the map), ascii, json, mermaid, dot, "
    "and those of plugins.",
    examples=(
        ("cairn graph --open", "the map, in the browser"),
        ("cairn graph --format html -o map.html", "the map, as one file that needs no network"),
        ("cairn graph --root docs/guide.md --depth 1 --format mermaid", "the neighbours of a document"),
    ),
    exits=(0, 1, 2, 5),
)
@click.option("--format", metavar="FORMAT", help="Choose the format. Default: ascii, or as FILE ends.")
@click.option("--root", metavar="NODE", help="Draw only this document and its neighbours.")
@click.option(
    "--depth", type=click.IntRange(min=0), metavar="N", help=f"Draw neighbours up to N links away ({_DEPTH})."
)
@output_option
@force_option
@click.option("--open", "open_it", is_flag=True, help="Open the map in the browser.")
def command(
    ctx: Invocation,
    format: str | None,
    root: str | None,
    depth: int | None,
    output: str | None,
    force: bool,
    open_it: bool,
) -> int:
    from cairn.workspace.draw import drawn, find_formatter

    if depth is not None and root is None:
        raise UsageError("--depth needs --root NODE.")
    chosen = _format(ctx, format, output, open_it)
    refuse_to_replace(ctx, output, force=force)
    with closing(ctx.app(reads=True)) as app:
        find_formatter(app.registry, chosen)
        part, center = _part(ctx, app, root, depth)
        text = drawn(app, chosen, part, root=center, notes=bool(ctx.verbosity))
    if open_it and ctx.stdout_tty and output in (None, STDOUT):
        output = _temporary()
    deliver(ctx, app.root, text, format=chosen, output=output)
    if open_it:
        _open(ctx, output)
    return 0


def _format(ctx: Invocation, given: str | None, output: str | None, open_it: bool) -> str:
    from cairn.workspace.draw import format_for

    to_file = output not in (None, STDOUT)
    implied = "html" if open_it else format_for(output or "") if to_file else "json" if ctx.json else None
    chosen = given or implied or "ascii"
    if open_it and chosen != "html":
        raise UsageError(f"--open shows html, not {chosen}.")
    if ctx.json and not to_file and chosen != "json":
        raise UsageError(f"--json prints JSON; for {chosen} leave it out, or add -o FILE.")
    return chosen


def _part(ctx: Invocation, app: "App", root: str | None, depth: int | None) -> tuple["Part", str | None]:
    from cairn.graph.subgraph import around, node_called, whole

    store = app.scanned_store()
    if root is None:
        return whole(store), None
    center = node_called(store, root, root=app.root, here=ctx.directory).path
    return around(store, center, _DEPTH if depth is None else depth), center


def _temporary() -> str:
    from tempfile import mkdtemp

    return str(Path(mkdtemp(prefix="cairn-")) / "graph.html")


def _open(ctx: Invocation, output: str | None) -> None:
    """Opens nothing without a terminal, such as in continuous integration."""
    if not ctx.stdout_tty or output is None:
        ctx.out.say("--open needs a terminal; nothing was opened")
        return
    import webbrowser

    if not webbrowser.open((ctx.directory / output).resolve().as_uri()):
        ctx.out.say(f"no browser was found; open {output} in one")
