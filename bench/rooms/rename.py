"""Renames classes, functions and modules, by a table.

usage: python bench/rooms/rename.py apply [TABLE [PREFIX …]]   rename everywhere; with prefixes, only what begins so
       python bench/rooms/rename.py verify REV [TABLE]         every statement is as it was in REV, but for names

A line of the table (default: `names.txt` beside this file) is one of

    cairn.module.OldName -> NewName
    cairn.old.module => cairn.new.module

Names of modules in `->` lines are those before the renaming. `apply` can be run again on any tree: it skips lines of
which the old name is gone. Names that `cairn.plugin` exports stay as they are there.
"""

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import rewrite
from rewrite import ROOT, Change, Package
from work_tree import clean, file_of, finish, test_of, write

TABLE = Path(__file__).with_name("names.txt")


@dataclass
class Table:
    symbols: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def read_table(file: Path, prefixes: tuple[str, ...] = ()) -> Table:
    table = Table()
    for line in rewrite.table_lines(file):
        for arrow, found in ((" -> ", table.symbols), (" => ", table.modules)):
            old, there, new = (part.strip() for part in line.partition(arrow))
            if there and old.startswith(prefixes or ("",)):
                if found.get(old, new) != new:
                    raise SystemExit(f"{file.name}: {old} has two new names")
                found[old] = new
    return table


def change_of(table: Table, package: Package) -> Change:
    """What of the table is still to be done."""
    modules = {
        one: new + one.removeprefix(old)
        for old, new in table.modules.items()
        for one in package.modules
        if one == old or one.startswith(f"{old}.")
    }
    change = Change(package, modules=modules)
    symbols, problems = {}, []
    for old, new in table.symbols.items():
        holder, _, _ = old.rpartition(".")
        if _is_defined(package, old):
            symbols[old] = f"{change.new(holder)}.{new}"
        elif not _is_defined(package, _after(table, f"{holder}.{new}")):
            problems.append(f"{old} is not there, nor its new name")
    change = Change(package, symbols=symbols, modules=modules)
    change.notes += problems
    change.problems += [f"{new} is there" for new in modules.values() if new in package.modules and new not in modules]
    return change


def _after(table: Table, symbol: str) -> str:
    for old, new in table.modules.items():
        if symbol.startswith(f"{old}."):
            return new + symbol.removeprefix(old)
    return symbol


def _is_defined(package: Package, symbol: str) -> bool:
    module = package.module_of(symbol)
    if not module or module == symbol:
        return False
    names = package.by_module[module]
    return any(dotted == symbol for _, _, dotted in names.definitions.values()) or (
        symbol.removeprefix(f"{module}.") in names.top.bound - names.top.imports.keys()
    )


def apply(table: Path, prefixes: tuple[str, ...]) -> list[str]:
    package = Package()
    change = change_of(read_table(table, prefixes), package)
    moving = {test_of(old): test_of(new) for old, new in change.modules.items() if test_of(old) in package.files}
    moving = {old: new for old, new in moving.items() if new not in package.files or new in moving}
    change.tests = {old.relative_to(ROOT).as_posix(): new.relative_to(ROOT).as_posix() for old, new in moving.items()}
    texts = change.all_files()
    if change.problems:
        return change.problems
    for old, new in change.modules.items():
        file = package.modules[old]
        moving[file] = file_of(new).with_suffix("") / "__init__.py" if file.name == "__init__.py" else file_of(new)
    written = [*write(texts)]
    written += _move(moving)
    clean(written, package)
    print("\n".join(change.notes))
    print(f"{len(change.symbols)} names and {len(change.modules)} modules, in {len(texts)} files")
    return finish()


def _move(moving: dict[Path, Path]) -> list[Path]:
    """All are read before any is written, since one may take the place of another."""
    read = {old: old.read_bytes() for old in moving}
    for old in moving:
        old.unlink()
    for old, new in moving.items():
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(read[old])
    return [*moving.values()]


def verify(revision: str, table: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        before = Package(rewrite.unpacked(revision, Path(folder)), folders=("src",))
        change = change_of(read_table(table), before)
        return rewrite.differences(change, Package(folders=("src",)))


def main() -> int:
    command, *words = sys.argv[1:] or [""]
    if command == "apply":
        found = apply(Path(words[0]) if words else TABLE, tuple(words[1:]))
    elif command == "verify" and words:
        found = verify(words[0], Path(words[1]) if len(words) > 1 else TABLE)
    else:
        print(__doc__)
        return 2
    print("\n".join(found) or "fine")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
