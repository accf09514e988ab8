"""Two sentences: the same, the opposite, about the same, or nothing to do with each other."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.curate.statements import Relation, all_said, compare, statement, statements
from cairn.kernel.text.yaml import load_yaml

CASES: list[dict[str, Any]] = load_yaml((Path(__file__).parent / "statements.yml").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['new']} / {case['old']}")
def test_compare(case: dict[str, Any]) -> None:
    assert compare(statement(case["new"]), statement(case["old"])).relation is Relation(case["is"])


@pytest.mark.parametrize("case", [case for case in CASES if case["is"] == "opposed"], ids=lambda case: case["new"])
def test_opposition_has_no_direction(case: dict[str, Any]) -> None:
    assert compare(statement(case["old"]), statement(case["new"])).relation is Relation.OPPOSED


@given(st.text(max_size=200))
def test_no_text_is_opposed_to_itself(text: str) -> None:
    assert compare(statement(text), statement(text)).relation is not Relation.OPPOSED


def test_headings_and_code_say_nothing() -> None:
    found = statements("# Title here\n\nUse pnpm.\n\n```sh\nnpm install everything\n```\n")
    assert [one.text for one in found] == ["Use pnpm."]


def test_nothing_is_not_said() -> None:
    assert not all_said((), statements("Use pnpm."))
