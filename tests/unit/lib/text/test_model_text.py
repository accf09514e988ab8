"""What a model meant as JSON is found, in the order in which people would look for it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.lib.text.model_text import json_in


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("  [1, 2]\n", [1, 2]),
        ('Here you are:\n```json\n{"a": 1}\n```\nand later {"b": 2}', {"a": 1}),
        ('~~~\nnot it\n~~~\n```\n{"a": "``` { in a text"}\n```', {"a": "``` { in a text"}),
        ('First {"a": 1}, no: {"a": {"b": "}"}} that one.', {"a": {"b": "}"}}),
        ('{"a": 1} {"a": 2}', {"a": 2}),
        ('I thought of {braces} and found {"a": 3}', {"a": 3}),
        ("", None),
        ("nothing at all", None),
        ('{"a": ', None),
        ("[" * 100_000, None),
        ('{"' * 50_000, None),
        ("~~~a\n" * 20_000, None),
    ],
)
def test_found(answer: str, value: Any) -> None:
    assert json_in(answer) == value


@given(st.text())
def test_never_fails(answer: str) -> None:
    json_in(answer)
