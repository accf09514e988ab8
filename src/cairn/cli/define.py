"""How a command is defined: click underneath, with examples, exit codes and the options that all share.

@define("get", help="Print one value.", examples=(("cairn config get scan.strict", "one value"),), exits=(0, 2, 5))
@argument("key", help="Dotted name of the setting.")
def command(ctx: Invocation, key: str) -> int: ...
"""

from collections.abc import Callable, Sequence
from typing import Any

import click

from cairn.cli.options import Globals, global_options
from cairn.cli.table import EXITS
from cairn.errors import UsageError
from cairn.lib.text.names import did_you_mean

Example = tuple[str, str]
"""(command line, what it is good for)"""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class CommandArgument(click.Argument):
    """A positional argument that can explain itself."""

    def __init__(self, *names: Any, help: str = "", **rest: Any) -> None:
        super().__init__(*names, **rest)
        self.help = help


class _Placed(click.Command):
    """Tells which command was called wrongly also where click's parser forgets to."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as problem:
            problem.ctx = problem.ctx or ctx
            raise


class CairnCommand(_Placed):
    examples: Sequence[Example] = ()
    exits: Sequence[int] = (0, 2)
    timed: bool = True

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        _rows(formatter, "Arguments", [(a.make_metavar(ctx), a.help or "") for a in _arguments(self)])
        _rows(formatter, "Options", own_options(self, ctx))
        _closing(formatter, self.examples, self.exits)


class CairnGroup(_Placed, click.Group):
    """A command that only holds others, such as `cairn config`."""

    examples: Sequence[Example] = ()
    exits: Sequence[int] = (0, 2)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing and not args[0].startswith("-"):
            raise self.unknown(ctx, args[0])
        return super().resolve_command(ctx, args)

    def unknown(self, ctx: click.Context, name: str) -> UsageError:
        known = self.listed_commands(ctx)
        listing = f"{ctx.command_path} --help" if ctx.parent else "cairn help --all"
        hint = did_you_mean(name, known) or f"; `{listing}` lists the commands"
        return UsageError(f"unknown command '{ctx.command_path} {name}'{hint}", command=name)

    def listed_commands(self, ctx: click.Context) -> list[str]:
        """Without other names of commands."""
        return self.list_commands(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        _rows(formatter, "Commands", [(name, _gist(self.commands[name])) for name in self.list_commands(ctx)])
        _rows(formatter, "Options", own_options(self, ctx))
        _closing(formatter, self.examples, self.exits)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _gist(command: click.Command) -> str:
    """The first sentence; whoever wants to know more asks the command itself."""
    first, end, _ = (command.help or "").partition(". ")
    return f"{first}." if end else first


def argument(*names: str, help: str, **rest: Any) -> Callable[[Callable[..., int]], Callable[..., int]]:
    return click.argument(*names, cls=CommandArgument, help=help, **rest)


def define(
    name: str,
    *,
    help: str,
    examples: Sequence[Example],
    exits: Sequence[int] = (0, 2),
    timed: bool = True,
) -> Callable[[Callable[..., int]], CairnCommand]:
    """Turns `def command(ctx: Invocation, …) -> int` into a command. `timed` ends it with `done in …` on stderr."""

    def decorate(function: Callable[..., int]) -> CairnCommand:
        def callback(**given: Any) -> int:
            shared = click.get_current_context().find_object(Globals)
            assert shared is not None
            shared.timed = timed
            return function(shared.invocation(), **given)

        params = list(reversed(getattr(function, "__click_params__", [])))
        command = CairnCommand(name, callback=callback, params=params + global_options(), help=help)
        command.context_settings = dict(CONTEXT)
        command.examples, command.exits, command.timed = examples, exits, timed
        return command

    return decorate


def define_group(
    name: str,
    commands: Sequence[click.Command],
    *,
    help: str,
    examples: Sequence[Example],
    exits: Sequence[int],
    bare: click.Command | None = None,
    bare_options: bool = False,
) -> CairnGroup:
    """`bare` is the one of its commands that runs when none is named; with `bare_options` the group takes its options,
    too."""
    group = CairnGroup(name, list(commands), help=help, params=global_options(), no_args_is_help=False)
    group.context_settings = dict(CONTEXT)
    group.examples, group.exits = examples, exits
    if bare is not None:
        group.invoke_without_command = True
        group.callback = _when_bare(bare)
        shared = {option.name for option in global_options()}
        group.params += [option for option in bare.params if bare_options and option.name not in shared]
    return group


def _when_bare(command: click.Command) -> Callable[[], int]:
    def callback(**options: Any) -> int:
        ctx = click.get_current_context()
        return 0 if ctx.invoked_subcommand else int(ctx.invoke(command, **options))

    return callback


def own_options(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    """The help rows of options that this command alone has."""
    shared = {option.name for option in global_options()}
    options = [p for p in command.params if isinstance(p, click.Option) and p.name not in shared]
    return [record for option in options if (record := option.get_help_record(ctx))]


def _arguments(command: click.Command) -> list[CommandArgument]:
    return [param for param in command.params if isinstance(param, CommandArgument)]


def _rows(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _closing(formatter: click.HelpFormatter, examples: Sequence[Example], exits: Sequence[int]) -> None:
    width = max((len(line) for line, _ in examples), default=0)
    with formatter.section("Examples"):
        for line, purpose in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{line:<{width}}  # {purpose}\n")
    _rows(formatter, "Exit codes", [(str(code), EXITS[code]) for code in exits])
    formatter.write("\nOptions of every command, such as --json, -q or -C DIR: see `cairn --help`.\n")
