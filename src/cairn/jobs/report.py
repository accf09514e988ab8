"""Checks the report of a job: JSON, with the safety fields, and as the schema of its action says."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cairn.jobs.action import JobAction
from cairn.lib.text.model_text import json_in

LONGEST_REPORT: Final = 1_000_000
"""Characters."""
_MOST_PROBLEMS: Final = 10


class CheckedReport(NamedTuple):
    value: Any
    """None when there is no JSON."""
    problems: tuple[str, ...]
    """Empty when the report is valid."""


def check_report(text: str, action: JobAction) -> CheckedReport:
    if len(text) > LONGEST_REPORT:
        return CheckedReport(None, (f"it has {len(text):,} characters; a report has {LONGEST_REPORT:,} at most",))
    value = json_in(text)
    if not isinstance(value, dict):
        return CheckedReport(None, ("it is not a JSON object",))
    found = [*_problems(value, _base()), *_problems(value, _validator(json.dumps(action.schema)))]
    return CheckedReport(value, tuple(dict.fromkeys(found))[:_MOST_PROBLEMS])


def _problems(value: Mapping[str, Any], validator: Any) -> list[str]:
    return [_sentence(error) for error in validator.iter_errors(value)]


def _sentence(error: Any) -> str:
    where = "/".join(str(step) for step in error.instance_path)
    said = " ".join(str(error.message).split())
    said = said if len(said) <= 200 else f"{said[:110]} … {said[-80:]}"
    return f"`{where}`: {said}" if where else said


@cache
def _base() -> Any:
    return _validator((Path(__file__).parent / "report-base.schema.json").read_text("utf-8"))


@cache
def _validator(schema: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads(schema))
