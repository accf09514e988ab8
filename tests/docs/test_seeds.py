"""docs/reference/seeds.md names code and tests that exist, for every requirement."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs/reference/seeds.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" |")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| requirement")
]
SECTIONS = (
    "preface",
    "§1",
    "§2",
    "§4",
    "§5",
    "§6",
    "§7",
    "§8",
    "§9",
    "§10",
    "§11",
    "§13",
    "§16",
    "§19",
    "§20",
    "§21",
    "§23",
)


@cache
def functions_of(path):
    tree = ast.parse(path.read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def missing_test(name):
    file, _, test = name.partition("::")
    path = REPOSITORY / "tests" / file
    return not path.is_file() or (test and f"test_{test}" not in functions_of(path))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:50])
def test_a_requirement_has_code_and_a_test_that_exist(row):
    code, tests = re.findall(r"`([^`]+)`", row[1]), re.findall(r"`([^`]+)`", row[2])
    assert code or row[1] == "no code"
    assert tests
    assert [path for path in code if not (REPOSITORY / "src" / "cairn" / path).is_file()] == []
    assert [name for name in tests if missing_test(name)] == []


def test_every_section_is_there():
    headings = re.findall(r"^## (.*)$", PAGE, re.M)
    assert [name for name in SECTIONS if not any(re.search(rf"{name}\b", heading) for heading in headings)] == []


def test_every_built_in_analyzer_and_extractor_has_a_row():
    kinds = ("analyzers", "extractors")
    modules = [path for kind in kinds for path in (REPOSITORY / "src/cairn/extensions").glob(f"*/{kind}/[a-z]*.py")]
    named = {path for row in ROWS for path in re.findall(r"`([^`]+)`", row[1])}
    assert [m.name for m in modules if str(m.relative_to(REPOSITORY / "src/cairn")) not in named] == []
