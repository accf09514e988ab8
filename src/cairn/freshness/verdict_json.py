"""Verdicts as JSON: read with all problems at once, and written."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from cairn.core.model.verdict import CheckedSource, ProposedChange, Verdict, VerdictFinding, VerdictOutcome
from cairn.errors import Refused

MOST_PROBLEMS = 20
_SHOWN = 5


class InvalidVerdict(Refused):
    """This is no verdict that Cairn can use; run the audit again."""

    def __init__(self, problems: Sequence[str] = (), what: str = "The verdict") -> None:
        more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        said = f"{what} cannot be used: {'; '.join(problems[:_SHOWN])}{more}. Run the audit again."
        super().__init__(said if problems else None, problems=list(problems))
        self.problems = tuple(problems)


def parse_verdict(text: str, *, what: str = "The verdict") -> Verdict:
    """Of a file that holds one verdict and nothing else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise InvalidVerdict([f"it is not JSON ({where})"], what) from None
    return verdict_of(value, what=what)


def verdict_of(value: Any, *, what: str = "The verdict") -> Verdict:
    problems = problems_of(value)
    if problems:
        raise InvalidVerdict(problems, what)
    return Verdict(
        entry_name=value["entry_name"],
        audit_date=value["audit_date"],
        model=value["model"],
        outcome=VerdictOutcome(value["verdict"]),
        sources_checked=tuple(CheckedSource(**_only(item, CheckedSource._fields)) for item in value["sources_checked"]),
        findings=tuple(VerdictFinding(**_only(item, VerdictFinding._fields)) for item in value["findings"]),
        proposed_changes=tuple(
            ProposedChange(**_only(item, ProposedChange._fields)) for item in value["proposed_changes"]
        ),
        proposed_version_pin=value.get("proposed_version_pin"),
        preserve_warnings=tuple(value["preserve_warnings"]),
        source_unverifiable=bool(value.get("source_unverifiable")),
    )


def problems_of(value: Any) -> list[str]:
    """Everything that keeps a value from being a verdict, each with the place it is about."""
    checker = _checker()
    if checker.is_valid(value):
        return []
    found = []
    for error in checker.iter_errors(value):
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
        said = " ".join(str(error.message).split())
        found.append(f"`{where.removeprefix('.')}`: {_short(said)}" if where else _short(said))
        if len(found) == MOST_PROBLEMS:
            break
    return found


def _short(said: str) -> str:
    """The checker quotes the whole value, which may be a page."""
    return said if len(said) <= 160 else f"{said[:60]} … {said[-90:]}"


def _only(item: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    return {name: item[name] for name in fields if name in item}


@cache
def _checker() -> Any:
    """Loaded when the first verdict is read: it takes longer than a small command."""
    from importlib.resources import files

    import jsonschema_rs

    schema = (files("cairn.core") / "schemas/verdict.schema.json").read_text("utf-8")
    return jsonschema_rs.validator_for(json.loads(schema))


# --- writing --------------------------------------------------------------------------------------------------------


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """In the words of the wire; `parse_verdict` gives the same verdict back."""
    return {
        "entry_name": verdict.entry_name,
        "audit_date": verdict.audit_date,
        "model": verdict.model,
        "verdict": str(verdict.outcome),
        "sources_checked": [checked._asdict() for checked in verdict.sources_checked],
        "findings": [finding._asdict() for finding in verdict.findings],
        "proposed_changes": [_change_json(change) for change in verdict.proposed_changes],
        "proposed_version_pin": verdict.proposed_version_pin,
        "preserve_warnings": list(verdict.preserve_warnings),
        "source_unverifiable": verdict.source_unverifiable,
    }


def _change_json(change: ProposedChange) -> dict[str, Any]:
    written = change._asdict()
    if change.new_text is None:
        del written["new_text"]
    return written
