"""Reads which flags the subcommands of a file of Python take, as argparse, click and typer declare them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cairn.lib.code.python import parse_python


class ParserFlag(NamedTuple):
    forms: frozenset[str]
    """As a command line has it: `--jobs` and `-j`."""
    lines: range
    is_required: bool


class CommandParser:
    """What one subcommand takes, as a file declares it with argparse, click or typer."""

    def __init__(self) -> None:
        self.flags: list[ParserFlag] = []
        self.is_open = False
        """Whether something else may add flags: a function that is called with the parser, or another decorator."""

    @property
    def forms(self) -> frozenset[str]:
        return frozenset().union(*(flag.forms for flag in self.flags))


def command_parsers(data: bytes) -> Mapping[str, CommandParser]:
    """By name: the subcommands that a file declares. The program itself has no name."""
    try:
        tree = parse_python(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, CommandParser] = defaultdict(CommandParser)
    nodes = sorted((node for node in ast.walk(tree) if isinstance(node, ast.stmt)), key=lambda node: node.lineno)
    _ArgumentParsers(found).read(nodes)
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (name := _command_name(node)):
            found[name].is_open |= bool(found[name].flags)
            _read_decorated(node, found[name])
    return found


class _ArgumentParsers:
    """Parsers of argparse, by the variables that hold them."""

    def __init__(self, found: dict[str, CommandParser]) -> None:
        self._found = found
        self._held: dict[str, str] = {}

    def read(self, statements: Iterable[ast.stmt]) -> None:
        for node in statements:
            value = getattr(node, "value", None) if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) else None
            if isinstance(value, ast.Call):
                self._read_call(value)
                command = self._command(value)
                for target in node.targets if isinstance(node, ast.Assign) and command is not None else ():
                    self._held[ast.unparse(target)] = command or ""
            if not isinstance(
                node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If | ast.With | ast.Try
            ):
                self._see_passed(node)

    def _read_call(self, call: ast.Call) -> None:
        if _called(call) == "add_parser" and (name := _text(call)):
            self._found[name].is_open |= bool(self._found[name].flags) or any(
                one.arg == "parents" for one in call.keywords
            )
        if _called(call) == "add_argument" and isinstance(call.func, ast.Attribute):
            command = self._command(call.func.value)
            if command is not None and (flag := _flag(call)):
                self._found[command].flags.append(flag)

    def _command(self, node: ast.expr) -> str | None:
        """The subcommand that an expression is the parser of, or a group of its arguments."""
        if not isinstance(node, ast.Call):
            return self._held.get(ast.unparse(node))
        if _called(node) == "ArgumentParser":
            return ""
        if _called(node) == "add_parser":
            return _text(node) or None
        groups = ("add_argument_group", "add_mutually_exclusive_group", "add_argument")
        return (
            self._command(node.func.value) if _called(node) in groups and isinstance(node.func, ast.Attribute) else None
        )

    def _see_passed(self, node: ast.stmt) -> None:
        """A parser that stands anywhere but before a dot is given to something else."""
        dotted = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Attribute)}
        for one in ast.walk(node):
            read = isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and id(one) not in dotted
            if read and (name := self._held.get(ast.unparse(one))) is not None:
                self._found[name].is_open = True


def _called(node: ast.expr) -> str:
    """The last name of a function that is called, or of a decorator."""
    func = node.func if isinstance(node, ast.Call) else node
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _texts(call: ast.Call) -> list[str]:
    return [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _text(call: ast.Call) -> str:
    return next(iter(_texts(call)), "")


def _flag(call: ast.Call) -> ParserFlag | None:
    """With `required=True`, unless an environment variable or a question may give the value."""
    forms = {form.strip() for text in _texts(call) if text.startswith("-") for form in text.split("/")}
    given = {one.arg: one.value for one in call.keywords}
    required = given.get("required")
    sure = isinstance(required, ast.Constant) and required.value is True and not {"envvar", "prompt"} & given.keys()
    lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
    return ParserFlag(frozenset(forms), lines, sure) if forms else None


_PLAIN = frozenset(("argument", "pass_context", "pass_obj", "version_option", "help_option", "staticmethod"))
"""Decorators that add no options of their own."""


def _command_name(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    for one in function.decorator_list:
        if _called(one) in ("command", "group"):
            named = [key.value for key in one.keywords if key.arg == "name"] if isinstance(one, ast.Call) else []
            given = next((key.value for key in named if isinstance(key, ast.Constant)), None)
            text = _text(one) if isinstance(one, ast.Call) else ""
            return text or (given if isinstance(given, str) else function.name.lower().replace("_", "-"))
    return ""


def _read_decorated(function: ast.FunctionDef | ast.AsyncFunctionDef, parser: CommandParser) -> None:
    for one in function.decorator_list:
        if _called(one) == "option" and isinstance(one, ast.Call):
            parser.flags += [flag] if (flag := _flag(one)) else []
        elif _called(one) not in ("command", "group") and _called(one) not in _PLAIN:
            parser.is_open = True
    parser.is_open |= any(_called(one) == "Option" for one in ast.walk(function.args) if isinstance(one, ast.Call))
