"""Each prompt has two worked examples, and each example answer passes the checks that an answer has to pass."""

import json
import re
from typing import Any, NamedTuple

import pytest

from cairn.app.questions import load_questions
from cairn.core.registry import Registry
from cairn.jobs.action import JobAction, all_actions
from cairn.jobs.report import check_report, schema_problems
from prompt_examples import EXAMPLES

ACTIONS = all_actions(Registry(), load_questions())
QUESTIONS = [action for action in ACTIONS.values() if action.question]
_EXAMPLE = re.compile(r"^Example (\d)\.(?:.*\S.*)?\n(?:.*\S.*\n)*\n((?:    .*\n|\n)+)", re.MULTILINE)
_LABEL = re.compile(r"^[A-Z]+\b.*$|^(?:before|after|title|summary|text|edition|person):", re.MULTILINE)


class WorkedExample(NamedTuple):
    material: str
    answer: str


def examples_of(action: JobAction) -> list[WorkedExample]:
    blocks = _EXAMPLE.findall(f"{action.prompt}\n")
    assert [number for number, _ in blocks] == ["1", "2"], f"{action.id} has two examples"
    texts = ["\n".join(line[4:] for line in text.splitlines()) for _, text in blocks]
    return [WorkedExample(text[: text.index("\n{")], text[text.index("\n{") :].strip()) for text in texts]


CASES = [(action, number) for action in ACTIONS.values() if action.prompt for number in (0, 1)]


def name_of(value: Any) -> str:
    return value.id if isinstance(value, JobAction) else str(value + 1)


def test_every_question_is_here():
    assert set(EXAMPLES) == {action.id for action in QUESTIONS} and len(CASES) == 2 * (len(EXAMPLES) + 3)


@pytest.mark.parametrize(("action", "number"), CASES, ids=name_of)
def test_the_answer_passes_the_checks_as_it_is(action, number):
    facts = EXAMPLES[action.id][number] if action.question else None
    assert facts is None or not schema_problems(facts, action.question.input_schema)
    checked = check_report(examples_of(action)[number].answer, action, facts)
    assert (checked.problems, checked.repairs) == ((), ())
    assert set(json.loads(examples_of(action)[number].answer)) <= set(checked.value)


@pytest.mark.parametrize(("action", "number"), [case for case in CASES if case[0].question], ids=name_of)
def test_the_material_is_as_a_reader_sees_it(action, number):
    shown = " ".join(action.question.material(EXAMPLES[action.id][number]).split())
    for line in examples_of(action)[number].material.splitlines():
        words = " ".join(_LABEL.sub("", line).split())
        assert words in shown, line


def test_one_example_of_learned_divides_a_combined_statement():
    first = json.loads(examples_of(ACTIONS["core/learned"])[0].answer)["candidates"]
    assert [one["kind"] for one in first] == ["practice", "map"]
    said = [message["text"] for message in EXAMPLES["core/learned"][0]["messages"]]
    assert all(one["quotes"][0] in " ".join(said[2].split()) for one in first), "both are in one message"


@pytest.mark.parametrize("action", [case[0] for case in CASES[::2]], ids=name_of)
def test_each_has_an_estimate_of_its_answer(action):
    answers = [len(one.answer) // 4 for one in examples_of(action)]
    assert max(answers) * 0.4 <= action.answer_tokens <= 1000, answers
