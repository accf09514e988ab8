"""Moves functions, classes and constants from one module to another, by a table.

usage: python bench/rooms/relocate.py apply [TABLE]         move, and rewrite imports, strings and pages
       python bench/rooms/relocate.py verify REV [TABLE]    every statement is as it was, but for imports and names

A line of the table (default: `relocations.txt` beside this file) is one of

    cairn.a.thing other_thing -> cairn.b
    cairn.a.thing -> cairn.b.new_name
    cairn.b : Docstring of a module that is not there yet.

Private names that nothing else needs go along. `apply` can be run again on any tree: it skips what is done.
"""

import ast
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import rewrite
from code_names import CodeNames
from merge import Parts, _defined, joined, parts_of
from rewrite import Change, Package
from work_tree import clean, file_of, finish, write

TABLE = Path(__file__).with_name("relocations.txt")


class Table:
    def __init__(self, file: Path) -> None:
        self.wanted: dict[str, str] = {}
        self.docstrings: dict[str, str] = {}
        for line in rewrite.table_lines(file):
            left, arrow, right = (part.strip() for part in line.partition(" -> "))
            if not arrow:
                module, _, said = (part.strip() for part in line.partition(" : "))
                self.docstrings[module] = said
                continue
            first, *others = left.split()
            module = first.rpartition(".")[0]
            for symbol in (first, *(f"{module}.{one}" for one in others)):
                self.wanted[symbol] = right

    def symbols(self, package: Package) -> dict[str, str]:
        """What is still to be moved, with its new dotted name."""
        modules = package.modules.keys() | self.docstrings.keys()
        found = {
            old: f"{new}.{old.rpartition('.')[2]}" if new in modules else new
            for old, new in self.wanted.items()
            if _statements(package, old)
        }
        for symbol in [*found]:
            found |= _helpers(package, symbol, found)
        return found


def _statements(package: Package, symbol: str) -> list[ast.stmt]:
    module, _, name = symbol.rpartition(".")
    names = package.by_module.get(module)
    return [node for node in names.tree.body if name in _defined(node)] if names else []


def _helpers(package: Package, symbol: str, moved: dict[str, str]) -> dict[str, str]:
    """Private names that only what moves to the same place needs."""
    module, _, _ = symbol.rpartition(".")
    target = moved[symbol].rpartition(".")[0]
    names = package.by_module[module]
    needs = {name: _named(names, node) for node in names.tree.body for name in _defined(node)}
    rest = [_named(names, node) for node in names.tree.body if not _defined(node)]
    going = {
        old.rpartition(".")[2]
        for old, new in moved.items()
        if old.startswith(f"{module}.") and new.startswith(f"{target}.")
    }
    before = -1
    while before != len(going):
        before = len(going)
        for name in needs:
            users = [other for other, said in needs.items() if name in said and other != name]
            private = name.startswith("_") and f"{module}.{name}" not in moved
            if private and users and set(users) <= going and not any(name in said for said in rest):
                going.add(name)
    return {f"{module}.{name}": f"{target}.{name}" for name in going if f"{module}.{name}" not in moved}


def _named(names: CodeNames, node: ast.stmt) -> set[str]:
    """Names at the top of the module that the statement uses."""
    start, end = names.span(node)
    start = min([start, *(names.span(one)[0] for one in getattr(node, "decorator_list", []))])
    return {use.name for use in names.uses if start <= use.start < end and use.binding is names.top}


# --- texts ------------------------------------------------------------------------------------------------------------


def _places(text: str, wanted: set[str]) -> Iterator[tuple[int, int]]:
    """First and last line of the statements that define the names, with decorators, comments and the text below."""
    tree, lines = ast.parse(text), text.splitlines()
    for number, node in enumerate(tree.body):
        if not _defined(node) & wanted:
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) - 1
        while first and lines[first - 1].startswith("#") and not lines[first - 1].startswith("# ---"):
            first -= 1
        last = node.end_lineno or 0
        after = tree.body[number + 1] if number + 1 < len(tree.body) else None
        is_value = isinstance(node, ast.Assign | ast.AnnAssign)
        if is_value and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            last = after.end_lineno or 0
        yield first, last


def taken(text: str, wanted: set[str]) -> tuple[str, str]:
    """The rest of a file, and the statements that define the names."""
    lines, places = text.splitlines(keepends=True), [*_places(text, wanted)]
    out = {number for first, last in places for number in range(first, last)}
    moved = "\n\n".join("".join(lines[first:last]) for first, last in places)
    return "".join(line for number, line in enumerate(lines) if number not in out), moved


def apply(table: Path) -> list[str]:
    package = Package()
    read = Table(table)
    symbols = read.symbols(package)
    change = Change(package, symbols)
    texts = change.all_files()
    problems = [*change.problems, *_by_attribute(package, change), *_taken_names(package, symbols)]
    moves: dict[tuple[str, str], set[str]] = {}
    for old, new in symbols.items():
        moves.setdefault((old.rpartition(".")[0], new.rpartition(".")[0]), set()).add(new.rpartition(".")[2])
    if problems:
        return problems
    arriving: dict[str, list[tuple[str, Parts]]] = {}
    for source in {one for one, _ in moves}:
        file = package.modules[source]
        text = texts.get(file, package.files[file].text)
        imports, back = parts_of(text), []
        for (one, target), wanted in moves.items():
            if one == source:
                text, body = taken(text, wanted)
                lines = [*imports.imports, *_own(package, symbols, source, target)]
                part = Parts("", _needed(lines, body, target), _needed(imports.for_types, body, target), body)
                arriving.setdefault(target, []).append((source, part))
                back += [f"from {target} import {name}" for name in sorted(wanted)]
        texts[file] = _with_imports(text, back)
    for target, parts in arriving.items():
        file = file_of(target)
        if target in package.modules:
            texts[file] = _received(texts.get(file, package.files[file].text), target, parts, package)
        else:
            texts[file] = joined([part for _, part in parts], f'"""{read.docstrings[target]}"""')
            file.parent.mkdir(parents=True, exist_ok=True)
    written = [*write(texts)]
    clean(written, package)
    clean([*_without_empty_blocks(written)], package)
    _emptied({one for one, _ in moves}, package)
    print("\n".join(change.notes))
    print(f"{len(symbols)} names, in {len(texts)} files")
    return finish()


def _needed(lines: list[str], body: str, target: str) -> list[str]:
    """Imports of which a text uses a name, and that are not of its own module."""
    words = set(re.findall(r"\w+", body))
    others = [line for line in lines if not line.startswith(f"from {target} import ")]
    return [
        line
        for line in others
        if re.split(r" as | import |^import ", line.split("#")[0].strip())[-1].partition(".")[0] in words
    ]


def _own(package: Package, symbols: dict[str, str], source: str, target: str) -> list[str]:
    """Everything else that the source has, as imports."""
    names = package.by_module[source]
    own = [f"{source}.{name}" for node in names.tree.body for name in sorted(_defined(node))]
    now = [symbols.get(one, one) for one in own]
    return [
        f"from {one.rpartition('.')[0]} import {one.rpartition('.')[2]}"
        for one in now
        if not one.startswith(f"{target}.")
    ]


def _with_imports(text: str, lines: Iterable[str]) -> str:
    part = parts_of(text)
    return joined([Parts("", [*part.imports, *lines], part.for_types, part.body)], part.docstring)


def _received(text: str, target: str, parts: list[tuple[str, Parts]], package: Package) -> str:
    part = parts_of(text)
    known = package.by_module[target].top.imports.values()
    imports = [line for line in part.imports if not line.startswith(f"from {target} import ")]
    first = [one for source, one in parts if any(used.startswith(f"{source}.") for used in known)]
    last = [one for _, one in parts if one not in first]
    return joined([*first, Parts("", imports, part.for_types, part.body), *last], part.docstring)


def _taken_names(package: Package, symbols: dict[str, str]) -> Iterator[str]:
    """Names that another statement of the target has already."""
    for old, new in symbols.items():
        target, _, name = new.rpartition(".")
        there = package.by_module.get(target)
        if new not in symbols and there and any(name in _defined(node) for node in there.tree.body):
            yield f"{old}: {target} has a {name} of its own"


def _by_attribute(package: Package, change: Change) -> Iterator[str]:
    """`module.thing`, which this program can't rewrite."""
    for names in package.files.values():
        for use in names.uses:
            if use.value is not None and use.target:
                symbol = package.canonical(use.target)
                if symbol in change.symbols and use.target.rpartition(".")[0] in package.modules:
                    yield f"{names.module}: {use.value_name}.{use.name}"


def _without_empty_blocks(files: Iterable[Path]) -> Iterator[Path]:
    for file in files:
        if file.suffix == ".py" and (text := file.read_text("utf-8")) != (now := _EMPTY.sub("", text)):
            file.write_text(now, "utf-8")
            yield file


_EMPTY = re.compile(r"^if TYPE_CHECKING:\n    pass\n", re.MULTILINE)


def _emptied(sources: set[str], package: Package) -> None:
    for source in sources:
        file = package.modules[source]
        body = parts_of(file.read_text("utf-8")).body
        if not body.strip():
            print(f"nothing is left in {source}")


def verify(revision: str, table: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        before = Package(rewrite.unpacked(revision, Path(folder)), folders=("src",))
        change = Change(before, Table(table).symbols(before))
        return rewrite.differences(change, Package(folders=("src",)))


def main() -> int:
    command, *words = sys.argv[1:] or [""]
    if command == "apply":
        found = apply(Path(words[0]) if words else TABLE)
    elif command == "verify" and words:
        found = verify(words[0], Path(words[1]) if len(words) > 1 else TABLE)
    else:
        print(__doc__)
        return 2
    print("\n".join(found) or "fine")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
