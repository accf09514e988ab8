"""The root of all commands: each is imported when it is called."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from cairn.cli.define import CONTEXT, CairnGroup
from cairn.cli.events import told
from cairn.cli.options import Globals, global_options
from cairn.cli.table import COMMANDS, TITLE, top_page

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyGroup(CairnGroup):
    """Knows its commands by the table."""

    def listed_commands(self, ctx: click.Context) -> list[str]:
        return [command.name for command in COMMANDS if not command.alias]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [command.name for command in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = next((command.module for command in COMMANDS if command.name == cmd_name), None)
        if module is None:
            return None
        command = import_module(f"cairn.cli.commands.{module}").command
        assert isinstance(command, click.Command), module
        return command

    def get_help(self, ctx: click.Context) -> str:
        return top_page().rstrip("\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        names = [CompletionItem(c.name, help=c.help) for c in COMMANDS if c.name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


def root_group() -> LazyGroup:
    return LazyGroup(
        "cairn", help=TITLE, params=global_options(), no_args_is_help=False, context_settings=dict(CONTEXT)
    )


def invoke(args: Sequence[str], shared: Globals) -> int:
    """Parses the arguments and runs the command; errors are the boundary's."""
    with told(shared.bus, args) as events:
        events.exit_code = _invoked(args, shared)
    return events.exit_code


def _invoked(args: Sequence[str], shared: Globals) -> int:
    group = root_group()
    try:
        with group.make_context("cairn", list(args), obj=shared) as ctx:
            result = group.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    return int(result or 0)


def complete(instruction: str, env: Mapping[str, str]) -> int:
    """Answers a shell that asks how a line may go on."""
    from click.shell_completion import shell_complete

    return shell_complete(root_group(), {"obj": Globals(env)}, "cairn", COMPLETE, instruction)


COMPLETE = "_CAIRN_COMPLETE"
"""The variable in which a completion script puts its question."""
