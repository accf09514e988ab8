"""Checks the report of a job: JSON, with the safety fields, as the schema of its action says, and as its question does.

What loses nothing is repaired. Items of a list that do not hold are set aside one by one, so that the others can count.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.jobs.action import JobAction
from cairn.jobs.prompt import one_line
from cairn.jobs.question import CheckedAnswer, Input, NumberedItems, field_in_words
from cairn.jobs.repair import repaired
from cairn.lib.text.model_text import json_in

LONGEST_REPORT: Final = 1_000_000
"""Characters."""
_MOST_PROBLEMS: Final = 10


class CheckedReport(NamedTuple):
    value: Any
    """As it was given, with the repairs; of a valid one, what counts. None when there is no JSON."""
    problems: tuple[str, ...] = ()
    """Empty when the report is valid."""
    repairs: tuple[str, ...] = ()
    kept: Mapping[str, Any] | None = None
    """What passed, of a report with problems."""


class SchemaProblem(NamedTuple):
    path: tuple[str | int, ...]
    text: str


def check_report(text: str, action: JobAction, facts: Input | None = None) -> CheckedReport:
    if len(text) > LONGEST_REPORT:
        return CheckedReport(None, (f"it has {len(text):,} characters; a report has {LONGEST_REPORT:,} at most",))
    value = json_in(text)
    if not isinstance(value, dict):
        return CheckedReport(None, ("the answer is not a JSON object",))
    schema = schema_of_report(action.schema)
    value, repairs = repaired(value, schema)
    problems = schema_problems(value, schema)
    passed = _without_items(value, problems) if problems else value
    if problems and (passed is None or schema_problems(passed, schema)):
        return CheckedReport(value, _listed(problems), repairs)
    return _checked(passed, _listed(problems), repairs, value, action, facts)


def _checked(
    passed: Mapping[str, Any] | None,
    problems: tuple[str, ...],
    repairs: tuple[str, ...],
    value: Any,
    action: JobAction,
    facts: Input | None,
) -> CheckedReport:
    if action.question is not None and facts is not None and passed is not None:
        answer: CheckedAnswer = action.question.check(facts, passed)
        common = {key: passed[key] for key in _base()["required"]}
        problems = (*problems, *map(one_line, answer.problems))[:_MOST_PROBLEMS]
        passed, repairs = {**common, **answer.value} if answer.value else None, (*repairs, *answer.repairs)
    return CheckedReport(value, problems, repairs, passed) if problems else CheckedReport(passed, (), repairs)


def _without_items(value: Mapping[str, Any], problems: Sequence[SchemaProblem]) -> dict[str, Any] | None:
    """Without the items of its lists that have problems; None where something else has."""
    aside = {problem.path[:2] for problem in problems}
    if any(len(path) < 2 or not isinstance(value[path[0]], list) for path in aside):  # type: ignore[index]
        return None
    return {key: _others(inner, key, aside) if isinstance(inner, list) else inner for key, inner in value.items()}


def _others(items: list[Any], key: str, aside: set[tuple[str | int, ...]]) -> list[Any]:
    kept = [number for number in range(len(items)) if (key, number) not in aside]
    return NumberedItems([items[number] for number in kept], kept) if len(kept) < len(items) else items


def _listed(problems: Sequence[SchemaProblem]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(problem.text for problem in problems))[:_MOST_PROBLEMS]


def schema_problems(value: Any, schema: Mapping[str, Any]) -> list[SchemaProblem]:
    errors = _validator(json.dumps(schema)).iter_errors(value)
    return [SchemaProblem(tuple(error.instance_path), _sentence(error)) for error in errors]


def _sentence(error: Any) -> str:
    where = field_in_words(list(error.instance_path))
    said = " ".join(str(error.message).split())
    said = said if len(said) <= 200 else f"{said[:110]} … {said[-80:]}"
    return f"{where}: {said}" if where else said


def schema_of_report(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an action together with that of every report."""
    base = _base()
    required = dict.fromkeys((*base["required"], *schema.get("required", ())))
    properties = {**schema.get("properties", {}), **base["properties"]}
    return {"type": "object", **schema, "required": list(required), "properties": properties}


@cache
def _base() -> Mapping[str, Any]:
    text = (Path(__file__).parent / "report-base.schema.json").read_text("utf-8")
    base: Mapping[str, Any] = json.loads(text)
    return base


@cache
def _validator(schema: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads(schema))
