"""Every command as data: what `cairn help --format json` prints and the documentation is made from."""

from collections.abc import Iterator
from typing import Any

import click

from cairn.cli.define import CONTEXT, CairnCommand, CairnGroup, CommandArgument
from cairn.cli.options import global_options
from cairn.cli.table import ALWAYS, COMMANDS, EXITS


def describe_all(root: click.Group) -> dict[str, Any]:
    ctx = click.Context(root, info_name="cairn", **_settings())
    return {
        "name": "cairn",
        "help": root.help,
        "options": [_option(param, ctx) for param in global_options() if isinstance(param, click.Option)],
        "exitCodes": _exits((*EXITS,)),
        "commands": list(_below(root, ctx)),
    }


def describe(command: click.Command, ctx: click.Context) -> dict[str, Any]:
    """One command and, when it is a group, those below it."""
    shared = {param.name for param in global_options()}
    ours = command if isinstance(command, CairnCommand | CairnGroup) else None
    return {
        "name": ctx.command_path.removeprefix("cairn "),
        "group": _group(ctx),
        "usage": ctx.get_usage().removeprefix("Usage: "),
        "help": command.help or "",
        "arguments": [_argument(p, ctx) for p in command.params if isinstance(p, CommandArgument)],
        "options": [_option(p, ctx) for p in _shown_options(command) if p.name not in shared],
        "examples": [{"command": line, "purpose": purpose} for line, purpose in ours.examples] if ours else [],
        "exitCodes": _exits((*ours.exits, *ALWAYS)) if ours else [],
        "commands": list(_below(command, ctx)) if isinstance(command, click.Group) else [],
    }


def _shown_options(command: click.Command) -> list[click.Option]:
    """Without the hidden ones: old names that only tell you the new one."""
    return [param for param in command.params if isinstance(param, click.Option) and not param.hidden]


def find(root: click.Group, path: tuple[str, ...]) -> tuple[click.Command, click.Context] | str:
    """The command of that name with a context to describe it in, or the part of the name that is not known."""
    command: click.Command = root
    ctx = click.Context(root, info_name="cairn", **_settings())
    for part in path:
        below = command.get_command(ctx, part) if isinstance(command, click.Group) else None
        if below is None:
            return part
        command, ctx = below, click.Context(below, info_name=part, parent=ctx)
    return command, ctx


def names(root: click.Group) -> Iterator[str]:
    """Every command's full name, such as `config get`."""
    for entry in describe_all(root)["commands"]:
        yield from _names(entry)


def _names(entry: dict[str, Any]) -> Iterator[str]:
    yield entry["name"]
    for below in entry["commands"]:
        yield from _names(below)


def _below(group: click.Group, ctx: click.Context) -> Iterator[dict[str, Any]]:
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is not None:
            yield describe(command, click.Context(command, info_name=name, parent=ctx))


def _group(ctx: click.Context) -> str:
    top = ctx.command_path.split()[1]
    return next(command.group for command in COMMANDS if command.name == top)


def _argument(param: CommandArgument, ctx: click.Context) -> dict[str, Any]:
    return {
        "name": param.name,
        "metavar": param.make_metavar(ctx),
        "required": param.required,
        "repeatable": param.nargs == -1,
        **_type(param.type),
        "help": param.help or "",
    }


def _option(param: click.Option, ctx: click.Context) -> dict[str, Any]:
    flag = param.is_flag or param.count
    default = param.get_default(ctx, call=False)
    return {
        "name": param.name,
        "flags": [*param.opts, *param.secondary_opts],
        "required": param.required,
        "repeatable": param.multiple or param.count,
        **({"type": "flag", "choices": None} if flag else _type(param.type)),
        "default": default if isinstance(default, str | int | float | bool) else None,
        "help": param.help or "",
    }


def _type(kind: "click.ParamType[Any]") -> dict[str, Any]:
    choices = [str(choice) for choice in kind.choices] if isinstance(kind, click.Choice) else None
    return {"type": "choice" if choices else kind.name, "choices": choices}


def _exits(codes: tuple[int, ...]) -> list[dict[str, Any]]:
    return [{"code": code, "meaning": EXITS[code]} for code in codes]


def _settings() -> dict[str, Any]:
    return dict(CONTEXT)
