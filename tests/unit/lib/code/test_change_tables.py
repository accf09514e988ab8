"""What counts as a change and what does not, as tables of before and after."""

from pathlib import Path
from typing import Any

import pytest

from cairn.lib.code.model import Outline, Symbol
from cairn.lib.code.read import outline
from cairn.lib.yaml.parse import load_yaml

CASES = Path(__file__).parent / "cases"

SUFFIXES = {
    "python": "py", "javascript": "js", "typescript": "ts", "go": "go", "rust": "rs", "java": "java", "c": "c",
    "cpp": "cpp", "csharp": "cs", "ruby": "rb", "php": "php", "kotlin": "kt", "swift": "swift", "bash": "sh",
}  # fmt: skip


def rows(name: str) -> list[Any]:
    loaded = load_yaml((CASES / f"{name}.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, list)
    return loaded


def code_rows() -> list[Any]:
    return [
        pytest.param(f"a.{suffix}", so, before, after, of, id=f"{language}: {what}")
        for language, suffix in SUFFIXES.items()
        for what, so, before, after, of in rows(language)
    ]


def telling_rows() -> list[Any]:
    """Those of code that are not neutral."""
    rows = [(row, row.values) for row in code_rows()]
    return [
        pytest.param(path, before, after, id=row.id) for row, (path, so, before, after, _) in rows if so != "neutral"
    ]


def data_rows() -> list[Any]:
    return [
        pytest.param(path, so, before, after, of, id=f"{path}: {what}")
        for what, path, so, before, after, of in rows("data")
    ]


def file_rows() -> list[Any]:
    return [pytest.param(*row[1:], id=f"{row[1]}: {row[0]}") for row in rows("files")]


def read(path: str, text: str) -> Outline:
    found = outline(path, text.encode())
    assert found.note == ""
    return found


def the(name: str, found: Outline) -> Symbol:
    named = [symbol for symbol in found.symbols if symbol.name == name]
    assert len(named) == 1, f"{name} among {[symbol.name for symbol in found.symbols]}"
    return named[0]


@pytest.mark.parametrize(("path", "so", "before", "after", "of"), [*code_rows(), *data_rows()])
def test_of_a_symbol(path: str, so: str, before: str, after: str, of: str) -> None:
    old, new = the(of, read(path, before)), the(of, read(path, after))
    differs = {part for part in ("interface", "content") if getattr(old, part) != getattr(new, part)}
    assert differs == {"neutral": set(), "content": {"content"}, "interface": {"interface", "content"}}[so]


@pytest.mark.parametrize(("path", "so", "before", "after"), file_rows())
def test_of_a_file(path: str, so: str, before: str, after: str) -> None:
    assert (read(path, before).digest == read(path, after).digest) is (so == "neutral")


@pytest.mark.parametrize(("path", "before", "after"), telling_rows())
def test_what_changes_a_symbol_changes_its_file(path: str, before: str, after: str) -> None:
    assert read(path, before).digest != read(path, after).digest


@pytest.mark.parametrize("language", SUFFIXES)
def test_every_table_is_long_enough(language: str) -> None:
    assert len(rows(language)) >= (60 if language == "python" else 12)
