"""Lists every regular expression that the package compiles, and where."""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cairn

SOURCE = Path(cairn.__file__).parent
_CALLS = frozenset(("compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"))


class Found(NamedTuple):
    place: str
    """The module, and the name of the constant or function."""
    pattern: "re.Pattern[Any]"
    method: str = "search"
    """How it is used: `match` and `fullmatch` start at one place only."""


def every() -> list[Found]:
    """Constants of modules, results of functions that build a pattern once, and literals inside functions."""
    found: dict[tuple[Any, int], Found] = {}
    for module in _modules():
        for one in (*_constants(module), *_built(module), *_literals(module)):
            found.setdefault((one.pattern.pattern, one.pattern.flags), one)
    used = _uses()
    named = (one._replace(method=used.get(one.place.rpartition(".")[2], "search")) for one in found.values())
    return sorted(named, key=lambda one: (one.place, str(one.pattern.pattern)))


def _uses() -> dict[str, str]:
    """The method that is called on each name anywhere in the package; `search` when there are several."""
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for name, method in _METHOD.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(method)
    return {name: "search" if methods - {"match", "fullmatch"} else min(methods) for name, methods in found.items()}


_METHOD = re.compile(r"\b(_?[A-Z][A-Z0-9_]+)(?:\[[^\]\n]*\]|\(\))?\.(\w+)\b")


def _modules() -> Iterator[Any]:
    for info in pkgutil.walk_packages([str(SOURCE)], "cairn."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _constants(module: Any) -> Iterator[Found]:
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        for pattern in _inside(value, 4):
            yield Found(f"{module.__name__}.{name}", pattern)


def _inside(value: Any, depth: int) -> Iterator["re.Pattern[Any]"]:
    if isinstance(value, re.Pattern):
        yield value
    elif inspect.ismethod(value) or inspect.isbuiltin(value):
        yield from _inside(getattr(value, "__self__", None), 0)  # `re.compile(…).match`
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from _inside(one, depth - 1)
    elif depth and isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from _inside(one, depth - 1)
    elif depth and hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for one in value.__dataclass_fields__:
            yield from _inside(getattr(value, one), depth - 1)


def _built(module: Any) -> Iterator[Found]:
    """Of functions without parameters that return a pattern."""
    for name, value in list(vars(module).items()):
        function = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else None
        if function is None or getattr(function, "__module__", "") != module.__name__:
            continue
        returned = str(getattr(function, "__annotations__", {}).get("return", ""))
        if "Pattern" in returned and not inspect.signature(function).parameters:
            for pattern in _inside(function(), 4):
                yield Found(f"{module.__name__}.{name}", pattern)


def _literals(module: Any) -> Iterator[Found]:
    """`re.sub(r"…", …)` and `re.compile(r"…")` inside functions."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_call(node.func) and node.args and isinstance(node.args[0], ast.Constant):
            flags = next((word.value for word in node.keywords if word.arg == "flags"), None)
            flags = flags or (node.args[1] if _attribute(node.func) == "compile" and len(node.args) > 1 else None)
            yield Found(f"{module.__name__}:{node.lineno}", re.compile(node.args[0].value, _flags(flags)))


def _is_call(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        and node.attr in _CALLS
    )


def _attribute(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


def _flags(node: ast.expr | None) -> int:
    if node is None:
        return 0
    value = 0
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "re":
            value |= getattr(re, part.attr)
    return value


if __name__ == "__main__":
    for one in every():
        sys.stdout.write(f"{one.place}\t{one.pattern.pattern!r}\n")
