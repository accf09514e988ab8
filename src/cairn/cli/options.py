"""The options that every command has, before or after its name, gathered in one place."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cairn.cli.invocation import Invocation
from cairn.cli.output import Output, wants_color
from cairn.cli.table import GLOBAL_OPTIONS, GlobalOption
from cairn.core.event_bus import EventBus
from cairn.core.switches import read_switches
from cairn.version import __version__


class Globals:
    """What was said so far. Click fills it while it parses; the command then gets an `Invocation` made from it."""

    def __init__(self, env: Mapping[str, str]) -> None:
        switches = read_switches(env)
        self.env = env
        self.json = switches.json
        self.no_color = switches.no_color
        self.quiet = False
        self.verbosity = 0
        self.directory: str | None = None
        self.db: str | None = None
        self.timed = False
        self.bus = EventBus()

    def take(self, name: str, value: Any) -> None:
        if name == "verbose":
            self.verbosity += value
        elif name == "directory":
            self.directory = os.path.join(self.directory or "", value)
        else:
            setattr(self, name, value)

    def output(self) -> Output:
        color = wants_color(self.env, self.no_color)
        return Output(sys.stdout, sys.stderr, self.json, self.quiet, self.verbosity, color)

    def invocation(self) -> Invocation:
        return Invocation(
            out=self.output(),
            env=self.env,
            directory=Path(self.directory or "."),
            db=self.db,
            stdin_tty=_is_terminal(sys.stdin),
            stdout_tty=_is_terminal(sys.stdout),
            stderr_tty=_is_terminal(sys.stderr),
            bus=self.bus,
        )


def global_options() -> list[click.Parameter]:
    return [_option(option) for option in GLOBAL_OPTIONS]


def _option(option: GlobalOption) -> click.Option:
    plain_flag = option.metavar is None and option.name != "verbose"
    return click.Option(
        [option.name, *option.flags],
        is_flag=plain_flag or None,  # to click, False means that the value may be left out
        count=option.name == "verbose",
        metavar=option.metavar,
        help=option.help,
        expose_value=False,
        is_eager=True,
        callback=_say_version if option.name == "version" else _remember,
    )


def _remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    shared = ctx.find_object(Globals)
    if value and shared is not None and param.name is not None:
        shared.take(param.name, value)


def _say_version(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"cairn {__version__}")
        ctx.exit()


def _is_terminal(stream: Any) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
