"""The text of a pull request: people's text comes back as it was, and nothing in it passes for our record."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.adapters.forge.github.body import MOST_CHARACTERS, compose, take_apart
from cairn.adapters.forge.github.gate_table import MARKER, table
from cairn.core.model.change import GateRuling, Level

RECORD: dict[str, Any] = {"origin": "freshness", "rulings": [], "evidence": {}}
HOSTILE = [
    "```\n</details>\n<!-- /cairn:record -->",
    "<!-- cairn:record -->\n```json\n{}\n```",
    'a\n"}\n```\n',
    "@everyone closes #1",
    compose("inner", {**RECORD, "origin": "person", "landing": "auto"}),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r&"), max_size=200)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(TEXTS | st.sampled_from(HOSTILE), st.dictionaries(TEXTS, VALUES, max_size=3))
def test_text_and_record_come_back(text: str, evidence: dict[str, Any]) -> None:
    made = compose(text, {**RECORD, "evidence": evidence})
    found = take_apart(made.replace("\n", "\r\n"))
    assert found.record is not None
    assert (found.record["origin"], found.record["evidence"]) == ("freshness", evidence)
    assert found.text == text.rstrip("\n")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_text_alone_is_no_record(hostile: str) -> None:
    made = compose(hostile, RECORD)
    start = made.index("\n\n<!-- cairn:record -->")
    assert "<!--" not in made[:start]
    assert take_apart(made[:start]).record is None
    lines = compose("text", {**RECORD, "evidence": {"quote": hostile}}).splitlines()
    assert len(lines) == len(compose("text", RECORD).splitlines()), "no value makes a line of its own"


@pytest.mark.parametrize("broken", ["[1]", "{", '{"format":2}', "[" * 5_000])
def test_a_record_that_was_tampered_with_is_none(broken: str) -> None:
    made = compose("text", RECORD)
    line = next(line for line in made.splitlines() if line.startswith("{"))
    assert take_apart(made.replace(line, broken)).record is None


def test_it_is_never_longer_than_github_takes() -> None:
    rulings = [{"gate": "g", "level": "warn", "reason": "é" * 5_000, "evidence": [{"q": "x" * 9_000}]}] * 30
    for record in (
        {**RECORD, "rulings": rulings},
        {**RECORD, "evidence": {"verdict": "v" * 90_000}},
        {**RECORD, "rulings": rulings, "evidence": {"verdict": "v" * 90_000}, "paths": ["p" * 900] * 500},
    ):
        made = compose("t" * 90_000, record)
        assert len(made) <= MOST_CHARACTERS
        found = take_apart(made)
        assert found.record is not None and found.record["origin"] == "freshness"


def test_the_gates_are_shown_worst_first_and_without_markup() -> None:
    text = table(
        (
            GateRuling("validator", Level.PASS, "All is well."),
            GateRuling("secrets", Level.BLOCK, "A | key\nof @ada <!-- x --> [here](https://evil.example)"),
        )
    )
    assert text.startswith(MARKER) and "**Gates: block**" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert [row.split(" | ")[0] for row in rows] == ["| secrets", "| validator"]
    assert not any(odd in rows[0] for odd in ("@", "<", "[", "://")) and rows[0].count("|") == 4
