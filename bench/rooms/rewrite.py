"""Renames symbols and modules of the package in all files of the repository, by what each name refers to."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from code_names import CodeNames, Import, Scope, Use, bindings

ROOT = Path(__file__).parents[2]
HERE = "bench/rooms/"
TEXTS = (
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".json",
    ".js",
    ".yml",
    ".yaml",
    ".cfg",
    ".html",
    ".in",
    "Makefile",
    ".sql",
    ".importlinter",
)
KEEP = ("CHANGELOG.md", "bench/house_results/", HERE, "tests/golden/data/")
"""Texts about the past, which name modules as they were."""
PROMISED = "cairn.plugin"
"""Keeps the names that it exports, whatever the classes are called where they are defined."""


def git(*args: str, root: Path = ROOT) -> str:
    return subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True, text=True).stdout


def table_lines(file: Path) -> Iterator[str]:
    for line in file.read_text("utf-8").splitlines():
        if said := re.sub(r"(^|\s)#.*", "", line).rstrip():
            yield said


class Package:
    """The Python files of a work tree, each name resolved to the symbol where it is defined."""

    def __init__(
        self, root: Path = ROOT, folders: tuple[str, ...] = ("src", "tests", "bench", "docs", "plugins")
    ) -> None:
        self.root = root
        self.files: dict[Path, CodeNames] = {}
        self.modules: dict[str, Path] = {}
        for file in sorted(one for folder in folders for one in (root / folder).rglob("*.py")):
            below = file.relative_to(root)
            if "sample" in below.parts or str(below).startswith(HERE):
                continue
            try:
                names = CodeNames(file.read_text("utf-8"), _module(below))
            except (SyntaxError, UnicodeDecodeError):
                continue
            self.files[file] = names
            if below.parts[0] == "src":
                self.modules[names.module] = file

    @cached_property
    def by_module(self) -> dict[str, CodeNames]:
        return {module: self.files[file] for module, file in self.modules.items()}

    def module_of(self, dotted: str) -> str:
        """The longest beginning that is a module, or nothing."""
        while dotted and dotted not in self.modules:
            dotted = dotted.rpartition(".")[0]
        return dotted

    def canonical(self, dotted: str) -> str:
        """The symbol where it is defined, followed through imports."""
        for _ in range(10):
            module = self.module_of(dotted)
            if not module or module == dotted:
                return dotted
            first, *rest = dotted[len(module) + 1 :].split(".")
            imported = self.by_module[module].top.imports.get(first)
            if imported is None or imported == dotted:
                return dotted
            dotted = ".".join((imported, *rest))
        return dotted


def _module(below: Path) -> str:
    parts = below.with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else ("/", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Edit(NamedTuple):
    start: int
    end: int
    text: str


def edited(data: bytes, edits: list[Edit]) -> str:
    done, place = [], 0
    for edit in sorted(set(edits)):
        if edit.start < place:
            raise SystemExit(f"two changes of one place: {edit}: {data[edit.start - 40 : edit.end + 40]!r}")
        done += [data[place : edit.start], edit.text.encode()]
        place = edit.end
    return b"".join((*done, data[place:])).decode()


@dataclass
class Change:
    """What is renamed: symbols by the dotted name of their definition, and modules."""

    package: Package
    symbols: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    tests: Mapping[str, str] = field(default_factory=dict)
    """Files of tests, below the root."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Modules that become part of another one: member to target."""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    aliases: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Names of imports that two members of a group use differently: module and name, with the new name."""
    _new: dict[str, str] = field(default_factory=dict)
    _plans: dict[str, dict[tuple[Scope, str], str]] = field(default_factory=dict)

    def new(self, symbol: str) -> str:
        """The new dotted name of a symbol or module."""
        if symbol not in self._new:
            self._new[symbol] = self._renamed(symbol)
        return self._new[symbol]

    def _renamed(self, symbol: str) -> str:
        if symbol in self.symbols:
            return self.symbols[symbol]
        if symbol in self.modules:
            return self.modules[symbol]
        module = self.package.module_of(symbol)
        if module and module != symbol:
            head, _, last = symbol.rpartition(".")
            return f"{self.new(head)}.{last}"
        return symbol

    # --- names bound in a file ----------------------------------------------------------------------------------------

    def exported(self, module: str, name: str) -> str:
        """How a module calls the thing afterwards that it calls `name` now."""
        names = self.package.by_module.get(module)
        if names is None:
            return name
        if module == PROMISED and name in names.top.imports:
            return name
        return self.plan(names).get((names.top, name), name)

    def plan(self, names: CodeNames) -> dict[tuple[Scope, str], str]:
        """New names of what a file defines and imports."""
        if names.module in self._plans:
            return self._plans[names.module]
        wanted: dict[tuple[Scope, str], str] = {}
        self._plans[names.module] = wanted
        for use in names.uses:
            if use.binding and use.binding.dotted and use.name not in use.binding.imports:
                now = self.new(f"{use.binding.dotted}.{use.name}").rpartition(".")[2]
                if now != use.name:
                    wanted[use.binding, use.name] = now
        for one in names.imports:
            for name, target in bindings(one.node):
                now = self._bound(names, one, name, target)
                if now != name:
                    wanted[one.scope, name] = now
        index = _Index(names)
        for (scope, name), now in [*wanted.items()]:
            if why := self._conflict(names, index, wanted, scope, name, now):
                imported = name in scope.imports
                (self.notes if imported else self.problems).append(f"{names.module}: `{name}` -> `{now}`: {why}")
                if imported:
                    if self._group(names.module):
                        self.problems.append(self.notes.pop())
                    del wanted[scope, name]
        return wanted

    def _bound(self, names: CodeNames, one: Import, name: str, target: str) -> str:
        """The name that an import binds afterwards."""
        if names.module == PROMISED and one.scope is names.top:
            return name
        if one.scope is names.top and (names.module, name) in self.aliases:
            return self.aliases[names.module, name]
        if isinstance(one.node, ast.Import):
            return name
        if target in self.package.modules:
            now = self.new(target).rpartition(".")[2]
            return now if name == target.rpartition(".")[2] else name
        module, _, original = target.rpartition(".")
        now = self.exported(module, original) if module in self.package.modules else original
        inside = self._group(names.module) and self._group(names.module) == self._group(self.package.canonical(target))
        return now if name == original or now != original or inside else name

    def _group(self, dotted: str) -> str:
        return self.groups.get(self.package.module_of(dotted), "")

    def _conflict(
        self,
        names: CodeNames,
        index: "_Index",
        wanted: dict[tuple[Scope, str], str],
        scope: Scope,
        name: str,
        now: str,
    ) -> str:
        if now in scope.bound and wanted.get((scope, now), now) == now and not self._same(names, scope, name, now):
            return "the name is taken"
        others = [key for key, value in wanted.items() if value == now and key[0] is scope and key[1] != name]
        if any(not self._same(names, scope, name, other) for _, other in others):
            return "another one gets this name too"
        for use in index.bound.get((scope, name), ()):
            between = use.scope
            while between is not scope:
                assert between.parent
                if now in between.bound and not self._same_in(between, now, scope, name):
                    return "a name of an inner scope hides it"
                between = between.parent
        for use in index.named.get(now, ()):
            if use.value is None and use.binding is not scope and use.scope.within(scope):
                outer = use.binding
                if (outer is None or (scope is not outer and scope.within(outer))) and not scope.is_class:
                    return "it hides a name of an outer scope"
        return ""

    def _same(self, names: CodeNames, scope: Scope, one: str, other: str) -> bool:
        return self._same_in(scope, one, scope, other)

    def _same_in(self, scope: Scope, one: str, other_scope: Scope, other: str) -> bool:
        targets = [
            scope.imports.get(one, f"{scope.dotted}.{one}"),
            other_scope.imports.get(other, f"{other_scope.dotted}.{other}"),
        ]
        return len({self.package.canonical(target) for target in targets}) == 1

    # --- edits of a file ----------------------------------------------------------------------------------------------

    def edits(self, names: CodeNames) -> list[Edit]:
        return [*self._edits_of_uses(names), *self._edits_of_imports(names)]

    def _edits_of_uses(self, names: CodeNames) -> Iterator[Edit]:
        plan = self.plan(names)
        for use in names.uses:
            if use.binding is not None:
                now = plan.get((use.binding, use.name), use.name)
                if now != use.name:
                    yield Edit(use.start, use.end, now)
            elif use.value is not None and use.target:
                yield from self._edits_of_attribute(names, use)

    def _edits_of_attribute(self, names: CodeNames, use: Use) -> Iterator[Edit]:
        assert use.target and use.value is not None
        holder, _, name = use.target.rpartition(".")
        written = names.data[use.value : use.end].decode()
        module = self.package.canonical(holder)
        if use.target in self.modules and written == use.target:
            yield Edit(use.value, use.end, self.modules[use.target])
        elif module in self.package.modules:
            if self._group(names.module) and self._group(names.module) == self._group(module):
                yield Edit(use.value, use.end, self._alone(names, use, self.exported(module, name)))
                return
            now = self.exported(module, name)
            if now != name:
                yield Edit(use.start, use.end, now)
        else:
            symbol = self.package.canonical(use.target)
            if symbol in self.symbols and self.symbols[symbol].rpartition(".")[2] != name:
                yield Edit(use.start, use.end, self.symbols[symbol].rpartition(".")[2])

    def _alone(self, names: CodeNames, use: Use, now: str) -> str:
        """`module.name` within the module itself."""
        scope: Scope | None = use.scope
        while scope and scope is not names.top:
            if now in scope.bound:
                self.problems.append(f"{names.module}: `{use.value_name}.{use.name}` is hidden by a local name")
            scope = scope.parent
        return now

    def _edits_of_imports(self, names: CodeNames) -> Iterator[Edit]:
        for one in names.imports:
            start, end = names.span(one.node)
            lines = self.import_lines(names, one)
            if lines:
                margin = " " * one.node.col_offset
                yield Edit(start, end, f"\n{margin}".join(lines))
            elif lines is not None:
                whole = not one.in_block and names.data[end : end + 1] == b"\n"
                yield Edit(start - one.node.col_offset, end + 1, "") if whole else Edit(start, end, "...")

    def import_lines(self, names: CodeNames, one: Import) -> list[str] | None:
        """The import as it is written afterwards; none when nothing changes."""
        if isinstance(one.node, ast.Import):
            parts = [(self.modules.get(part.name, part.name), part.asname) for part in one.node.names]
            if parts == [(part.name, part.asname) for part in one.node.names]:
                return None
            return [f"import {name}" + (f" as {said}" if said else "") for name, said in parts]
        if one.node.level or (one.node.module or "").partition(".")[0] != "cairn":
            return None
        group = self._group(names.module)
        found: dict[str, list[str]] = {}
        before = []
        for name, target in bindings(one.node):
            original = target.rpartition(".")[2]
            before.append((one.node.module, original, name))
            if group and group == self._group(self.package.canonical(target)):
                continue
            bound = self.plan(names).get((one.scope, name), name)
            module, now = self._place(target)
            explicit = (
                name == original
                and bound == now
                and any(part.asname == part.name for part in one.node.names if part.name == original)
            )
            said = now if bound == now and not explicit else f"{now} as {bound}"
            found.setdefault(module, []).append(said)
        after = [f"from {module} import {', '.join(dict.fromkeys(said))}" for module, said in found.items()]
        same = [
            (one.node.module, part.name + (f" as {part.asname}" if part.asname else "")) for part in one.node.names
        ] == [(module, part) for module, said in found.items() for part in said]
        return None if same else after

    def _place(self, target: str) -> tuple[str, str]:
        """Module and name that an import takes a thing from, afterwards."""
        if target in self.package.modules:
            head, _, last = self.new(target).rpartition(".")
            return head, last
        module, _, name = target.rpartition(".")
        symbol = self.package.canonical(target)
        if symbol == target and symbol in self.symbols:
            head, _, last = self.symbols[symbol].rpartition(".")
            return head, last
        return self.modules.get(module, module), self.exported(module, name)

    # --- texts --------------------------------------------------------------------------------------------------------

    @cached_property
    def _texts(self) -> tuple[re.Pattern[str], dict[str, str]]:
        known: dict[str, str] = {}
        for old, new in self.modules.items():
            known |= {old: new, old.replace(".", "/"): new.replace(".", "/")}
        for old, new in self.symbols.items():
            module = self.package.module_of(old)
            if old != new:
                rest, now = old[len(module) + 1 :], new[len(self.new(module)) + 1 :]
                known |= {old: new, f"{module}:{rest}": f"{self.new(module)}:{now}"}
        for old, new in self.tests.items():
            known |= {old: new, old.removeprefix("tests/"): new.removeprefix("tests/")}
            known[".".join(Path(old).with_suffix("").parts[1:])] = ".".join(Path(new).with_suffix("").parts[1:])
        olds = sorted(known, key=len, reverse=True)
        if not olds:
            return re.compile(r"(?!)"), known
        alone = "|".join(re.escape(old) for old in olds if "/" not in old)
        paths = "|".join(re.escape(old) for old in olds if "/" in old and not old.endswith(".py"))
        files = "|".join(re.escape(old) for old in olds if old.endswith(".py"))
        forms = [rf"(?<![\w./])(?:{alone})(?!\w|\.\*)"] if alone else []
        forms += [rf"(?<=src/)(?:{paths})(?![\w-])", rf"(?<![\w./])(?:{paths})(?=\.py\b)"] if paths else []
        forms += [rf"(?<![\w.-])(?:{files})(?![\w-])"] if files else []
        return re.compile("|".join(forms)), known

    def edits_of_texts(self, text: str) -> Iterator[Edit]:
        """Modules and symbols that a text names in full."""
        pattern, known = self._texts
        for match in pattern.finditer(text):
            start = len(text[: match.start()].encode())
            yield Edit(start, start + len(match[0].encode()), known[match[0]])

    def renamed_page(self, text: str) -> str:
        """Also modules below the package, as pages name them: `graph/scan.py`."""
        text = edited(text.encode(), [*self.edits_of_texts(text)])
        shorts = {_short(old): _short(new) for old, new in self.modules.items()}
        if not shorts:
            return text
        olds = "|".join(map(re.escape, sorted(shorts, key=len, reverse=True)))
        text = re.sub(rf"(?<=`)(?:{olds})(?=`)", lambda match: shorts[match[0]], text)
        news = "|".join(map(re.escape, set(shorts.values())))
        return re.sub(rf"(`(?:{news})`)(?:, \1)+", r"\1", text)

    def edits_of_prose(self, names: CodeNames) -> Iterator[Edit]:
        """Names in backticks, in docstrings and comments of files that use them."""
        said = {
            name: now for (scope, name), now in self.plan(names).items() if scope is names.top and name[:1].isupper()
        }
        if not said:
            return
        pattern = re.compile(rf"(?<=`)({'|'.join(map(re.escape, said))})(?=[`.(\[])")
        for start, end in prose(names):
            text = names.data[start:end].decode()
            for match in pattern.finditer(text):
                place = start + len(text[: match.start()].encode())
                yield Edit(place, place + len(match[0].encode()), said[match[1]])

    # --- all files ----------------------------------------------------------------------------------------------------

    def rewritten(self, names: CodeNames) -> str:
        edits = self.edits(names)
        spans = [(edit.start, edit.end) for edit in edits] + [names.span(one.node) for one in names.imports]
        others = [*self.edits_of_texts(names.text), *self.edits_of_prose(names)]
        free = [edit for edit in others if not any(start < edit.end and edit.start < end for start, end in spans)]
        chosen: list[Edit] = []
        for edit in sorted(free):
            if not chosen or edit.start >= chosen[-1].end:
                chosen.append(edit)
        return edited(names.data, edits + chosen)

    def all_files(self) -> dict[Path, str]:
        """Every file that changes, with its new text; files that move are still at their old place."""
        found = {}
        for file, names in self.package.files.items():
            now = self.rewritten(names)
            if now != names.text and not str(file.relative_to(self.package.root)).startswith(KEEP):
                found[file] = now
        for below in git("ls-files", root=self.package.root).splitlines():
            file = self.package.root / below
            if file in self.package.files or not below.endswith(TEXTS) or below.startswith(KEEP) or not file.is_file():
                continue
            text = file.read_text("utf-8")
            now = self.renamed_page(text)
            if now != text:
                found[file] = now
        return found


class _Index:
    """Uses of a file by binding and by name."""

    def __init__(self, names: CodeNames) -> None:
        self.bound: dict[tuple[Scope, str], list[Use]] = {}
        self.named: dict[str, list[Use]] = {}
        for use in names.uses:
            self.named.setdefault(use.name, []).append(use)
            if use.binding is not None:
                self.bound.setdefault((use.binding, use.name), []).append(use)


def _short(module: str) -> str:
    return module.removeprefix("cairn.").replace(".", "/") + ".py"


def prose(names: CodeNames) -> Iterator[tuple[int, int]]:
    """Places of docstrings and comments."""
    for node in ast.walk(names.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield names.span(node)
    for token in tokenize.generate_tokens(io.StringIO(names.text).readline):
        if token.type == tokenize.COMMENT:
            before = token.line[: token.start[1]].encode()
            start = names.at(token.start[0], len(before))
            yield start, start + len(token.string.encode())


# --- comparing --------------------------------------------------------------------------------------------------------


class Shape(ast.NodeTransformer):
    """Code without its imports, docstrings and names of modules, every name of the package written in full."""

    def __init__(self, change: Change, names: CodeNames) -> None:
        self.change = change
        self.names = names
        self.at = {use.start: use for use in names.uses if use.target}

    def full(self, target: str | None) -> str:
        symbol = self.change.package.canonical(target or "")
        return self.change.new(symbol) if self.change.package.module_of(symbol) else ""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        use = self.at.get(self.names.at(node.lineno, node.col_offset))
        return ast.Name(self.full(use.target) or node.id) if use else ast.Name(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        end = self.names.at(node.end_lineno or 0, node.end_col_offset or 0)
        use = self.at.get(end - len(node.attr.encode()))
        if use and use.value is not None and (full := self.full(use.target)):
            return ast.Name(full)
        return ast.Attribute(self.visit(node.value), node.attr)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        start, end = self.names.span(node)
        inside = sorted(use.start for use in self.names.uses if start < use.start < end and use.target)
        if inside and node.value == self.names.data[start + 1 : end - 1].decode():
            edits = [
                Edit(self.at[place].start, self.at[place].end, self.full(self.at[place].target)) for place in inside
            ]
            return ast.Constant(edited(self.names.data[:end], edits)[start:])
        return ast.Constant("" if "cairn." in node.value or "/cairn/" in node.value else node.value)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant) and (isinstance(node.value.value, str) or node.value.value is ...):
            return None
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.AST:
        start, _, dotted = self.names.definitions[id(node)]
        use = self.at.get(start)
        new = self.change.new(dotted).rpartition(".")[2] if use else node.name
        done = self.generic_visit(node)
        done.name = new  # type: ignore[attr-defined]
        return done

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition


def shapes(change: Change) -> dict[str, list[tuple[str, str]]]:
    """Statements of each module of the package, by its new name: what they are, and their shape."""
    found: dict[str, list[tuple[str, str]]] = {}
    for module, names in change.package.by_module.items():
        shape, rows = Shape(change, names), found.setdefault(change.new(module), [])
        for node in names.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) or is_for_types(node):
                continue
            said = getattr(node, "name", "") or f"line {node.lineno}"
            visited = shape.visit(node)
            if visited is not None:
                rows.append((f"{module}: {said}", ast.dump(visited)))
    return found


def is_for_types(node: ast.stmt) -> bool:
    """`if TYPE_CHECKING:` with imports only."""
    return (
        isinstance(node, ast.If)
        and ast.unparse(node.test) == "TYPE_CHECKING"
        and not node.orelse
        and all(isinstance(one, ast.Import | ast.ImportFrom) for one in node.body)
    )


def differences(before: Change, after: Package) -> list[str]:
    """Statements that are in one of the two only; a copy that was dropped is none."""
    old, new = shapes(before), shapes(Change(after))
    found = []
    for module in sorted(old.keys() | new.keys()):
        ones, others = old.get(module, []), new.get(module, [])
        known, now = {shape for _, shape in ones}, {shape for _, shape in others}
        found += [f"{name} is gone or changed" for name, shape in ones if shape not in now]
        found += [f"{name} is new" for name, shape in others if shape not in known]
    return found


def unpacked(revision: str, to: Path) -> Path:
    """The Python files of a revision."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", revision, "src"], check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", str(to)], input=archive.stdout, check=True)
    return to
