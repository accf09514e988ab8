"""Moves modules to their rooms, by the table in `moves.txt`.

usage: python bench/rooms/move.py apply         move files and rewrite imports, strings and pages, in this work tree
       python bench/rooms/move.py check         modules that the table would put in one place
       python bench/rooms/move.py verify REV    every function is as it was in REV, but for imports and names of modules

`apply` can be run again from any commit before the move: it reads nothing but the table and the tree.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rewrite import HERE, KEEP, ROOT, TEXTS, git

SRC = ROOT / "src"
WITHOUT_PACKAGE = ("tests/unit/test_bad_items.py",)
"""Tests that name modules without `cairn.` in front."""
RESOURCES = {
    "cairn/app/agents/plugin.js": "cairn/agents/plugin.js",
    "cairn/app/agents/skills/": "cairn/agents/skills/",
    "cairn/app/demo/sample/": "cairn/workspace/demo/sample/",
    "cairn/app/demo/talks/": "cairn/workspace/demo/talks/",
    "cairn/app/demo/web/": "cairn/workspace/demo/web/",
    "cairn/app/workflows/": "cairn/workspace/workflows/",
    "cairn/kernel/knowledge/data/": "cairn/knowledge/data/",
    "cairn/kernel/schemas/": "cairn/core/schemas/",
    "cairn/kernel/text/instructions.": "cairn/lib/injection/instructions.",
}
"""Files beside the modules that read them, below `src/`."""
PACKAGES = {
    "cairn/core": "The shared types, the ports, the extension points and the registry. Pure.",
    "cairn/lib": "Libraries that know nothing about Cairn. Pure: text in, values out.",
    "cairn/lib/yaml": "Reads YAML as data, and edits it in place.",
    "cairn/lib/markdown": "Reads Markdown: frontmatter, links, headings, sections, and the places of code.",
    "cairn/lib/document": "Reads a document of any supported format as headings, links, code and prose.",
    "cairn/lib/globs": "Matches paths as git does.",
    "cairn/lib/injection": "Marks texts that order an agent to do harm.",
    "cairn/graph": "The map of a repository: scan, resolve, analyse, rename, compare, export.",
    "cairn/graph/findings": "Turns issues of a scan into findings with proof.",
    "cairn/freshness/diff": "Finds the sentences that a change of the code made false.",
    "cairn/freshness/replay": "Replays a year of runs over a simulated web, on a clock of its own.",
    "cairn/observe/lens_contradictions": "Finds marks and ids of documents that are provably broken.",
    "cairn/workspace/status": "The page that a person opens in the morning, and the lines of each feature.",
    "cairn/workspace/forget": "Forgets a text: finds it, removes it, and proves by a search of bytes that it is gone.",
    "cairn/workspace/demo": "The demo: the repository of a small bakery goes through the whole loop.",
    "cairn/workspace/workflows": "Files for GitHub: scheduled runs, gates on pull requests, versions after merges.",
    "cairn/agents": "Hooks and tools in the settings of agent hosts: install, doctor, uninstall.",
}
"""New packages, and packages of which the description changes."""
TESTS = (
    ("kernel/code/", "lib/code/"),
    ("kernel/net/", "lib/urls/"),
    ("kernel/text/golden/", "lib/yaml/golden/"),
    ("kernel/text/outlines/", "lib/document/outlines/"),
    ("kernel/text/slugs/", "lib/markdown/slugs/"),
    ("kernel/text/test_frontmatter_forms.py", "lib/markdown/test_frontmatter_forms.py"),
    ("kernel/text/", "lib/text/"),
    ("kernel/page/", "lib/html/"),
    ("kernel/model/", "core/model/"),
    ("kernel/ports/", "core/ports/"),
    ("kernel/repository/", "core/repository/"),
    ("kernel/site/", "lib/site/"),
    ("kernel/knowledge/", "knowledge/"),
    ("kernel/", "graph/"),
    ("scrub/", "lib/scrub/"),
    ("app/agents/", "agents/"),
    ("app/capture/", "capture/"),
    ("app/changes/", "changes/"),
    ("app/curate/", "curate/"),
    ("app/freshness/", "freshness/"),
    ("app/observe/", "observe/"),
    ("app/replay/", "freshness/replay/"),
    ("app/retrieve/", "retrieve/"),
    ("app/workflows/", "workspace/workflows/"),
    ("app/test_ledger_items.py", "workspace/test_ledger_items.py"),
)
"""Files of tests that have no module of their name, below `tests/unit/`."""
WORDS = (
    (r'files\("cairn\.kernel"\)', 'files("cairn.core")'),
    (r'files\("cairn\.kernel\.text"\)', 'files("cairn.lib.injection")'),
    (r'files\("cairn\.kernel\.knowledge"\)', 'files("cairn.knowledge")'),
    (r'files\("cairn\.app\.agents"\)', 'files("cairn.agents")'),
    (r"cairn/kernel/schemas", "cairn/core/schemas"),
    (r"cairn/kernel/text/instructions", "cairn/lib/injection/instructions"),
    (r"cairn/kernel/knowledge/data", "cairn/knowledge/data"),
    (r"cairn/app/demo/", "cairn/workspace/demo/"),
    (r"cairn/app/agents/", "cairn/agents/"),
    (r"cairn/app/workflows/", "cairn/workspace/workflows/"),
)


class Move(NamedTuple):
    old: str
    new: str
    file: Path
    """As it is before the move."""

    @property
    def target(self) -> Path:
        below = SRC.joinpath(*self.new.split("."))
        return below / "__init__.py" if self.file.name == "__init__.py" else below.with_suffix(".py")


@cache
def rules() -> tuple[dict[str, str], list[tuple[str, str]]]:
    exact, below = {}, []
    for line in (ROOT / HERE / "moves.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            old, new = (f"cairn.{name}" for name in line.split())
            if old.endswith(".*"):
                below.append((old[:-1], new[:-1]))
            else:
                exact[old] = new
    return exact, sorted(below, key=lambda rule: -len(rule[0]))


def moved(module: str) -> str:
    exact, below = rules()
    if module in exact:
        return exact[module]
    for old, new in below:
        if module.startswith(old):
            return new + module[len(old) :]
        if module == old[:-1]:
            return new[:-1]
    return module


def modules() -> dict[str, Path]:
    found = {}
    for file in map(Path, git("ls-files", "src").split()):
        if file.suffix == ".py" and "sample" not in file.parts:
            parts = file.with_suffix("").parts[1:]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ROOT / file
    return found


def moves() -> list[Move]:
    return [Move(old, moved(old), file) for old, file in modules().items() if moved(old) != old]


def collisions() -> dict[str, list[str]]:
    places = defaultdict(list)
    for old, file in modules().items():
        places[str(Move(old, moved(old), file).target)].append(old)
    return {place: olds for place, olds in places.items() if len(olds) > 1 and not place.endswith("__init__.py")}


# --- texts ------------------------------------------------------------------------------------------------------------


@cache
def names() -> re.Pattern[str]:
    """Any old name of a module, dotted or as a path, the longest first."""
    olds = sorted((move.old for move in moves()), key=len, reverse=True)
    dotted = "|".join(re.escape(old) for old in olds)
    paths = "|".join(re.escape(old.replace(".", "/")) for old in olds)
    forms = (
        rf"(?<![\w./])(?:{dotted})(?!\w|\.\*)",
        rf"(?<=src/)(?:{paths})(?![\w-])",
        rf"(?<![\w./])(?:{paths})(?=\.py\b)",
    )
    return re.compile("|".join(forms))


def renamed(text: str) -> str:
    def new(match: re.Match[str]) -> str:
        old = match[0]
        return moved(old.replace("/", ".")).replace(".", "/") if "/" in old else moved(old)

    for old, now in WORDS:
        text = re.sub(old, now, text)
    return names().sub(new, text)


@cache
def test_names() -> tuple[re.Pattern[str], dict[str, str]]:
    """Files of tests, as pages and other tests name them."""
    below = [(old.relative_to(ROOT / "tests"), new.relative_to(ROOT / "tests")) for old, new in _tests().items()]
    paths = {old.as_posix(): new.as_posix() for old, new in below}
    dotted = {".".join(old.with_suffix("").parts): ".".join(new.with_suffix("").parts) for old, new in below}
    known = paths | {name: new for name, new in dotted.items() if name not in paths}
    olds = sorted(known, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, olds))})(?![\w-])"), known


@cache
def short_names() -> tuple[re.Pattern[str], dict[str, str]]:
    """Modules as pages name them, below `src/cairn`: `kernel/scan.py`."""
    known = {_short(move.old): _short(move.new) for move in moves()}
    olds = sorted(known, key=len, reverse=True)
    return re.compile(rf"(?<=`)(?:{'|'.join(map(re.escape, olds))})(?=`)"), known


def _short(module: str) -> str:
    return module.removeprefix("cairn.").replace(".", "/") + ".py"


def renamed_without_package(text: str) -> str:
    def new(match: re.Match[str]) -> str:
        return moved(f"cairn.{match[1]}").removeprefix("cairn.")

    olds = sorted((move.old.removeprefix("cairn.") for move in moves()), key=len, reverse=True)
    return re.sub(rf'(?<=")({"|".join(map(re.escape, olds))})(?=\.[A-Za-z_])', new, text)


def renamed_in_page(text: str) -> str:
    pattern, known = short_names()
    return pattern.sub(lambda match: known[match[0]], text)


def renamed_tests(text: str) -> str:
    pattern, known = test_names()
    return pattern.sub(lambda match: known[match[0]], text)


def with_imports(text: str, known: set[str]) -> str:
    """`from package import module` becomes one statement a module, since the modules may have parted."""
    lines = text.splitlines(keepends=True)
    for node in sorted(_imports(text), key=lambda node: -node.lineno):
        assert node.module is not None
        parts = [alias for alias in node.names if f"{node.module}.{alias.name}" in known]
        if not parts:
            continue
        margin = " " * node.col_offset
        said = [_statement(node.module, [alias for alias in node.names if alias not in parts])]
        for alias in parts:
            package, _, name = moved(f"{node.module}.{alias.name}").rpartition(".")
            bound = alias.asname or alias.name
            said.append(f"from {package} import {name}" + ("" if name == bound else f" as {bound}"))
        tail = lines[(node.end_lineno or node.lineno) - 1].rstrip("\n")[node.end_col_offset :]
        head = lines[node.lineno - 1][: node.col_offset]
        made = "\n".join(margin + line for line in said if line) + tail + "\n"
        assert not head.strip(), text
        lines[node.lineno - 1 : node.end_lineno] = [made]
    return "".join(lines)


def _imports(text: str) -> Iterator[ast.ImportFrom]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "cairn":
            yield node


def _statement(module: str, aliases: list[ast.alias]) -> str:
    said = [alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in aliases]
    return f"from {module} import {', '.join(said)}" if said else ""


# --- apply ------------------------------------------------------------------------------------------------------------


def rewrite() -> None:
    known = set(modules())
    for file in map(Path, git("ls-files").splitlines()):
        if not file.name.endswith(TEXTS) or str(file).startswith(KEEP) or not (ROOT / file).is_file():
            continue
        text = (ROOT / file).read_text("utf-8")
        now = with_imports(text, known) if file.suffix == ".py" and "sample" not in file.parts else text
        now = renamed_tests(renamed(now))
        now = renamed_in_page(now) if file.suffix == ".md" else now
        now = renamed_without_package(now) if str(file) in WITHOUT_PACKAGE else now
        if now != text:
            (ROOT / file).write_text(now, "utf-8")


def plan() -> dict[Path, Path]:
    """Every file that moves, with its new place."""
    found = {move.file: move.target for move in moves() if move.file.name != "__init__.py"}
    for name in git("ls-files", "src").split("\n"):
        below = name.removeprefix("src/")
        for old, new in RESOURCES.items():
            if below.startswith(old) and (not name.endswith(".py") or "/sample/" in name):
                found[ROOT / name] = SRC / (new + below.removeprefix(old))
    return found | _tests()


def _tests() -> dict[Path, Path]:
    """A test that has the name of a module moves with it."""
    targets, found = {move.old: move.new for move in moves()}, {}
    files = [ROOT / name for name in git("ls-files", "tests/unit").split()]
    for file in files:
        below = file.relative_to(ROOT / "tests/unit").parts[:-1]
        module = ".".join(("cairn", *below, file.stem.removeprefix("test_")))
        if file.name.startswith("test_") and module in targets:
            *rooms, last = targets[module].split(".")[1:]
            found[file] = ROOT.joinpath("tests/unit", *rooms, f"test_{last}.py")
        elif name := _other_test(file.relative_to(ROOT / "tests/unit").as_posix()):
            found[file] = ROOT / "tests/unit" / name
    staying = set(files) - set(found)
    for file, new in found.items():
        if new in staying or list(found.values()).count(new) > 1:
            found[file] = new.with_name(f"{new.stem}_{file.stem.removeprefix('test_')}.py")
    return found


def _other_test(name: str) -> str:
    return next((new + name.removeprefix(old) for old, new in TESTS if name.startswith(old)), "")


def move_files(wanted: dict[Path, Path]) -> None:
    """All are read before any is written, since some take the place of another."""
    assert len(set(wanted.values())) == len(wanted)
    read = {old: (old.read_bytes(), old.stat().st_mode) for old in wanted}
    for old in wanted:
        old.unlink()
    for old, new in wanted.items():
        assert not new.exists(), new
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(read[old][0])
        new.chmod(read[old][1])


def packages(known: dict[str, Path]) -> None:
    """Old packages go when nothing is left in them; new ones get a description."""
    for module, file in known.items():
        if file.name != "__init__.py" or module == "cairn":
            continue
        target = SRC.joinpath(*moved(module).split("."), "__init__.py")
        if target != file and not target.exists() and target.parent.is_dir():
            file.rename(target)
        elif not _lives(file.parent) and any(name.startswith(f"{module}.") for name in known):
            file.unlink()
    for folder, words in PACKAGES.items():
        (SRC / folder).mkdir(parents=True, exist_ok=True)
        (SRC / folder / "__init__.py").write_text(f'"""{words}"""\n')
    for file in SRC.rglob("*.py"):
        assert (file.parent / "__init__.py").exists() or "sample" in file.parts, f"{file.parent} is no package"


def _lives(folder: Path) -> bool:
    return any(file.name != "__init__.py" for file in folder.rglob("*.py"))


# --- verify -----------------------------------------------------------------------------------------------------------


def shape(text: str) -> str:
    """The code without its imports, and without strings that name modules or files of the package."""

    class Bare(ast.NodeTransformer):
        def visit_Import(self, node: ast.Import) -> ast.AST:
            return ast.Pass()

        def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
            return ast.Pass()

        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            return ast.Constant("") if isinstance(node.value, str) and "cairn." in node.value else node

    return ast.dump(Bare().visit(ast.parse(text))).replace("Pass(), ", "")


def verify(revision: str) -> list[str]:
    wrong = []
    for name in git("ls-tree", "-r", "--name-only", revision, "src").split():
        file = Path(name)
        if file.suffix != ".py" or "sample" in file.parts or file.name == "__init__.py":
            continue
        module = ".".join(file.with_suffix("").parts[1:])
        target = SRC.joinpath(*moved(module).split(".")).with_suffix(".py")
        before = git("show", f"{revision}:{name}")
        if not target.exists() or shape(before) != shape(target.read_text("utf-8")):
            wrong.append(f"{name} -> {target.relative_to(ROOT)}")
    return wrong


def main() -> int:
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "check":
        found = [f"{place}: {', '.join(olds)}" for place, olds in collisions().items()]
    elif command == "verify":
        found = verify(sys.argv[2])
    elif command == "apply":
        found = [f"{place}: {', '.join(olds)}" for place, olds in collisions().items()]
        if not found:
            names(), test_names(), short_names()  # computed from the tree as it is before anything moves
            known, wanted = modules(), plan()
            rewrite()
            move_files(wanted)
            packages(known)
            git("add", "-A")
    else:
        print(__doc__)
        return 2
    print("\n".join(found) or "fine")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
