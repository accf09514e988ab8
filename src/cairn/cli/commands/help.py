"""`cairn help`: explains commands to people, documents and programs."""

from collections.abc import Iterator
from typing import Any

import click

from cairn.cli.define import argument, define
from cairn.cli.describe import describe, describe_all, find, names
from cairn.cli.invocation import Invocation
from cairn.cli.main import root_group
from cairn.cli.table import full_page
from cairn.errors import NotFound, UsageError
from cairn.lib.text.names import did_you_mean


@define(
    "help",
    help="Explain a command. With --format json or md, every command with its arguments, options and exit codes.",
    examples=(
        ("cairn help --all", "the list of all commands"),
        ("cairn help config get", "one command"),
        ("cairn help --format json", "everything, for programs"),
    ),
    exits=(0, 2, 5),
    timed=False,
)
@argument("command", nargs=-1, help="Its name, such as `config get`.")
@click.option("--all", "everything", is_flag=True, help="List all commands.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("human", "md", "json")),
    default="human",
    help="Output format. Default: human.",
)
def command(ctx: Invocation, command: tuple[str, ...], everything: bool, form: str) -> int:
    if command and everything:
        raise UsageError("--all lists all commands; leave out the name of one.")
    root = root_group()
    found = find(root, command)
    if isinstance(found, str):
        name = " ".join(command)
        hint = did_you_mean(name, names(root)) or "; `cairn help --all` lists all commands"
        raise NotFound(f"there is no command '{name}'{hint}", command=name)
    if ctx.json or form == "json":
        ctx.out.emit_json(describe(*found) if command else describe_all(root))
    elif form == "md":
        entries = [describe(*found)] if command else describe_all(root)["commands"]
        ctx.out.data("\n".join(line for entry in entries for line in markdown(entry, 2)).rstrip("\n"))
    elif everything:
        ctx.out.data(full_page().rstrip("\n"))
    else:
        ctx.out.data(found[0].get_help(found[1]).rstrip("\n"))
    return 0


def markdown(entry: dict[str, Any], level: int) -> Iterator[str]:
    """A command's section of a page, and those of the commands below it."""
    yield from (f"{'#' * level} cairn {entry['name']}", "", entry["help"], "", "```", entry["usage"], "```", "")
    if entry["arguments"] or entry["options"]:
        yield from ("| | | |", "|---|---|---|")
        yield from (_row(a["metavar"], a["type"], a["help"]) for a in entry["arguments"])
        yield from (_row(", ".join(o["flags"]), o["type"], o["help"]) for o in entry["options"])
        yield ""
    if entry["examples"]:
        yield from ("```sh", *(f"{e['command']}  # {e['purpose']}" for e in entry["examples"]), "```", "")
    codes = ", ".join(f"{e['code']} {e['meaning']}" for e in entry["exitCodes"])
    yield from (f"Exit codes: {codes}.", "")
    for below in entry["commands"]:
        yield from markdown(below, level + 1)


def _row(name: str, kind: str, text: str) -> str:
    """A bar ends a cell in code too, unless it is escaped."""
    cells = [cell.replace("|", "\\|") for cell in (f"`{name}`", kind, text)]
    return f"| {' | '.join(cells)} |"
