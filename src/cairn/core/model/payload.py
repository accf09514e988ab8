"""What the payload of an event must be like, and sentences about one that is not."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from cairn.journal import EVENT_TYPES


class PayloadProblem(NamedTuple):
    field: str
    """Empty when it is about the payload as a whole."""
    text: str
    """What it must be, as the end of a sentence."""


def payload_problems(kind: str, payload: Mapping[str, Any]) -> list[PayloadProblem]:
    """Everything that is wrong with the payload of a known type, in the order of its fields; empty when it is fine."""
    checker = _checker(kind)
    if checker.is_valid(dict(payload)):
        return []
    found = [_problem(kind, error) for error in checker.iter_errors(dict(payload))]
    order = list(field_schemas(kind))
    return sorted(set(found), key=lambda one: (order.index(one.field) if one.field in order else len(order), one.text))


def field_schemas(kind: str) -> Mapping[str, Mapping[str, Any]]:
    """Of each field that the type may have, with references followed."""
    defs = _definitions()
    return {name: _followed(schema, defs) for name, schema in defs[kind]["properties"].items()}


def needed_fields(kind: str) -> tuple[str, ...]:
    return tuple(_definitions()[kind].get("required", ()))


def _followed(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    return defs[reference.removeprefix("#/$defs/")] if isinstance(reference, str) else schema


# --- sentences ------------------------------------------------------------------------------------------------------


_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _problem(kind: str, error: Any) -> PayloadProblem:
    rule, told = error.kind.name, error.kind.as_dict()
    path = [str(step) for step in error.instance_path]
    if rule == "required":
        return PayloadProblem(str(told["property"]).strip("\"'"), "is missing")
    if rule == "additionalProperties":
        return PayloadProblem(told["unexpected"][0], "is no field of this type")
    field = path[0] if path else ""
    where = "each of its items " if len(path) > 1 else ""
    return PayloadProblem(field, where + _must(kind, field, rule, told))


def _must(kind: str, field: str, rule: str, told: Mapping[str, Any]) -> str:
    described = (field_schemas(kind).get(field, {}) if field else _definitions()[kind]).get("description")
    said = requirement(rule, told, described)
    if said is not None:
        return said
    return f"must be {described}" if field else str(described)


def requirement(rule: str, told: Mapping[str, Any], described: str | None = None) -> str | None:
    """What a rule of JSON Schema wants, as the end of a sentence; None for one that says nothing to people."""
    match rule:
        case "enum":
            return f"must be one of {', '.join(map(str, told['options']))}"
        case "type":
            return f"must be {' or '.join(_TYPES[each] for each in sorted(told['types'], reverse=True))}"
        case "maxLength":
            return f"may have at most {told['limit']} characters"
        case "maxItems":
            return f"may have at most {told['limit']} items"
        case "minLength":
            return "must not be empty"
        case "minimum":
            return f"must be {told['limit']} or more"
        case "maximum":
            return f"must be {told['limit']} or less"
        case "exclusiveMinimum":
            return f"must be more than {told['limit']}"
        case "uniqueItems":
            return "may say each thing once"
        case "constant" | "const":
            return f"must be {described or told.get('expected_value')}"
    return None


# --- the schema -----------------------------------------------------------------------------------------------------


@cache
def _definitions() -> Mapping[str, Any]:
    import json
    from importlib.resources import files

    text = (files("cairn.core") / "schemas/event-payloads.schema.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)["$defs"]
    return found


@cache
def _checker(kind: str) -> Any:
    """Loaded when the first payload is checked: it takes longer than a small command. A hook never does."""
    import jsonschema_rs

    if kind not in EVENT_TYPES:
        raise KeyError(kind)
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{kind}", "$defs": _definitions()})
