"""An event: one line of the ledger, and the payload that each type of event must have."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring
from typing import Any, Final, NamedTuple

from cairn.journal import EVENT_TYPES

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
"""A time with its seconds and its zone."""

EVENT_VERSION = 1
"""Of the envelope. A line with a higher one was written by a newer Cairn and is left alone."""


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    """UUIDv7; lines taken over from elsewhere may carry a ULID. Unique over all ledgers: index by it."""
    type: str
    at: str
    """ISO 8601, UTC, milliseconds."""
    worktree: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be understood; the ones around it are fine."""

    reason: str
    excerpt: str
    """Its beginning, for a person to look at."""


def parse_event(line: bytes) -> Event | BadLine:
    """One line of a ledger, with or without its newline. Types that this Cairn doesn't know are events all the same;
    lines of an old `activity.jsonl` become what they would be today."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return BadLine("it is not JSON", excerpt_of(line))
    if isinstance(value, dict) and "event_id" in value and "v" not in value:
        value = _renewed(value)
    reason = _fault(value)
    if reason is not None:
        return BadLine(reason, excerpt_of(line))
    return Event(value["id"], value["type"], value["at"], value["worktree"], value["payload"])


def moment_ms(text: str) -> int | None:
    """The time of an event in milliseconds since 1970; None for a text that is no time with a zone, as RFC 3339 writes
    it."""
    from datetime import datetime

    if not _MOMENT.fullmatch(text):
        return None
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _renewed(old: dict[str, Any]) -> dict[str, Any]:
    """The envelope of an old line in today's words: task and branch are part of the payload, and a work tree is called
    by its label and the beginning of its id."""
    payload = old.get("payload")
    told = {"task_id": old.get("task_id"), "branch": old.get("branch")}
    label = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(old.get("actor_label", "")).lower())
    slug = "-".join(part for part in label.split("-") if part)[:40].rstrip("-") or "root"
    number = "".join(c for c in str(old.get("worktree_id", "")).lower() if c in "0123456789abcdef")[:12]
    return {
        "v": EVENT_VERSION,
        "id": old["event_id"],
        "type": old.get("type"),
        "at": old.get("ts"),
        "worktree": f"{slug}-{number or '0'}",
        "payload": {**told, **payload} if isinstance(payload, dict) else None,
    }


# --- ids ------------------------------------------------------------------------------------------------------------

_UUID, _TIME = 16, 6
"""Bytes of a UUID, and of the time that a UUIDv7 begins with."""
_SHORT = _UUID - _TIME
_is_uuid = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").fullmatch


def packed_id(id: str, at_ms: int) -> bytes:
    """The bytes of a UUID, without the time that it begins with where that is the time of its event; any other id as it
    is, and of another length."""
    if _is_uuid(id):
        return short_id(bytes.fromhex(id.replace("-", "")), at_ms)
    data = id.encode()
    return data + b"\0" if len(data) in (_UUID, _SHORT) else data


def short_id(uuid: bytes, at_ms: int) -> bytes:
    return uuid[_TIME:] if int.from_bytes(uuid[:_TIME], "big") == at_ms else uuid


def unpacked_id(data: bytes, at_ms: int) -> str:
    if len(data) not in (_UUID, _SHORT):
        return (data[:-1] if len(data) in (_UUID + 1, _SHORT + 1) and data.endswith(b"\0") else data).decode()
    text = (data if len(data) == _UUID else at_ms.to_bytes(_TIME, "big") + data).hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def excerpt_of(line: bytes) -> str:
    return line[:120].decode("utf-8", "replace").rstrip("\n")


def _fault(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "it is not an object"
    version = value.get("v")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        return "it has no version"
    if version > EVENT_VERSION:
        return "it was written by a newer Cairn"
    for key in ("id", "type", "at", "worktree"):
        if not isinstance(value.get(key), str) or not value[key]:
            return f"its `{key}` is missing"
    return None if isinstance(value.get("payload"), dict) else "its `payload` is missing"


LARGEST_COUNT: Final = 2**31 - 1
"""More than anybody counts."""


LONG_TEXT: Final = 300
"""Characters of most texts that are kept."""


encode_payload: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Made once: `json.dumps` with an option makes one for each call."""


class IndexedLedgerEvent(NamedTuple):
    """An event, with its payload read."""

    id: bytes
    """Packed."""
    kind: str
    at_ms: int
    payload: Mapping[str, Any]
    worktree: str = ""

    def key(self, rank: int) -> bytes:
        """By which events are compared: by rank, then by time. A byte, six bytes, and the id."""
        return b"%c%b%b" % (rank, max(0, self.at_ms).to_bytes(6, "big"), self.id)

    def text(self, name: str, longest: int = LONG_TEXT) -> str:
        value = self.payload.get(name)
        return value[:longest] if isinstance(value, str) else ""

    def texts(self, names: Iterable[str]) -> list[str]:
        get = self.payload.get
        return [value[:LONG_TEXT] if type(value := get(name)) is str else "" for name in names]

    def number(self, name: str, largest: int = LARGEST_COUNT) -> int | None:
        value = self.payload.get(name)
        return value if type(value) is int and 0 <= value <= largest else None

    def numbers(self, wanted: Iterable[tuple[str, int]]) -> list[int | None]:
        get = self.payload.get
        return [
            value if type(value := get(name)) is int and 0 <= value <= largest else None for name, largest in wanted
        ]

    def list_of(self, name: str) -> str:
        """A list as JSON; the empty one where there is something else."""
        value = self.payload.get(name)
        if not value or not isinstance(value, list):
            return "[]"
        try:
            return f"[{','.join(map(encode_basestring, value))}]"  # of texts, three times as quick
        except TypeError:
            return encode_payload(value)


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
