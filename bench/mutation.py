"""Changes to a codebase: some make a documented sentence false, some change nothing that anybody wrote about.

Nothing here uses Cairn: names are looked up by plain patterns and by Python's own parser, so that what is measured
does not choose its own examples.
"""

import ast
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

Tree = Mapping[str, str]
"""Path to text."""

FALSIFYING = ("rename", "default", "flag", "move", "value")
NEUTRAL = ("format", "comments", "reorder", "local")

_HISTORY = re.compile(r"(?i)(change|release|history|news|licen[cs]e|migrat|upgrad)")  # tells of the past on purpose
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_TOKEN = re.compile(r"(--[a-z][\w-]+|[A-Za-z_][\w.]*)(?:\(.*\))?")
_STRUCTURED = re.compile(r"_|[a-z][A-Z]|^[A-Z][a-z]+[A-Z]|^[A-Z]{2,}_|^--")


class Place(NamedTuple):
    document: str
    line: int


class Mutant(NamedTuple):
    kind: str
    what: str
    edits: Mapping[str, str | None]
    """New texts; None is a file that is gone."""
    expected: frozenset[Place] = frozenset()
    """Sentences that it makes false. Empty for a neutral one."""


def falsifying(tree: Tree, rng: random.Random, most: int) -> list[Mutant]:
    """At most so many of each kind, drawn at random."""
    named = documented(tree)
    found: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in _all_falsifying(tree, named):
        found[mutant.kind].append(mutant)
    return [m for kind in FALSIFYING for m in rng.sample(found[kind], min(most, len(found[kind])))]


def documented(tree: Tree) -> dict[str, frozenset[Place]]:
    """What the documents write as code, outside of fenced blocks, and where."""
    places: dict[str, set[Place]] = defaultdict(set)
    for path, text in tree.items():
        if path.endswith(".md") and not _HISTORY.search(path):
            for number, line in _prose(text):
                for span in _SPAN.findall(line):
                    places[span.strip()].add(Place(path, number))
    return {token: frozenset(where) for token, where in places.items()}


def _prose(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        elif not fence:
            yield number, line


def _names(named: Mapping[str, frozenset[Place]]) -> dict[str, frozenset[Place]]:
    """Names, `Client.connect` included; plain words without any structure are left out."""
    names: dict[str, set[Place]] = defaultdict(set)
    for span, places in named.items():
        token = _TOKEN.fullmatch(span)
        if token and (_STRUCTURED.search(token[1]) or "(" in span or "." in token[1]):
            names[token[1]] |= places
    return {name: frozenset(places) for name, places in names.items()}


# --- false ----------------------------------------------------------------------------------------------------------


def _all_falsifying(tree: Tree, named: Mapping[str, frozenset[Place]]) -> Iterator[Mutant]:
    names = _names(named)
    code = {path: text for path, text in tree.items() if path.endswith(".py") and "test" not in path}
    yield from _moves(tree, named)
    yield from _flags(code, names)
    for name, nodes in _definitions(code).items():
        if len(nodes) == 1:  # of several, nobody can say which one the sentence is about
            path, holder, node = nodes[0]
            spelled = (name, f"{holder}.{name}", f"{PurePosixPath(path).stem}.{name}")
            places = frozenset[Place]().union(*(names.get(spelling, ()) for spelling in spelled))
            if places:
                yield _renamed(tree, name, path, places)
                yield from _other_default(code[path], path, node, name, places)
                yield from _other_value(code[path], path, node, name, places)


def _moves(tree: Tree, named: Mapping[str, frozenset[Place]]) -> Iterator[Mutant]:
    for path in tree:
        if "/" in path and not path.endswith(".md") and path in named:
            yield Mutant("move", path, {path: None, f"elsewhere/{path}": tree[path]}, named[path])


def _flags(code: Tree, names: Mapping[str, frozenset[Place]]) -> Iterator[Mutant]:
    for flag, places in names.items():
        if flag.startswith("--"):
            quoted = re.compile(rf"([\"']){re.escape(flag)}\1")
            holding = {path: text for path, text in code.items() if quoted.search(text)}
            if len(holding) == 1:
                ((path, text),) = holding.items()
                yield Mutant("flag", flag, {path: quoted.sub(rf"\1{flag}-other\1", text)}, places)


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def _definitions(code: Tree) -> dict[str, list[tuple[str, str, Definition]]]:
    """Name to (path, class that holds it, definition)."""
    found: dict[str, list[tuple[str, str, Definition]]] = defaultdict(list)
    for path, text in code.items():
        module = _parsed(text)
        holders = [n for n in ast.walk(module) if isinstance(n, ast.Module | ast.ClassDef)] if module else []
        for holder in holders:
            for node in holder.body:
                if isinstance(node, Definition) and (name := _defined(node)):
                    found[name].append((path, getattr(holder, "name", ""), node))
    return found


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _defined(node: ast.stmt) -> str | None:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None


def _renamed(tree: Tree, name: str, path: str, places: frozenset[Place]) -> Mutant:
    """Everywhere in the code, as a person would do it."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    edits = {p: word.sub(f"{name}_other", t) for p, t in tree.items() if p.endswith(".py") and word.search(t)}
    return Mutant("rename", f"{path}: {name}", edits, places)


def _other_default(text: str, path: str, node: Definition, name: str, places: frozenset[Place]) -> Iterator[Mutant]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if isinstance(d, ast.Constant)]
        for default in defaults[:1]:
            yield Mutant("default", f"{path}: {name}", {path: _flipped(text, default)}, places)


def _other_value(text: str, path: str, node: Definition, name: str, places: frozenset[Place]) -> Iterator[Mutant]:
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
        yield Mutant("value", f"{path}: {name}", {path: _flipped(text, node.value)}, places)


def _flipped(text: str, constant: ast.Constant) -> str:
    value = constant.value
    match value:
        case bool():
            new: object = not value
        case int() | float():
            new = value + 1
        case str():
            new = value + "x"
        case _:
            new = 1
    return _replaced(text, [(constant, repr(new))])


def _replaced(text: str, changes: list[tuple[ast.expr, str]]) -> str:
    """Offsets of the parser count bytes."""
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for node, new in sorted(changes, key=lambda change: (change[0].lineno, change[0].col_offset), reverse=True):
        assert node.end_lineno is not None and node.end_col_offset is not None
        first, last = lines[node.lineno - 1], lines[node.end_lineno - 1]
        merged = first[: node.col_offset] + new.encode() + last[node.end_col_offset :]
        lines[node.lineno - 1 : node.end_lineno] = [merged]
    return b"".join(lines).decode()


# --- neutral --------------------------------------------------------------------------------------------------------


def neutral(tree: Tree, rng: random.Random, most: int) -> list[Mutant]:
    """At most so many of each kind, drawn at random."""
    found: dict[str, list[Mutant]] = defaultdict(list)
    for path, text in tree.items():
        for mutant in _all_neutral(path, text, rng):
            found[mutant.kind].append(mutant)
    return [m for kind in NEUTRAL for m in rng.sample(found[kind], min(most, len(found[kind])))]


def _all_neutral(path: str, text: str, rng: random.Random) -> Iterator[Mutant]:
    if path.endswith(".py"):
        module = _parsed(text)
        if module is not None and module.body:
            yield Mutant("format", path, {path: ast.unparse(module) + "\n"})
            yield Mutant("comments", path, {path: _commented(text, module)})
            yield from _reordered(path, text, module)
            yield from _other_locals(path, text, module, rng)
    elif path.endswith(".json"):
        yield from _json(path, text)
    elif path.endswith((".toml", ".yaml", ".yml", ".cfg", ".ini")):
        yield Mutant("comments", path, {path: f"# looked at\n{text}\n# looked at to the end\n"})
    elif path.endswith((".js", ".ts", ".go", ".rs", ".java", ".c", ".cpp")):
        yield Mutant("comments", path, {path: f"// looked at\n{text}\n// looked at to the end\n"})
        yield Mutant("format", path, {path: re.sub(r"(?m)^( {2}|\t)", "    ", text)})


def _json(path: str, text: str) -> Iterator[Mutant]:
    try:
        value = json.loads(text)
    except ValueError:
        return
    yield Mutant("format", path, {path: json.dumps(value, indent=7)})
    if isinstance(value, dict):
        yield Mutant("reorder", path, {path: json.dumps(dict(reversed(value.items())), indent=2)})


def _commented(text: str, module: ast.Module) -> str:
    lines = text.splitlines(keepends=True)
    for node in reversed(module.body):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        lines.insert(first - 1, "# somebody thought about this\n\n")
    return "".join(lines)


def _reordered(path: str, text: str, module: ast.Module) -> Iterator[Mutant]:
    """Two neighbours that are functions change places."""
    for one, other in zip(module.body, module.body[1:], strict=False):
        if not (isinstance(one, ast.FunctionDef) and isinstance(other, ast.FunctionDef)):
            continue
        if not one.decorator_list and not other.decorator_list:
            lines = text.splitlines(keepends=True)
            assert one.end_lineno is not None and other.end_lineno is not None
            before, between = lines[: one.lineno - 1], lines[one.end_lineno : other.lineno - 1]
            first, second = lines[one.lineno - 1 : one.end_lineno], lines[other.lineno - 1 : other.end_lineno]
            moved = [*before, *second, *between, *first, *lines[other.end_lineno :]]
            yield Mutant("reorder", f"{path}: {one.name}", {path: "".join(moved)})
            return


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
_SCOPES = (*_FUNCTIONS, *_COMPREHENSIONS, ast.Global, ast.Nonlocal)


def _other_locals(path: str, text: str, module: ast.Module, rng: random.Random) -> Iterator[Mutant]:
    functions = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef) and not _has_scopes(n)]
    rng.shuffle(functions)
    for function in functions:
        given = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        stored = sorted({n.id for n in names if isinstance(n.ctx, ast.Store)} - given)
        if stored:
            local = rng.choice(stored)
            changes: list[tuple[ast.expr, str]] = [(n, f"{local}_other") for n in names if n.id == local]
            if not any(isinstance(n, ast.JoinedStr) for n in ast.walk(function)):  # places in f-strings are vague
                yield Mutant("local", f"{path}: {function.name}.{local}", {path: _replaced(text, changes)})
                return


def _has_scopes(function: ast.FunctionDef) -> bool:
    return any(isinstance(n, _SCOPES) for n in ast.walk(function) if n is not function)
