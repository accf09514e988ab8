"""Plants small bugs and shows which of them the unit tests notice, before and after modules moved.

usage: python bench/rooms/mutants.py pick BEFORE AFTER FILE    draw 100 mutants that both trees have
       python bench/rooms/mutants.py run TREE FILE OUT         plant each in TREE, run the tests of its module

A mutant is a place in a function, and a function is recognised by its shape: its syntax without names and docstring. So
a mutant survives that its function moves or is renamed. TREE is changed and restored; run it in a tree of its own, with
an environment in `.venv`. The tests of a module are the file that mirrors it, else those of its folder.
"""

import argparse
import ast
import hashlib
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

MIDDLE = ("core kernel graph knowledge changes app workspace capture curate freshness observe retrieve agents").split()
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Place(NamedTuple):
    module: Path
    """Below `src/cairn`."""
    function: str
    line: int


class Mutant(NamedTuple):
    shape: str
    number: int
    """Which of the function's operators is swapped."""


class _Nameless(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "attr", "arg", "name", "module", "asname"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "_")
        for field in ("annotation", "returns"):
            if hasattr(node, field):
                setattr(node, field, None)
        return super().generic_visit(node)


def shape_of(function: Function) -> str:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    copy = ast.parse(ast.unparse(ast.Module([*body], [])))
    return hashlib.sha256(ast.dump(_Nameless().visit(copy)).encode()).hexdigest()[:20]


def operators(function: Function) -> list[tuple[ast.AST, str, int]]:
    """Each with the node and the field that hold it."""
    found: list[tuple[ast.AST, str, int]] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            found += [(node, "ops", index) for index, op in enumerate(node.ops) if type(op) in SWAPPED]
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPPED:
            found.append((node, "op", 0))
    return found


def functions(tree: Path) -> Iterator[tuple[str, Place, int]]:
    """Shapes that occur once, of functions of the middle that have something to swap."""
    source = tree / "src" / "cairn"
    found: dict[str, list[tuple[Place, int]]] = {}
    for path in sorted(source.rglob("*.py")):
        if path.relative_to(source).parts[0] in MIDDLE:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, Function) and (number := len(operators(node))) and len(list(ast.walk(node))) > 60:
                    place = Place(path.relative_to(source), node.name, node.lineno)
                    found.setdefault(shape_of(node), []).append((place, number))
    yield from ((shape, *places[0]) for shape, places in sorted(found.items()) if len(places) == 1)


def pick(before: Path, after: Path, number: int = 100) -> list[Mutant]:
    common = {shape for shape, _, _ in functions(after)}
    known = [(shape, count) for shape, _, count in functions(before) if shape in common]
    draw = random.Random(16)
    return [Mutant(shape, draw.randrange(count)) for shape, count in draw.sample(known, number)]


def mutated(text: str, place: Place, number: int) -> str:
    """Only the lines of the function change, into the same function written anew."""
    tree = ast.parse(text)
    function = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, Function) and (node.name, node.lineno) == (place.function, place.line)
    )
    node, field, index = operators(function)[number]
    if field == "ops" and isinstance(node, ast.Compare):
        node.ops[index] = SWAPPED[type(node.ops[index])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
    first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
    lines = text.splitlines(keepends=True)
    pad = " " * function.col_offset
    anew = "".join(f"{pad}{line}\n" for line in ast.unparse(function).splitlines())
    return "".join(lines[: first - 1]) + anew + "".join(lines[function.end_lineno :])


def tests_of(tree: Path, module: Path) -> list[str]:
    folder = tree / "tests" / "unit" / module.parent
    mirror = folder / f"test_{module.name}"
    while not mirror.exists() and not [*folder.glob("test_*.py")] and folder != tree / "tests":
        folder = folder.parent
    return [str(mirror)] if mirror.exists() else [str(path) for path in sorted(folder.glob("test_*.py"))]


def is_noticed(tree: Path, place: Place, number: int) -> bool:
    path = tree / "src" / "cairn" / place.module
    text = path.read_text("utf-8")
    line = [str(tree / ".venv" / "bin" / "python"), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        path.write_text(mutated(text, place, number), "utf-8")
        done = subprocess.run([*line, *tests_of(tree, place.module)], cwd=tree, capture_output=True, timeout=300)
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, "utf-8")


def run(tree: Path, mutants: list[Mutant], out: Path) -> None:
    places = {shape: place for shape, place, _ in functions(tree)}
    known: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    for shape, number in mutants:
        if shape not in known:
            place = places.get(shape)
            noticed = is_noticed(tree, place, number) if place else None
            known[shape] = {"place": f"{place.module}:{place.function}" if place else "", "noticed": noticed}
            out.write_text(json.dumps(known, indent=1))
    counts = [[one["noticed"] for one in known.values()].count(answer) for answer in (True, False, None)]
    print(f"{counts[0]} noticed, {counts[1]} not noticed, {counts[2]} no longer there")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", choices=("pick", "run"))
    parser.add_argument("given", nargs=3, type=Path)
    work, (one, two, three) = (given := parser.parse_args()).work, given.given
    if work == "pick":
        three.write_text(json.dumps(pick(one, two)))
    else:
        run(one, [Mutant(*each) for each in json.loads(two.read_text())], three)


if __name__ == "__main__":
    main()
