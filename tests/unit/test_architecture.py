"""The rules of the house that no linter knows: what may import what, how long things may be, what is public."""

import ast
import configparser
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cairn.plugin
from cairn.extensions import BUILT_INS

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "cairn"
MODULES = sorted(SOURCE.rglob("*.py"))
NAMES = [path.relative_to(SOURCE).as_posix() for path in MODULES]

LONGEST_FUNCTION = 60
LONGEST_FILE = 500


@pytest.fixture(scope="module")
def rules() -> configparser.ConfigParser:
    read = configparser.ConfigParser()
    read.read(ROOT / ".importlinter")
    return read


def lines(rules: configparser.ConfigParser, contract: str, key: str) -> list[str]:
    return [line for line in rules[f"importlinter:contract:{contract}"][key].splitlines() if line]


def layers(rules: configparser.ConfigParser) -> set[str]:
    return {part.strip() for line in lines(rules, "rooms", "layers") for part in line.split("|")}


def test_imports_have_no_exceptions_but_the_demo(rules: configparser.ConfigParser):
    assert "ignore_imports" not in rules["importlinter:contract:rooms"]
    excepted = lines(rules, "pure", "ignore_imports")
    assert all(line.startswith("cairn.workspace.demo.") for line in excepted)


def test_extensions_are_kept_out_of_everything_but_the_public_door(rules: configparser.ConfigParser):
    assert lines(rules, "door", "source_modules") == ["cairn.extensions"]
    kept_out = {f"cairn.{part}" for part in layers(rules) - {"extensions", "plugin"}}
    assert set(lines(rules, "door", "forbidden_modules")) == kept_out


def test_rooms_do_no_input_or_output_of_their_own(rules: configparser.ConfigParser):
    surfaces = {"cli", "mcp", "app", "config", "adapters", "extensions"}
    others = surfaces | {"plugin", "hook", "journal", "worktree", "errors", "version"}
    assert set(lines(rules, "pure", "source_modules")) == {f"cairn.{part}" for part in layers(rules) - others}


def test_every_part_of_the_package_is_in_the_layers(rules: configparser.ConfigParser):
    there = {path.stem for path in SOURCE.glob("*.py")} | {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert there - {"__init__", "__main__"} == layers(rules)


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module or ""


@pytest.mark.parametrize("part", ["core", "lib", "graph", "knowledge", "changes", "workspace"])
def test_core_and_features_open_no_connection(part: str):
    """`urllib.parse` is fine, which import-linter can't tell from `urllib.request`."""
    found = [path for path in sorted((SOURCE / part).rglob("*.py")) if "urllib.request" in set(imports(path))]
    assert found == []


def modules_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print('\\n'.join(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_cairn_imports_nothing_else():
    assert {name for name in modules_after("import cairn") if name.startswith("cairn")} == {"cairn"}
    assert modules_after("import cairn") <= {"cairn"}


def test_importing_the_public_door_is_cheap():
    heavy = {
        "click",
        "sqlite3",
        "jsonschema_rs",
        "ruamel",
        "psycopg",
        "tomllib",
        "importlib.metadata",
        "urllib.request",
    }
    loaded = modules_after("import cairn.plugin")
    assert not heavy & loaded
    assert not {
        name for name in loaded if name.startswith(("cairn.adapters", "cairn.cli", "cairn.app", "cairn.config"))
    }


def test_the_public_surface_is_what_was_promised():
    """Whoever adds a name here promises to keep it; whoever takes one away breaks somebody's plugin."""
    promised = (Path(__file__).parent / "public_surface.txt").read_text().split()
    assert sorted(cairn.plugin.__all__) == promised
    assert all(hasattr(cairn.plugin, name) for name in promised)


def test_the_built_ins_are_one_tuple_that_lists_every_folder():
    assert isinstance(BUILT_INS, tuple)
    folders = {f"cairn.extensions.{path.parent.name}" for path in SOURCE.glob("extensions/*/__init__.py")}
    assert set(BUILT_INS) == folders
    assert BUILT_INS[-1] == "cairn.extensions.core"


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_a_module_says_what_it_is_for_and_is_short(path: Path):
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "it has no docstring"
    assert text.count("\n") <= LONGEST_FILE
    long = [
        (node.name, (node.end_lineno or 0) - node.lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []


def test_no_module_is_called_utils():
    assert [name for name in NAMES if Path(name).stem in ("utils", "helpers", "common", "misc")] == []


def test_nothing_is_left_for_later():
    later = [
        name for name, path in zip(NAMES, MODULES, strict=True) if "NotImplementedError" in path.read_text("utf-8")
    ]
    assert later == []
