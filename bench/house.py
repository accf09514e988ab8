"""Measures how the house is built: rooms, cycles, names, and how many modules a flow runs through.

usage: python bench/house.py [--json] [--no-flows] [PACKAGE_FOLDER …]

Without a folder: Cairn, with pre-commit and import-linter beside it, both installed into a temporary folder. Statements
are those of the syntax tree. In a flow a module counts when one of its functions ran, in any process; `__init__` and
the extensions do not count. Work at import time counts only where it calls a function.
"""

import argparse
import ast
import json
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import house_flows

ROOMS: dict[str, str] = {
    # before
    "kernel": "core",
    "kernel.text": "lib",
    "kernel.net": "lib",
    "kernel.page": "lib",
    "kernel.code": "lib",
    "kernel.site": "lib",
    "kernel.knowledge": "knowledge",
    "kernel.scan": "graph",
    "kernel.resolve": "graph",
    "kernel.relink": "graph",
    "kernel.rename": "graph",
    "kernel.intake": "graph",
    "kernel.analysis": "graph",
    "kernel.extraction": "graph",
    "kernel.read_phase": "graph",
    "kernel.score": "graph",
    "kernel.sketch": "graph",
    "kernel.touched": "graph",
    "kernel.reading": "graph",
    "kernel.looking": "graph",
    "scrub": "lib",
    "worktree": "base",
    **{
        f"app.{name}": f"features/{name}"
        for name in ("agents", "capture", "curate", "freshness", "observe", "retrieve")
    },
    "app.changes": "changes",
    "app.workspace": "workspace",
    "app.workflows": "workspace",
    "app.demo": "workspace",
    "app.trying": "workspace",
    "app.status": "workspace",
    "app.forgetting": "workspace",
    # before and after
    **{
        name: f"features/{name}"
        for name in ("agents", "capture", "curate", "freshness", "observe", "retrieve", "trust")
    },
    **{name: name for name in ("core", "lib", "graph", "knowledge", "changes", "jobs", "workspace", "app")},
    **{name: name for name in ("extensions", "adapters", "config", "cli", "mcp", "server", "hook")},
    **dict.fromkeys(("errors", "journal", "spool", "plugin", "version", "__init__", "__main__"), "base"),
}
"""The longest beginning of a module's name decides its room."""
MIDDLE = ("core", "graph", "knowledge", "changes", "jobs", "features", "workspace", "app")
"""`lib` is counted beside it, so that moving code there is no way to make the middle smaller unseen."""
LONG_FILE = 500
Reach: TypeAlias = Literal["module", "functions", "types"]
"""Which imports count: at module level, also those inside functions, also those that only a type checker reads."""
_IRREGULAR = frozenset(
    """
    Told Kept Found Given Seen Made Read Said Known Taken Written Done Gone Held Left Lost Meant Met Put Run Sent Set
    Shown Spent Thought Understood Drawn Chosen Born Bound Bought Built Cut Hidden Laid Led Let Sought Sold Split Spread
    """.split()
)


class Module(NamedTuple):
    name: str
    """Without the package: `app.build`."""
    path: Path
    tree: ast.Module
    lines: int

    @property
    def is_init(self) -> bool:
        return self.path.stem == "__init__"

    @property
    def room(self) -> str:
        parts = self.name.split(".")
        found = (ROOMS.get(".".join(parts[:length])) for length in range(len(parts), 0, -1))
        return next((room for room in found if room), "elsewhere")

    @property
    def statements(self) -> int:
        return sum(isinstance(node, ast.stmt) for node in ast.walk(self.tree))


class House:
    """A package, read."""

    def __init__(self, folder: Path) -> None:
        self.package = folder.name
        self.modules = [*_modules(folder)]
        self._by_name = {module.name: module for module in self.modules}

    @cached_property
    def rooms(self) -> dict[str, tuple[int, int]]:
        """Statements and modules of each."""
        statements, modules = Counter[str](), Counter[str]()
        for module in self.modules:
            statements[module.room] += module.statements
            modules[module.room] += not module.is_init
        return {room: (statements[room], modules[room]) for room in sorted(statements)}

    def edges(self, *, reach: Reach) -> dict[str, set[str]]:
        """Which module imports which."""
        return {
            module.name: {
                name for name in self._imported(module, reach) if name in self._by_name and name != module.name
            }
            for module in self.modules
        }

    def cycles(self, *, reach: Reach) -> list[list[str]]:
        return [sorted(group) for group in _groups(self.edges(reach=reach)) if len(group) > 1]

    def _imported(self, module: Module, reach: Reach) -> Iterator[str]:
        for node in _statements(module.tree, reach):
            if isinstance(node, ast.Import):
                yield from (self._short(alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(module, node)
                for alias in node.names:
                    whole = alias.name if base == "__init__" else f"{base}.{alias.name}".lstrip(".")
                    yield whole if whole in self._by_name else base

    def _base(self, module: Module, node: ast.ImportFrom) -> str:
        if not node.level:
            return self._short(node.module or "")
        parts = module.name.split(".") if module.name != "__init__" else []
        up = parts[: len(parts) - node.level + module.is_init] if parts else []
        return ".".join([*up, *([node.module] if node.module else [])])

    def _short(self, name: str) -> str:
        if name == self.package:
            return "__init__"
        return name.removeprefix(f"{self.package}.") if name.startswith(f"{self.package}.") else f"/{name}"

    # --- names and shapes ---------------------------------------------------------------------------------------------

    @cached_property
    def classes(self) -> list[str]:
        nodes = (node for module in self.modules for node in ast.walk(module.tree))
        return [node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]

    @property
    def repeated_classes(self) -> dict[str, int]:
        return {name: times for name, times in Counter(self.classes).most_common() if times > 1}

    @property
    def participles(self) -> list[str]:
        return sorted({name for name in self.classes if _is_participle(name)})

    @property
    def gerunds(self) -> list[str]:
        names = (module.name for module in self.modules if not module.is_init)
        return sorted(name for name in names if name.rpartition(".")[2].endswith("ing") and len(name) > len("thing"))

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        nodes = (node for module in self.modules for node in ast.walk(module.tree))
        return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    @property
    def of_the_whole_application(self) -> int:
        return sum(_takes_app(function) for function in self.functions)

    @property
    def importers_of_build(self) -> int:
        return sum("app.build" in names for names in self.edges(reach="types").values())

    @property
    def only_callers(self) -> list[str]:
        return [module.name for module in self.modules if _only_calls(module.tree)]

    @property
    def feature_pairs(self) -> list[str]:
        """`a > b` for each feature that imports another one."""
        rooms = {module.name: module.room for module in self.modules}
        found = {(rooms[name], rooms[other]) for name, others in self.edges(reach="types").items() for other in others}
        features = [(a, b) for a, b in found if a != b and a.startswith("features/") and b.startswith("features/")]
        return sorted(f"{a.removeprefix('features/')} > {b.removeprefix('features/')}" for a, b in features)

    @property
    def long_files(self) -> list[str]:
        return [module.name for module in self.modules if module.lines > LONG_FILE]


def _modules(folder: Path) -> Iterator[Module]:
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        text = path.read_text("utf-8")
        yield Module(name, path, ast.parse(text), text.count("\n"))


def _statements(tree: ast.Module, reach: Reach) -> Iterator[ast.AST]:
    if reach == "module":
        yield from _at_import(tree.body)
        return
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if reach == "types" or not _is_for_types(node):
            waiting.extend(ast.iter_child_nodes(node))


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _at_import(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """What runs when the module is imported; not what only a type checker reads."""
    for node in body:
        if isinstance(node, ast.If) and _is_for_types(node):
            yield from _at_import(node.orelse)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _at_import([child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)])
            for handler in getattr(node, "handlers", ()):
                yield from _at_import(handler.body)
        else:
            yield node


def _groups(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Strongly connected components (Tarjan), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for start in edges:
        work = [(start, iter(sorted(edges[start])))] if start not in index else []
        while work:
            node, others = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
            for other in others:
                if other not in index:
                    work.append((other, iter(sorted(edges[other]))))
                    break
                if other in stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = stack.index(node)
                    found.append(stack[cut:])
                    del stack[cut:]
    return found


def _is_participle(name: str) -> bool:
    """One word, as `Wanted` or `Told`; `FailedJob` has its noun."""
    one_word = name[1:].islower()
    return one_word and (name in _IRREGULAR or name.endswith(("ed", "ing")))


def _takes_app(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any(one.annotation is not None and ast.unparse(one.annotation).strip("'\"") == "App" for one in given)


def _only_calls(tree: ast.Module) -> bool:
    """Functions of one statement that call something imported, and nothing else."""
    rest = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr | ast.If)]
    return bool(rest) and all(isinstance(node, ast.FunctionDef) and _is_a_call(node) for node in rest)


def _is_a_call(function: ast.FunctionDef) -> bool:
    body = [node for node in function.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return len(body) == 1 and isinstance(body[0], ast.Return | ast.Expr) and isinstance(body[0].value, ast.Call)


# --- the answer -------------------------------------------------------------------------------------------------------


def measured(house: House) -> dict[str, Any]:
    lengths = [(one.end_lineno or 0) - one.lineno + 1 for one in house.functions]
    middle = [counts for room, counts in house.rooms.items() if room.partition("/")[0] in MIDDLE]
    repeated = house.repeated_classes
    return {
        "modules": sum(not module.is_init for module in house.modules),
        "statements": sum(statements for statements, _ in house.rooms.values()),
        "middle: statements": sum(statements for statements, _ in middle),
        "middle: modules (bar 330)": sum(modules for _, modules in middle),
        "lib: statements": house.rooms.get("lib", (0, 0))[0],
        "lib: modules": house.rooms.get("lib", (0, 0))[1],
        "module cycles, imports at module level": len(house.cycles(reach="module")),
        "module cycles, also imports in functions": len(house.cycles(reach="functions")),
        "module cycles, also imports for types": len(house.cycles(reach="types")),
        "modules in those": sum(map(len, house.cycles(reach="types"))),
        "public class names defined more than once": len(repeated),
        "bare participles as class names": len(house.participles),
        "modules called by a gerund": len(house.gerunds),
        "functions": len(house.functions),
        "functions that take the whole application": house.of_the_whole_application,
        "modules importing app.build": house.importers_of_build,
        "ordered pairs of features, one importing the other": len(house.feature_pairs),
        "modules that only call another": len(house.only_callers),
        f"files of more than {LONG_FILE} lines": len(house.long_files),
        "lines of a function, median": statistics.median(lengths),
        "lines of a function, 90th of 100": sorted(lengths)[len(lengths) * 9 // 10],
    }


def details(house: House) -> dict[str, Any]:
    return {
        "rooms": house.rooms,
        "cycles, imports at module level": house.cycles(reach="module"),
        "cycles, also imports in functions": house.cycles(reach="functions"),
        "cycles, also imports for types": house.cycles(reach="types"),
        "class names defined more than once": house.repeated_classes,
        "participles": house.participles,
        "gerunds": house.gerunds,
        "pairs of features": house.feature_pairs,
        "modules that only call another": house.only_callers,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="PACKAGE_FOLDER")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--no-flows", action="store_true", help="run nothing")
    given = parser.parse_args()
    own = Path(__file__).parent.parent / "src" / "cairn"
    with tempfile.TemporaryDirectory(prefix="cairn-house-") as home:
        others = [] if given.folders else _peers(Path(home))
        houses = [House(folder.resolve()) for folder in given.folders or [own, *others]]
        flows = {} if given.no_flows or given.folders else house_flows.measured(Path(home), own, others)
    answer = {house.package: {**measured(house), **flows.get(house.package, {})} for house in houses}
    told = {"measured": answer, "details": {house.package: details(house) for house in houses}}
    print(json.dumps(told, indent=1) if given.json else text(answer, houses[0]))


def _peers(home: Path) -> list[Path]:
    line = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(home / "peers")]
    subprocess.run([*line, "pre-commit", "import-linter"], check=True, stderr=subprocess.DEVNULL)
    return [home / "peers" / "pre_commit", home / "peers" / "importlinter"]


def text(answer: Mapping[str, Mapping[str, Any]], house: House) -> str:
    names = [*answer]
    rows = [*dict.fromkeys(row for values in answer.values() for row in values)]
    lines = [f"{'':<52}" + "".join(f"{name:>14}" for name in names)]
    lines += [f"{row:<52}" + "".join(f"{answer[name].get(row, '')!s:>14}" for name in names) for row in rows]
    rooms = [f"{room:<24}{statements:>12}{modules:>10}" for room, (statements, modules) in house.rooms.items()]
    lines += ["", f"{house.package + ', by room':<24}{'statements':>12}{'modules':>10}", *rooms]
    for name, value in [*details(house).items()][1:]:
        shown = [f"{key} {times}" for key, times in value.items()] if isinstance(value, dict) else map(str, value)
        lines += ["", f"{name}:", "  " + "\n  ".join(shown)]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
