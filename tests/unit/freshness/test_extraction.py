"""A verdict is found in whatever a model writes around it, and what is none is told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.freshness.extraction import extract_verdict
from cairn.freshness.verdict_wire import InvalidVerdict
from cairn.lib.text.json_answer import READINGS, JsonObjects
from verdicts import change, finding, verdict

GOOD = json.dumps(verdict())


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"Here you are:\n```json\n{GOOD}\n```\nAnything else?",
        f'I read {{both}} pages, and "one {{ brace" was odd. {GOOD}',
        f'{{"thinking": "let me see"}} {GOOD} {{"entry_name": "other"}}',
        json.dumps({"result": {"answer": [1, verdict()]}}),
        json.dumps(verdict(findings=[finding('a "quoted" } { brace')])),
        "{" * 500 + GOOD,
        '{"' * 300 + GOOD,
        GOOD + GOOD.replace("rate-limits", "second"),
        f"{json.dumps({'entry_name': 'rate-limits', 'verdict': 'nearly'})} {GOOD}",
    ],
)
def test_found(answer: str) -> None:
    assert extract_verdict(answer).entry_name == "rate-limits"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("I'm afraid I can't do that.", "there is no verdict in it"),
        ("{} {not json} []", "there is no verdict in it"),
        (GOOD[:-20], "breaks off in the middle"),
        (json.dumps(verdict(verdict="fine")), "`verdict`"),
        (json.dumps({"verdict": "current"}), "entry_name"),
    ],
)
def test_not_found(answer: str, said: str) -> None:
    with pytest.raises(InvalidVerdict) as caught:
        extract_verdict(answer)
    assert said in str(caught.value) and "The answer of the model" in str(caught.value)


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


@given(st.lists(st.sampled_from(["{", "}", '"', "\\", "[", "]", ":", ",", " ", "a", "\n", '{"a":1}']), max_size=60))
def test_prose_before_it_never_hides_a_verdict(pieces: list[str]) -> None:
    assert extract_verdict("".join(pieces) + "\n" + GOOD).entry_name == "rate-limits"


def test_objects_come_from_the_outside_in() -> None:
    found = [value.get("n") for value in JsonObjects('x {"n": 1, "l": [{"n": 2}, {"n": 3, "o": {"n": 4}}]} {"n": 5}')]
    assert found == [1, 2, 3, 4, 5]


def test_edits_survive() -> None:
    found = extract_verdict(json.dumps(verdict(verdict="major-drift", proposed_changes=[change()])))
    assert found.proposed_changes[0].new_text == "## Rules\n\n- Wait."
