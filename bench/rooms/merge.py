"""Merges modules, by a table.

usage: python bench/rooms/merge.py apply [TABLE]        merge, and rewrite imports, names, strings and pages
       python bench/rooms/merge.py verify REV [TABLE]   every statement is as it was in REV, but for imports and names

A line of the table (default: `merges.txt` beside this file) is

    cairn.a.b + cairn.a.c -> cairn.a.d : Docstring of the result.

Without a docstring, the result has that of the member whose name it keeps, or of the first. Lines below, with a margin,
give names to what two members call alike: `    cairn.a.c.rows -> gap_rows`. Private names and imports get a derived
name if no line gives one; a public name needs a line. A private copy of the same code is dropped. `apply` fails for
results of more than 500 lines, and for cycles of imports at module level. It can be run
again on any tree: it skips lines that are done.
"""

import ast
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import rewrite
from code_names import CodeNames, bindings
from rewrite import ROOT, Change, Package, Shape
from work_tree import clean, file_of, finish, test_of, write

LONGEST = 500
TABLE = Path(__file__).with_name("merges.txt")


@dataclass
class Group:
    target: str
    members: list[str]
    """The one that keeps its name first."""
    docstring: str = ""
    given: dict[str, str] = field(default_factory=dict)
    dropped: set[tuple[str, str]] = field(default_factory=set)
    """Copies: module and name."""

    def is_done(self, package: Package) -> bool:
        others = set(self.members) - {self.target}
        return self.target in package.modules and not others & package.modules.keys()


def read_table(file: Path) -> list[Group]:
    groups: list[Group] = []
    for line in rewrite.table_lines(file):
        left, arrow, right = line.partition(" -> ")
        if not arrow:
            raise SystemExit(f"{file.name}: no ` -> `: {line}")
        if line[0].isspace():
            groups[-1].given[left.strip()] = right.strip()
        else:
            target, _, docstring = (part.strip() for part in right.partition(" : "))
            members = [part.strip() for part in left.split("+")]
            groups.append(Group(target, sorted(members, key=lambda one: one != target), docstring))
    return groups


# --- names ------------------------------------------------------------------------------------------------------------


@dataclass
class Names:
    """Names of the members, as they are in the result."""

    package: Package
    symbols: dict[str, str] = field(default_factory=dict)
    aliases: dict[tuple[str, str], str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, group: Group) -> None:
        taken: dict[str, str] = {}
        for member in group.members:
            names = self.package.by_module[member]
            for name in sorted(names.top.bound):
                self._add_name(group, names, name, taken)
        self._check_built_ins(group, taken)

    def _add_name(self, group: Group, names: CodeNames, name: str, taken: dict[str, str]) -> None:
        symbol = f"{names.module}.{name}"
        target = names.top.imports.get(name)
        meaning = self.package.canonical(target or symbol)
        if target and (self.package.module_of(meaning) in group.members):
            return
        now = group.given.get(symbol, name)
        if now in taken and taken[now] != meaning:
            other = taken[now]
            if target is None and self._is_copy(symbol, other):
                group.dropped.add((names.module, name))
                self.symbols[symbol] = f"{group.target}.{now}"
                self.notes.append(f"{symbol} is a copy of {other}")
                return
            if target is None and not name.startswith("_"):
                self.problems.append(f"{symbol} and {other} have one name; give another one in the table")
                return
            now = self._derived(names.module, name, target, taken)
            self.notes.append(f"{symbol} is now {now}, because of {other}")
        taken[now] = meaning
        if target is None:
            self.symbols[symbol] = f"{group.target}.{now}"
        elif now != name:
            self.aliases[names.module, name] = now

    def _derived(self, module: str, name: str, target: str | None, taken: Iterable[str]) -> str:
        near = (target.split(".")[-2:] if target else module.split("."))[-1 if target is None else 0]
        words = near.strip("_")
        if name.lstrip("_")[:1].isupper() and not name.isupper():
            made = "".join(part.capitalize() for part in words.split("_")) + name.lstrip("_")
        else:
            made = (words.upper() if name.isupper() else words) + "_" + name.lstrip("_")
        made = "_" + made if name.startswith("_") else made
        while made in taken:
            made += "2"
        return made

    def _is_copy(self, one: str, other: str) -> bool:
        shapes = [self._shape(symbol) for symbol in (one, other)]
        return shapes[0] is not None and shapes[0] == shapes[1]

    def _shape(self, symbol: str) -> str | None:
        module, _, name = symbol.rpartition(".")
        if module not in self.package.modules or not name.startswith("_"):
            return None
        names = CodeNames(self.package.by_module[module].text, module)
        found = [node for node in names.tree.body if name in _defined(node)]
        if len(found) != 1:
            return None
        same = Change(self.package, symbols={symbol: "same"})
        visited = Shape(same, names).visit(found[0])
        return ast.dump(visited).replace(f"'{name}'", "'same'") if visited else None

    def _check_built_ins(self, group: Group, taken: dict[str, str]) -> None:
        for member in group.members:
            for use in self.package.by_module[member].uses:
                if use.value is None and use.binding is None and use.name in taken:
                    other = taken[use.name]
                    self.problems.append(f"{other} would hide the built-in `{use.name}` in {member}")
                    break


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {one.id for one in targets if isinstance(one, ast.Name)}


# --- one file of several ----------------------------------------------------------------------------------------------


@dataclass
class Parts:
    """A file, taken apart."""

    docstring: str
    imports: list[str]
    for_types: list[str]
    body: str


def parts_of(text: str, dropped: Iterable[str] = ()) -> Parts:
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    parts, skipped = Parts("", [], [], ""), set[int]()
    for number, node in enumerate(tree.body):
        first = node.lineno - 1
        if number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.docstring = ast.get_source_segment(text, node) or ""
        elif isinstance(node, ast.Import | ast.ImportFrom):
            parts.imports += _each_import(node, lines)
        elif rewrite.is_for_types(_without_dots(node)):
            assert isinstance(node, ast.If)
            for one in node.body:
                if isinstance(one, ast.Import | ast.ImportFrom):
                    parts.for_types += _each_import(one, lines)
        elif _defined(node) & set(dropped):
            decorators = getattr(node, "decorator_list", [])
            first = min([first, *(one.lineno - 1 for one in decorators)])
        else:
            continue
        skipped.update(range(first, node.end_lineno or 0))
    parts.body = "".join(line for number, line in enumerate(lines) if number not in skipped).strip("\n") + "\n"
    return parts


def _without_dots(node: ast.stmt) -> ast.stmt:
    """A block in which imports were replaced by `...`."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
        return ast.If(node.test, body, node.orelse)
    return node


def _each_import(node: ast.Import | ast.ImportFrom, lines: list[str]) -> list[str]:
    """One line a name; an import with a comment stays as it is."""
    whole = "".join(lines[node.lineno - 1 : node.end_lineno]).strip()
    if "#" in whole:
        return [re.sub(r"\n\s*", "\n", whole)]
    said = [one.name + (f" as {one.asname}" if one.asname else "") for one in node.names]
    head = f"from {node.module} import " if isinstance(node, ast.ImportFrom) else "import "
    return [head + one for one in said]


def joined(parts: Sequence[Parts], docstring: str) -> str:
    imports = dict.fromkeys(line for one in parts for line in one.imports)
    for_types = dict.fromkeys(line for one in parts for line in one.for_types if line not in imports)
    if for_types:
        imports["from typing import TYPE_CHECKING"] = None
    else:
        imports.pop("from typing import TYPE_CHECKING", None)
        if any("TYPE_CHECKING" in one.body for one in parts):
            imports["from typing import TYPE_CHECKING"] = None
    block = ["if TYPE_CHECKING:", *(f"    {line}" for line in for_types)] if for_types else []
    bodies = [one.body for one in parts if one.body.strip()]
    return "\n".join([docstring, "", *imports, "", *block, "", *bodies])


def ordered(group: Group, package: Package, problems: list[str]) -> list[str]:
    """Members, each after those that it imports at module level."""
    needs = {member: _needs(member, group, package) for member in group.members}
    found: list[str] = []
    while len(found) < len(group.members):
        ready = [one for one in group.members if one not in found and needs[one] <= set(found)]
        if not ready:
            problems.append(f"{group.target}: the members import each other at module level")
            return group.members
        found.append(ready[0])
    return found


def _needs(member: str, group: Group, package: Package) -> set[str]:
    names = package.by_module[member]
    targets = [
        names.top.imports[name]
        for one in names.imports
        if one.scope is names.top and not one.in_block
        for name, _ in bindings(one.node)
        if name in names.top.imports
    ]
    return {package.module_of(package.canonical(target)) for target in targets} & set(group.members) - {member}


# --- apply ------------------------------------------------------------------------------------------------------------


def change_of(groups: list[Group], package: Package) -> tuple[Change, Names]:
    names = Names(package)
    groups = [group for group in groups if not group.is_done(package)]
    for group in groups:
        missing = [one for one in group.members if one not in package.modules]
        if missing:
            raise SystemExit(f"no such modules: {', '.join(missing)}")
        if group.target not in group.members and group.target in package.modules:
            raise SystemExit(f"{group.target} is there, and no member")
        names.add(group)
    modules = {one: group.target for group in groups for one in group.members if one != group.target}
    groups_of = {one: group.target for group in groups for one in group.members}
    change = Change(package, names.symbols, modules, groups=groups_of, aliases=names.aliases)
    return change, names


def apply(table: Path) -> list[str]:
    package = Package()
    groups = [group for group in read_table(table) if not group.is_done(package)]
    change, names = change_of(groups, package)
    tests = {group.target: _test_files(group, package, names.notes) for group in groups}
    change.tests = {
        one.relative_to(ROOT).as_posix(): test_of(target).relative_to(ROOT).as_posix()
        for target, files in tests.items()
        for one in files
        if one != test_of(target)
    }
    texts = change.all_files()
    problems = names.problems + change.problems
    results = {group.target: _result(group, package, texts, problems) for group in groups}
    for group in groups:
        problems += [f"{one} reads files beside itself" for one in group.members if _reads_beside(one, group, package)]
    if problems:
        return problems
    removed = [package.modules[one] for group in groups for one in group.members]
    for file in removed:
        texts.pop(file, None)
        file.unlink()
    written = [*write(texts)]
    for target, text in results.items():
        file_of(target).parent.mkdir(parents=True, exist_ok=True)
        file_of(target).write_text(text, "utf-8")
        written.append(file_of(target))
    written += _write_tests(tests)
    clean(written, package)
    print("\n".join((*names.notes, *change.notes)))
    return [*_too_long(groups), *finish()]


def _result(group: Group, package: Package, texts: dict[Path, str], problems: list[str]) -> str:
    if group.members == [group.members[0]] and not group.docstring:
        file = package.modules[group.members[0]]
        return texts.get(file, package.files[file].text)
    parts = []
    for member in ordered(group, package, problems):
        file = package.modules[member]
        dropped = [name for module, name in group.dropped if module == member]
        parts.append((member, parts_of(texts.get(file, package.files[file].text), dropped)))
    first = next(part for member, part in parts if member == group.members[0])
    return joined([part for _, part in parts], f'"""{group.docstring}"""' if group.docstring else first.docstring)


def _reads_beside(member: str, group: Group, package: Package) -> bool:
    moved = member.rpartition(".")[0] != group.target.rpartition(".")[0]
    return moved and any(use.name == "__file__" for use in package.by_module[member].uses)


def _test_files(group: Group, package: Package, notes: list[str]) -> list[Path]:
    """Test files that become that of the result: the one that has its name, and those that can be added."""
    own = [test_of(one) for one in group.members if test_of(one) in package.files]
    target = test_of(group.target)
    if target in package.files and target not in own:
        return []
    chosen: list[Path] = []
    for file in own:
        folder_fits = file.parent == target.parent or not (file.parent / "conftest.py").exists()
        if folder_fits and (not chosen or _fits([package.files[one] for one in chosen], package.files[file])):
            chosen.append(file)
        else:
            notes.append(f"{file.relative_to(ROOT)} stays")
    return chosen


def _fits(others: list[CodeNames], one: CodeNames) -> bool:
    texts = [other.text for other in (*others, one)]
    if (
        any(re.search(r"autouse|pytestmark|__file__", text) for text in texts)
        or len("".join(texts).split("\n")) > LONGEST
    ):
        return False
    for other in others:
        for name in other.top.bound & one.top.bound:
            if other.top.imports.get(name, "") != one.top.imports.get(name, "?"):
                return False
    return True


def _write_tests(tests: dict[str, list[Path]]) -> Iterable[Path]:
    for target, files in tests.items():
        place = test_of(target)
        if not files or files == [place]:
            continue
        texts = [file.read_text("utf-8") for file in files]
        text = texts[0]
        if len(texts) > 1:
            parts = [parts_of(one) for one in texts]
            text = joined(parts, parts[0].docstring)
        for file in files:
            file.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.lstrip("\n"), "utf-8")
        yield place


def _too_long(groups: list[Group]) -> list[str]:
    lengths = {group.target: file_of(group.target).read_text("utf-8").count("\n") for group in groups}
    return [f"{target} has {lines} lines" for target, lines in lengths.items() if lines > LONGEST]


def verify(revision: str, table: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        before = Package(rewrite.unpacked(revision, Path(folder)), folders=("src",))
        change, _ = change_of(read_table(table), before)
        return rewrite.differences(change, Package(folders=("src",)))


def main() -> int:
    command, *rest = [*sys.argv[1:], ""][:3]
    words = [word for word in rest if word]
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
