"""`cairn status`: how things are this morning."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, safe

if TYPE_CHECKING:
    from cairn.workspace.status.context import StatusLine
    from cairn.workspace.status.page import Status

_COLORS = {"error": "red", "warn": "yellow"}


@define(
    "status",
    help="Show what is waiting for you, what happened since yesterday, what is held back and why, and how the "
    "graph and the knowledge are. Changes nothing.",
    examples=(
        ("cairn status", "in the morning"),
        ("cairn status --corpus", "also the entries of each corpus by category"),
        ("cairn status --json", "for a program"),
    ),
    timed=False,
)
@click.option("--corpus", is_flag=True, help="Count the entries of each corpus by category.")
def command(ctx: Invocation, corpus: bool) -> int:
    from cairn.workspace.status.page import status

    with closing(ctx.app(reads=True)) as app:
        found = status(app, by_category=corpus)
    if ctx.json:
        ctx.out.emit_json(found.json())
    else:
        _print(ctx, found)
    return 0


def _print(ctx: Invocation, found: "Status") -> None:
    from cairn.workspace.status.context import SECTIONS

    for section, title in SECTIONS.items():
        lines = found.of(section)
        if lines:
            ctx.out.data(ctx.out.style(title, "bold"))
        for line in lines:
            ctx.out.data(_line(ctx.out, line))
    for problem in _together(found.problems):
        ctx.out.warn(safe(problem))


def _together(problems: Sequence[str]) -> list[str]:
    """One line for one cause: a broken database is no news ten times over."""
    parts: dict[str, list[str]] = {}
    for problem in problems:
        part, _, why = problem.partition(": ")
        parts.setdefault(why, []).append(part)
    return [
        f"{'One section' if len(names) == 1 else f'{len(names)} sections'} could not be computed; the rest is complete"
        f": {', '.join(names)}: {why}"
        for why, names in parts.items()
    ]


def _line(out: Output, line: "StatusLine") -> str:
    color = _COLORS.get(line.level)
    text = out.style(safe(line.text), color) if color else safe(line.text)
    more = f"  {out.style(f'`{line.next}`', 'dim')}" if line.next else ""
    return f"  {text}{more}"
