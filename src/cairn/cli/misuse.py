"""What click complains about, in our words: which option, what it takes, and what was probably meant."""

import re
from collections.abc import Sequence

import click

from cairn.errors import UsageError
from cairn.lib.text.names import did_you_mean, nearest

_VALUE = re.compile(r"(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|(\S+)) is not ", re.DOTALL)
"""Click says what was given, but only within its sentence."""
_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


def usage_error(problem: click.ClickException) -> UsageError:
    ctx = problem.ctx if isinstance(problem, click.UsageError) else None
    path = ctx.command_path if ctx else "cairn"
    match problem:
        case click.NoSuchOption():
            return _unknown_option(problem, path, ctx)
        case click.MissingParameter():
            return _missing(problem, path)
        case click.BadOptionUsage():
            return _bad_option(problem, path)
        case click.BadParameter() if problem.param is not None:
            return _bad_value(problem, problem.param, path)
    return _other(problem.format_message(), path, ctx)


def _unknown_option(problem: click.NoSuchOption, path: str, ctx: click.Context | None) -> UsageError:
    known = [flag for param in ctx.command.get_params(ctx) for flag in param.opts] if ctx else []
    hint = did_you_mean(problem.option_name, [flag for flag in known if flag.startswith("--")])
    hint = hint or f"; `{path} --help` lists the options"
    if ctx and any(isinstance(param, click.Argument) and param.nargs == -1 for param in ctx.command.params):
        hint += (
            " To give it as a word, put `--` before it." if hint.endswith("?") else "; `--` before it makes it a word"
        )
    return UsageError(f"unknown option '{problem.option_name}' of `{path}`{hint}", option=problem.option_name)


def _missing(problem: click.MissingParameter, path: str) -> UsageError:
    name = _name(problem.param) if problem.param else "something"
    return UsageError(f"`{path}` needs {name}; `{path} --help` shows how", missing=name)


def _bad_option(problem: click.BadOptionUsage, path: str) -> UsageError:
    name = problem.option_name
    if "not take a value" in problem.message:
        return UsageError(f"{name} is a switch and takes no value; leave out the = and what follows", option=name)
    return UsageError(f"{name} needs a value; `{path} --help` shows how", option=name)


def _bad_value(problem: click.BadParameter, param: click.Parameter, path: str) -> UsageError:
    name, given = _name(param), _given(problem.message)
    if isinstance(param.type, click.Choice):
        known = [str(choice) for choice in param.type.choices]
        near = nearest(given, known)
        hint = f"did you mean '{near}'?" if near else f"write one of {_listed(known)}"
        return UsageError(f"{name} doesn't know '{given}'; {hint}", option=name, known=known)
    if isinstance(param.type, click.types.IntParamType):
        return UsageError(f"{name} takes a whole number{_range(param.type)}, not '{given}'", option=name)
    sentence = " ".join(problem.message.rstrip(".").split())
    return UsageError(f"{name}: {sentence[:1].lower()}{sentence[1:]}; `{path} --help` shows how", option=name)


def _range(type: click.types.IntParamType) -> str:
    if not isinstance(type, click.IntRange):
        return ""
    if type.min is not None and type.max is not None:
        return f" from {type.min:g} to {type.max:g}"
    return f", {type.min:g} or more" if type.min is not None else f", {type.max:g} at most"


def _given(message: str) -> str:
    found = _VALUE.match(message)
    return next((group for group in found.groups() if group is not None), "") if found else "that"


def _name(param: click.Parameter) -> str:
    """Of an option its longest flag, of an argument the name that the help page has for it."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.name or "").upper()


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _other(message: str, path: str, ctx: click.Context | None) -> UsageError:
    extra = _EXTRA.match(message)
    if extra:
        flag = _flag_of(extra[1], ctx)
        hint = f"did you mean `{flag} {extra[1]}`?" if flag else f"`{path} --help` shows what it takes"
        return UsageError(f"`{path}` takes no argument '{extra[1]}'; {hint}")
    if message.startswith("Missing command") and ctx is not None and isinstance(ctx.command, click.Group):
        known = ctx.command.list_commands(ctx)
        if len(known) == 1:
            return UsageError(f"`{path}` alone does nothing; write `{path} {known[0]}`", known=known)
        return UsageError(f"`{path}` needs one of {_listed(known)}; `{path} --help` explains them", known=known)
    sentence = " ".join(message.rstrip(".").split())
    return UsageError(f"{sentence[:1].lower()}{sentence[1:]}; `{path} --help` shows how")


def _flag_of(word: str, ctx: click.Context | None) -> str | None:
    """The option that takes this word: who writes `agent install claude` means `--agent claude`, and who names a file
    to a command that takes a node means that."""
    for param in ctx.command.params if ctx else ():
        if isinstance(param, click.Option) and isinstance(param.type, click.Choice) and word in param.type.choices:
            return _name(param)
        if isinstance(param, click.Option) and param.metavar == "NODE" and ("." in word or "/" in word):
            return _name(param)
    return None
