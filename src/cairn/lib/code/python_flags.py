"""Names that Python programs show to their users: flags of the command line, variables of the environment."""

import ast
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from cairn.lib.code.python_form import last_name

WANTED: Final = frozenset({"add_argument", "add_option", "option", "Option", "getenv", "get", "setdefault"})
"""Last names of the functions that define or read such names."""

_FLAG_CALLS: Final = frozenset({"add_argument", "add_option", "option", "Option"})
_VISIBLE: Final = frozenset(
    {"default", "choices", "type", "is_flag", "required", "nargs", "action", "const", "count", "multiple"}
    | {"flag_value", "envvar", "min", "max"}
)
"""What of a flag its users notice; the words of its help are not among it."""


class OutsideName(NamedTuple):
    """A flag or a variable, with what makes its two digests."""

    name: str
    kind: Literal["flag", "key"]
    node: ast.expr
    interface: tuple[ast.AST | str | None, ...]
    rest: tuple[ast.AST | str | None, ...] = ()


def outside_names(calls: Iterable[ast.Call | ast.Subscript]) -> Iterator[OutsideName]:
    for node in calls:
        if isinstance(node, ast.Subscript):
            yield from _variable(node, node.slice, None)
        elif last_name(node.func) in _FLAG_CALLS:
            yield from _flags(node)
        elif node.args and _reads_environment(node.func):
            yield from _variable(node, node.args[0], node.args[1] if len(node.args) > 1 else None)


def flags_of_parameters(
    arguments: ast.arguments,
) -> Iterator[tuple[str, ast.expr, tuple[ast.AST | str | None, ...]]]:
    """What typer makes of parameters whose option does not name its flag."""
    for argument, default in _with_defaults(arguments):
        call = _option_call(default) or _annotated_option(argument.annotation)
        if call is None or _spellings(call):
            continue
        name = "--" + argument.arg.strip("_").replace("_", "-")
        kind = argument.annotation.slice if isinstance(argument.annotation, ast.Subscript) else argument.annotation
        if isinstance(kind, ast.Tuple) and kind.elts:
            kind = kind.elts[0]
        value = default if _option_call(default) is None else (call.args[0] if call.args else None)
        yield name, call, (kind, value, *_options(call, visible=True))


# --- flags ----------------------------------------------------------------------------------------------------------


def _flags(node: ast.Call) -> Iterator[OutsideName]:
    spellings = _spellings(node)
    names = sorted({part for spelling in spellings for part in _split(spelling)})
    long = [name for name in names if name.startswith("--")]
    if any(last_name(word.value) == "BooleanOptionalAction" for word in node.keywords):
        long += [f"--no-{name[2:]}" for name in long]
    others = [one for one in node.args if not _is_spelling(one)]
    interface = (*names, *others, *_options(node, visible=True))
    for name in long or names:
        yield OutsideName(name, "flag", node, interface, tuple(_options(node, visible=False)))


def _spellings(node: ast.Call) -> list[str]:
    return [str(one.value) for one in node.args if isinstance(one, ast.Constant) and _is_spelling(one)]


def _is_spelling(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("-")
        and node.value.strip("-") != ""
        and " " not in node.value.strip()
    )


def _split(spelling: str) -> list[str]:
    """`--color/--no-color` of click is two flags."""
    return [part.strip() for part in spelling.split("/") if part.strip().startswith("-")]


def _options(node: ast.Call, *, visible: bool) -> Iterator[ast.AST | str]:
    """Keyword arguments by name, those that users notice or the others."""
    chosen = [word for word in node.keywords if ((word.arg or "") in _VISIBLE) is visible]
    for word in sorted(chosen, key=lambda word: word.arg or ""):
        yield f"{word.arg}="
        yield word.value


def _option_call(node: ast.expr | None) -> ast.Call | None:
    return node if isinstance(node, ast.Call) and last_name(node.func) == "Option" else None


def _annotated_option(annotation: ast.expr | None) -> ast.Call | None:
    if not isinstance(annotation, ast.Subscript) or last_name(annotation.value) != "Annotated":
        return None
    parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else []
    return next((call for part in parts if (call := _option_call(part))), None)


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    ordered = [*arguments.posonlyargs, *arguments.args]
    bare: list[ast.expr | None] = [None] * (len(ordered) - len(arguments.defaults))
    yield from zip(ordered, [*bare, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


# --- the environment ------------------------------------------------------------------------------------------------


def _reads_environment(function: ast.expr) -> bool:
    if last_name(function) == "getenv":
        return True
    return isinstance(function, ast.Attribute) and last_name(function.value) == "environ"


def _variable(node: ast.expr, name: ast.expr, default: ast.expr | None) -> Iterator[OutsideName]:
    """The default belongs to whoever reads the variable; that it is read is what documents say."""
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isidentifier():
        yield OutsideName(name.value, "key", node, (name.value, default))
