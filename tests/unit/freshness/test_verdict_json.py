"""A verdict is read with all its problems at once, and written so that it can be read again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.verdict import CheckedSource, ProposedChange, Verdict, VerdictFinding, VerdictOutcome
from cairn.freshness.verdict_json import (
    InvalidVerdict,
    parse_verdict,
    problems_of,
    verdict_json,
    verdict_of,
)
from cairn.lib.text.model_text import READINGS, JsonObjects
from verdicts import change, finding, verdict

GOOD = json.dumps(verdict())


@pytest.mark.parametrize(
    "hostile",
    [
        '{"a":' * 20_000,
        '{"a":{"b":' * 400 + "[" + "0," * 50_000 + "x",
        '{"' * 50_000,
        "{" * 100_000,
        '{"a": "' * 20_000,
        "[{" * 50_000,
        '{"\\"' * 20_000,
        "{ " * 50_000,
    ],
)
def test_no_text_is_read_more_than_a_few_times(hostile: str) -> None:
    objects = JsonObjects(hostile)
    assert list(objects) == []
    assert objects.read <= (READINGS + 1) * len(hostile) + 1


def test_objects_come_from_the_outside_in() -> None:
    found = [value.get("n") for value in JsonObjects('x {"n": 1, "l": [{"n": 2}, {"n": 3, "o": {"n": 4}}]} {"n": 5}')]
    assert found == [1, 2, 3, 4, 5]


def test_edits_survive() -> None:
    found = parse_verdict(json.dumps(verdict(verdict="major-drift", proposed_changes=[change()])))
    assert found.proposed_changes[0].new_text == "## Rules\n\n- Wait."


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
PLACES = st.sampled_from(["https://example.org/a#b", "src/app.py#connect", "https://example.org"])


def test_every_problem_is_told_with_its_place() -> None:
    broken = verdict(verdict="fine", findings=[{**finding(), "severity": "P9"}], preserve_warnings="none")
    del broken["model"]
    problems = problems_of(broken)
    assert len(problems) == 4
    assert any(problem.startswith("`findings[0].severity`") for problem in problems)
    assert any(problem.startswith("`preserve_warnings`") for problem in problems)
    assert any("model" in problem for problem in problems)
    with pytest.raises(InvalidVerdict, match="`verdict`") as caught:
        verdict_of(broken)
    assert len(caught.value.details["problems"]) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"entry_name": "x"', "not JSON (line 1"),
        ("[]", "cannot be used"),
        ("null", "cannot be used"),
    ],
)
def test_what_is_no_verdict(text: str, said: str) -> None:
    with pytest.raises(InvalidVerdict) as caught:
        parse_verdict(text, what="verdict.json")
    assert said in str(caught.value) and str(caught.value).startswith("verdict.json cannot be used")


def test_what_nobody_knows_is_passed_over() -> None:
    read = verdict_of(verdict(confidence=0.9, findings=[{**finding(), "note": "x"}], proposed_changes=[change()]))
    assert read.outcome is VerdictOutcome.CURRENT and read.findings[0].severity == "P1"


def test_a_long_value_is_not_quoted_whole() -> None:
    assert len(problems_of(verdict(verdict="x" * 10_000))[0]) < 200


@given(
    st.builds(
        Verdict,
        entry_name=st.text("abc", min_size=1, max_size=9),
        audit_date=WORDS,
        model=WORDS,
        outcome=st.sampled_from(VerdictOutcome),
        sources_checked=st.lists(st.builds(CheckedSource, PLACES, WORDS, WORDS, WORDS), max_size=3).map(tuple),
        findings=st.lists(
            st.builds(VerdictFinding, WORDS, PLACES, WORDS, WORDS, st.sampled_from(["P0", "P3"]), WORDS, WORDS),
            max_size=3,
        ).map(tuple),
        proposed_changes=st.lists(
            st.builds(
                ProposedChange, st.just("## A"), st.sampled_from(["replace", "delete"]), WORDS, st.none() | WORDS
            ),
            max_size=3,
        ).map(tuple),
        proposed_version_pin=st.none() | WORDS,
        preserve_warnings=st.lists(WORDS, max_size=3).map(tuple),
        source_unverifiable=st.booleans(),
    )
)
def test_what_is_written_is_read_back(made: Verdict) -> None:
    wire: Any = json.loads(json.dumps(verdict_json(made)))
    assert parse_verdict(json.dumps(wire)) == made
