"""Lists every regular expression that the package compiles, and where."""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import cairn

SOURCE = Path(cairn.__file__).parent
_CALLS = frozenset(("compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"))


USED = {
    "cairn.curate.bootstrap_survey._NAMES": "fullmatch",
    "cairn.freshness.diff.python_code._elsewhere": "match",
    "cairn.freshness.diff.requirements.LANGUAGES": "match",
    "cairn.freshness.diff.commands.RUNNERS": "fullmatch",
    "cairn.freshness.diff.values._SHOWN": "fullmatch",
    "cairn.knowledge.corpora._NODE": "fullmatch",
    "cairn.knowledge.corpora._PROCEDURE": "fullmatch",
    "cairn.knowledge.corpora._ROUTES": "fullmatch",
    "cairn.lib.rst.lines._RULE": "match",
    "cairn.lib.yaml.parse._PLAIN_IN_BLOCK": "match",
    "cairn.lib.yaml.parse._PLAIN_IN_FLOW": "match",
}
"""Tables and arguments, whose method the source does not show beside their name."""

BOUNDED = {
    "cairn.agents.mcp_entry._TABLE": "the settings of the user's own host",
    "cairn.curate.import_document._RECORD": "the path of a file",
    "cairn.curate.memory._BY_AGENTS": "the path of a file",
    "cairn.curate.memory._PLACES": "the path of a file",
    "cairn.extensions.core.analyzers.reference_broken._HISTORY": "the path of a file",
    "cairn.extensions.core.extractors.rst_link._BUILT": "one line, and then it matches at once",
    "cairn.extensions.hosts.providers.agent_files._INSTRUCTIONS": "the path of a file",
    "cairn.extensions.hosts.providers.agent_files._NESTED": "the path of a file",
    "cairn.extensions.hosts.providers.agent_files._RULES": "the path of a file",
    "cairn.freshness.diff.code_forms._is_a_form": "300 characters",
    "cairn.freshness.diff.definition._kind_in_data": "1,000 characters of a line",
    "cairn.freshness.diff.definition._kind_inside": "1,000 characters of a line",
    "cairn.freshness.diff.denials._of_language": "300 characters",
    "cairn.freshness.diff.denials:101": "300 characters",
    "cairn.freshness.diff.denials:102": "300 characters",
    "cairn.freshness.editions._PINS": "200 characters",
    "cairn.freshness.signs._LATEST_VALUE": "the beginning of a line",
    "cairn.lib.code.read._SHEBANG": "200 bytes",
    "cairn.knowledge.corpora._TREE": "the path of a file",
    "cairn.lib.html.main._PHRASES": "120 characters",
    "cairn.core.scope._NOISE": "the path of a file",
    "cairn.core.scope._TEST": "the name of a folder",
    "cairn.lib.code.definitions._DEFINED": "400 bytes",
    "cairn.core.scope._CHANGE_GUIDE": "a part of a path",
    "cairn.core.scope._NOT_SHOWN": "600 characters",
    "cairn.core.scope._ON_FORGE": "the path of a file",
    "cairn.core.scope._PAST_FILE": "the name of a file",
    "cairn.core.scope._TRANSLATED_FILE": "the name of a file",
    "cairn.core.scope._VENDORED_FILE": "the name of a file",
    "cairn.lib.rst.inline._NAME_BEFORE": "300 characters",
    "cairn.lib.rst.inline._ROLE_BEFORE": "100 characters",
    "cairn.lib.rst.inline._SCHEME_BEFORE": "16 characters",
    "cairn.lib.markdown.slugs.forms._TAGS": "a text that ends with `>`",
    "cairn.lib.scrub.checks._BEGINS": "80 characters",
    "cairn.lib.scrub.checks._NUMBER_BEFORE": "200 characters",
    "cairn.lib.scrub.checks._EXAMPLE_DOMAIN": "253 characters",
    "cairn.lib.scrub.commands._FLAGS": "the last characters before a flag",
    "cairn.lib.scrub.rules.people._ATOM": "our own table",
    "cairn.lib.scrub.value._NOT_TYPED": "200 characters",
    "cairn.lib.scrub.value._TERM": "200 characters",
    "cairn.workspace.plugins:34": "our own documentation",
}
"""Patterns that only get a short text, and how long it is at most. Whoever removes the bound removes the line."""


class Found(NamedTuple):
    place: str
    """The module, and the name of the constant or function."""
    pattern: "re.Pattern[Any]"
    method: str = ""
    """How it is used: `match` and `fullmatch` start at one place only."""


def every() -> list[Found]:
    """Constants of modules, results of functions that build a pattern once, literals inside functions, patterns that
    functions compose with a word, and those that they build from what they are given."""
    found: dict[tuple[Any, int], Found] = {}
    for module in _modules():
        for one in (*_constants(module), *_built(module), *_literals(module), *_composed(module)):
            found.setdefault((one.pattern.pattern, one.pattern.flags), one)
    used = _uses()
    named = [
        one._replace(method=one.method or USED.get(one.place) or _method(one.place, used)) for one in found.values()
    ]
    known = {one.pattern for one in named}
    named += [one for one in recorded() if one.pattern not in known]
    named = [one for one in named if one.place not in BOUNDED]
    return sorted(named, key=lambda one: (one.place, str(one.pattern.pattern)))


# --- how a pattern is used --------------------------------------------------------------------------------------------

Uses = dict[tuple[str, str], set[str]]
"""Methods by module and name; under an empty name, those that are called on variables of the module."""


def _uses() -> Uses:
    found: Uses = {}
    for module in _modules():
        source = Path(inspect.getfile(module)).read_text(encoding="utf-8")
        origins = _imported(ast.parse(source))
        for name, method in _METHOD.findall(source):
            if method in _CALLS:
                origin = origins.get(name, (module.__name__, name)) if name.lstrip("_")[:1].isupper() else None
                found.setdefault(origin or (module.__name__, ""), set()).add(method)
    return found


def _imported(tree: ast.Module) -> dict[str, tuple[str, str]]:
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {one.asname or one.name: (str(node.module), one.name) for node in imports for one in node.names}


def _method(place: str, used: Uses) -> str:
    """`match` or `fullmatch` only where nothing else is called on it."""
    module, _, name = place.rpartition(".")
    methods = used.get((module, name)) or used.get((module, "")) or {"search"}
    return "search" if methods - {"match", "fullmatch"} else max(methods)  # `match` has to try more


_METHOD = re.compile(r"\b(\w+)(?:\[[^\]\n]*\]|\(\))?\.(\w+)\b(?=\()")


# --- where patterns are -----------------------------------------------------------------------------------------------


def _modules() -> Iterator[Any]:
    for info in pkgutil.walk_packages([str(SOURCE)], "cairn."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _constants(module: Any) -> Iterator[Found]:
    """Those that the module defines itself."""
    imported = _imported(ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8")))
    for name, value in list(vars(module).items()):
        if name.startswith("__") or name in imported:
            continue
        bound = value.__name__ if inspect.isbuiltin(value) else ""
        for pattern in _inside(value, 4):
            yield Found(f"{module.__name__}.{name}", pattern, bound if bound in _CALLS else "")


def _inside(value: Any, depth: int) -> Iterator["re.Pattern[Any]"]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and inspect.isfunction(value) and value.__closure__:
        for cell in value.__closure__:
            with suppress(ValueError):  # of a function that is still being made
                yield from _inside(cell.cell_contents, 0)
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
    inside = {id(call) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for call in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) not in inside:
            continue
        if isinstance(node, ast.Call) and _is_call(node.func) and node.args and isinstance(node.args[0], ast.Constant):
            method = _attribute(node.func)
            flags = next((word.value for word in node.keywords if word.arg == "flags"), None)
            flags = flags or (node.args[1] if _attribute(node.func) == "compile" and len(node.args) > 1 else None)
            pattern = re.compile(node.args[0].value, _flags(flags))
            yield Found(f"{module.__name__}:{node.lineno}", pattern, "search" if method == "compile" else method)


_WORD = "word"
"""Stands for what a function puts into a pattern: mostly a name from a page or from code, escaped."""


def _composed(module: Any) -> Iterator[Found]:
    """`re.search(rf"\\b{re.escape(name)}\\b", …)` inside functions, by the name of the function."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            calls = (node for node in ast.walk(function) if isinstance(node, ast.Call) and _is_call(node.func))
            for call in calls:
                text = _text(call.args[0], vars(module)) if call.args else None
                if text and text != _WORD and not isinstance(call.args[0], ast.Constant):
                    method = _attribute(call.func)
                    with suppress(re.error):  # a word does not stand for every part
                        pattern = re.compile(text)
                        place = f"{module.__name__}.{function.name}"
                        yield Found(place, pattern, "" if method == "compile" else method)


def _text(node: ast.expr, names: dict[str, Any]) -> Any:
    """What the expression gives when every unknown part is a word; None when nothing of it is known."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (str, bytes)) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, names) or _WORD for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return _text(node.value, names)
    if isinstance(node, ast.BinOp):
        return _sum(_text(node.left, names), _text(node.right, names))
    if isinstance(node, ast.Name):
        return _known(names.get(node.id))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return _known(getattr(names.get(node.value.id), node.attr, None))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _changed(node.func.attr, _text(node.func.value, names), node)
    return None


def _known(value: Any) -> Any:
    return value if isinstance(value, (str, bytes)) else None


def _sum(left: Any, right: Any) -> Any:
    word = _WORD.encode() if isinstance(left or right, bytes) else _WORD
    return None if left is None and right is None else (left or word) + (right or word)


def _changed(method: str, text: Any, call: ast.Call) -> Any:
    if text is None or method not in ("format", "encode"):
        return None
    if method == "encode":
        return text.encode()
    return text.format(**{word.arg: _WORD for word in call.keywords if word.arg})


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


# --- patterns that are made while Cairn runs --------------------------------------------------------------------------

_TURNS = 60
_MOST_OF_A_PLACE = 3


def recorded() -> list[Found]:
    """Patterns that functions compile when they get texts: those with a part that is not in the source."""
    from tests.fuzz.functions import call, targets
    from tests.fuzz.texts import case

    with _recording() as compiled:
        for seed in range(_TURNS):
            made = case(Random(seed), longest=400)
            for target in targets():
                with suppress(Exception):  # whatever fails is found by the other test
                    call(target, made, Random(seed))
    by_place: dict[str, list[Found]] = {}
    for place, pattern in compiled:
        by_place.setdefault(place, []).append(Found(place, pattern, "search"))
    return [one for some in by_place.values() for one in dict.fromkeys(some[:_MOST_OF_A_PLACE])]


@contextmanager
def _recording() -> Iterator[dict[tuple[str, "re.Pattern[Any]"], None]]:
    """Everything in `re` goes through one function."""
    compiled: dict[tuple[str, re.Pattern[Any]], None] = {}
    real = re._compile  # type: ignore[attr-defined]

    def record(pattern: Any, flags: int) -> "re.Pattern[Any]":
        made: re.Pattern[Any] = real(pattern, flags)
        caller = sys._getframe(2)
        module = str(caller.f_globals.get("__name__", ""))
        if module.startswith("cairn."):
            compiled[f"{module}:{caller.f_lineno}", made] = None
        return made

    re._compile = record  # type: ignore[attr-defined]
    try:
        yield compiled
    finally:
        re._compile = real  # type: ignore[attr-defined]


if __name__ == "__main__":
    for one in every():
        sys.stdout.write(f"{one.place}\t{one.method}\t{one.pattern.pattern!r}\n")
