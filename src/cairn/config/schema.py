"""The table of keys as a JSON Schema, so that an editor can complete and check a settings file."""

from typing import Any

from cairn.config.key import LARGEST_INTEGER, Key
from cairn.config.keys import TREE, Branch

_TYPES = {"flag": "boolean", "integer": "integer", "text": "string", "texts": "array"}


def settings_schema() -> dict[str, Any]:
    """Of both settings files; that some keys belong into the local one stands in their descriptions."""
    tree = _object(TREE)
    tree["properties"]["$schema"] = {"type": "string"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "cairn:schemas/settings",
        "title": "Settings of a Cairn workspace",
        **tree,
    }


def _object(branch: Branch) -> dict[str, Any]:
    named = {name: _place(place) for name, place in branch.children.items() if name != "*"}
    rest = _place(branch.children["*"]) if "*" in branch.children else False
    return {"type": "object", "properties": named, "additionalProperties": rest}


def _place(place: Branch | Key) -> dict[str, Any]:
    return _object(place) if isinstance(place, Branch) else _value(place)


def _value(key: Key) -> dict[str, Any]:
    note = " Only in settings.local.json." if key.local_only else ""
    schema: dict[str, Any] = {"description": key.description + note}
    if key.type == "any":
        return schema
    schema["type"] = [_TYPES[key.type], "null"] if key.nullable else _TYPES[key.type]
    if key.choices:
        schema["enum"] = list(key.choices)
    if key.type == "integer":
        schema |= {"minimum": key.minimum, "maximum": LARGEST_INTEGER}
    if key.type == "text":
        schema["minLength"] = 1
    if key.type == "texts":
        schema["items"] = {"type": "string", "minLength": 1}
    if key.default is not None:
        schema["default"] = list(key.default) if isinstance(key.default, tuple) else key.default
    return schema
