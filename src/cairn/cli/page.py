"""The pages that `cairn --help` and `cairn help --all` print, made from the table alone."""

from collections.abc import Sequence

from cairn.cli.table import COMMANDS, FIRST, GLOBAL_OPTIONS, GROUPS, CommandRow

TITLE = "Cairn: the knowledge base that AI agents write, and that keeps itself true."
_USAGE = "Usage: cairn [OPTIONS] COMMAND [ARGS]…"


def top_page() -> str:
    """The commands that most people need, in the order in which they need them."""
    by_name = {command.name: command for command in COMMANDS}
    options = [(", ".join(o.flags) + (f" {o.metavar}" if o.metavar else ""), o.help) for o in GLOBAL_OPTIONS]
    options.append(("-h, --help", "Show this page, or a command's own."))
    return _page(
        _section("commands", _rows([by_name[name] for name in FIRST])),
        _section("options (before or after the command)", options),
        "`cairn COMMAND --help` explains a command, with examples and exit codes.\n"
        "`cairn help --all` lists all commands.",
    )


def full_page() -> str:
    """Every command, by group; other names of a command are left out."""
    shown = [(group, [c for c in COMMANDS if c.group == group and not c.alias]) for group in GROUPS]
    return _page(
        *(_section(group, _rows(commands)) for group, commands in shown if commands),
        "`cairn COMMAND --help` explains a command. `cairn --help` lists the options of every command.",
    )


def _page(*parts: str) -> str:
    return "\n\n".join([f"{_USAGE}\n\n{TITLE}", *parts]) + "\n"


def _rows(commands: Sequence[CommandRow]) -> list[tuple[str, str]]:
    return [(command.name, command.help) for command in commands]


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    width = max(22, *(len(left) for left, _ in rows))
    return "\n".join([f"{title[0].upper()}{title[1:]}:", *(f"  {left:<{width}}  {right}" for left, right in rows)])
