"""A question for tests: which colours a text names."""

from collections.abc import Mapping
from typing import Any

from cairn.jobs.question import CheckedAnswer, Input, Question
from cairn.lib.text.quotes import is_quoted


def material(facts: Input) -> str:
    return str(facts["text"])


def check(facts: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    kept = [colour for colour in report["colours"] if is_quoted(colour["quote"], facts["text"])]
    lost = [colour for colour in report["colours"] if colour not in kept]
    problems = tuple(f"`{colour['quote']}` does not occur in the text" for colour in lost)
    return CheckedAnswer({"colours": kept} if kept or not lost else {}, problems)


QUESTION = Question(__file__, material=material, check=check)
