"""All gates: in one list, each explaining itself, none that a repository could replace."""

import pytest

from cairn.app.gates import GATES as NAMES
from cairn.changes.gate import Gate
from cairn.changes.gate_registry import registered
from cairn.core.model.change import Level
from judging import PATH, judge, page

GATES = registered(NAMES)


def test_they_are_all_there_in_order() -> None:
    assert [gate.id for gate in GATES] == [
        "validate",
        "link-check",
        "unsourced",
        "anti-over-rewrite",
        "deep-guidance",
        "evidence",
        "secrets",
    ]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.id)
def test_each_explains_itself(gate: Gate) -> None:
    text = type(gate).__doc__ or ""
    assert [
        part for part in ("**What it checks.**", "**Why it matters.**", "**How to pass.**") if part not in text
    ] == []


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.id)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        ({PATH: page("## Deep Guidance\n")}, {}),
        ({}, {PATH: page("## Deep Guidance\n")}),
        ({"README.md": "a"}, {"README.md": "b"}),
        ({PATH: page("## Deep Guidance\n")}, {PATH: page("## Deep Guidance\n", last_reviewed="2026-01-01")}),
    ],
    ids=["nothing", "gone", "new", "elsewhere", "stamped"],
)
def test_ordinary_changes_pass_all_of_them(gate: Gate, before: dict[str, str], after: dict[str, str]) -> None:
    ruling = judge(gate, before, after)
    assert ruling.level <= Level.NOTE, ruling.reason


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.id)
@pytest.mark.parametrize(
    "text", ["", "\0", "---\n", "---\n: [\n---\n", "\ufeff---\nname: a\n---\n", "x" * 100_000, "\r\r\n"]
)
def test_odd_pages_are_judged_without_a_crash(gate: Gate, text: str) -> None:
    """A gate that fails blocks, and says so; none of these may bring it to that."""
    for before, after in (({}, {PATH: text}), ({PATH: text}, {PATH: page("a\n")}), ({PATH: page("a\n")}, {PATH: text})):
        assert "failed" not in judge(gate, before, after).reason
