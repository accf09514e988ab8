"""JSON that somebody else may have written."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cairn
from cairn.lib.text.parse_json import parse_json

SOURCES = Path(cairn.__file__).parent
DEEP = "[" * 100_000


@pytest.mark.parametrize("text", [DEEP, DEEP.encode(), "{", ""])
def test_parse_json_raises_value_errors_only(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)
    assert parse_json('{"a": [1]}') == {"a": [1]}


def test_json_that_may_be_bad_is_never_too_deep() -> None:
    """Whoever expects bad JSON expects deep nesting, too: by `parse_json`, or by naming `RecursionError`."""
    raises_both = {"lib/text/parse_json.py", "lib/code/data.py"}
    found = {
        f"{path.relative_to(SOURCES)}:{line}"
        for path in SOURCES.rglob("*.py")
        if path.relative_to(SOURCES).as_posix() not in raises_both
        for line in _careless(ast.parse(path.read_text()))
    }
    assert found == set()


def _careless(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Try):
            continue
        caught = " ".join(ast.unparse(handler.type) if handler.type else "Exception" for handler in node.handlers)
        expects = any(word in caught for word in ("ValueError", "DecodeError"))
        if expects and "RecursionError" not in caught:
            calls = (call for part in node.body for call in ast.walk(part) if isinstance(call, ast.Call))
            yield from (call.lineno for call in calls if ast.unparse(call.func) in ("json.loads", "tomllib.loads"))
