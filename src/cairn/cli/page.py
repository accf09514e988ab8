"""The page that `cairn --help` prints, made from the table alone."""

from cairn.cli.table import COMMANDS, GLOBAL_OPTIONS, GROUPS

TITLE = "Cairn: the knowledge base that AI agents write, and that keeps itself true."


def top_page() -> str:
    options = [(", ".join(o.flags) + (f" {o.metavar}" if o.metavar else ""), o.help) for o in GLOBAL_OPTIONS]
    options.append(("-h, --help", "Show this page, or a command's own."))
    parts = [f"Usage: cairn [OPTIONS] COMMAND [ARGS]…\n\n{TITLE}"]
    parts += [_section(group, rows) for group in GROUPS if (rows := _commands(group))]
    parts.append(_section("options (before or after the command)", options))
    parts.append("`cairn COMMAND --help` explains a command, with examples and exit codes.")
    return "\n\n".join(parts) + "\n"


def _commands(group: str) -> list[tuple[str, str]]:
    return [(command.name, command.help) for command in COMMANDS if command.group == group]


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    width = max(22, *(len(left) for left, _ in rows))
    return "\n".join([f"{title[0].upper()}{title[1:]}:", *(f"  {left:<{width}}  {right}" for left, right in rows)])
