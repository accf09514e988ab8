"""What a client sent, held against what a tool takes: the arguments, or sentences that a model can act on."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from cairn.core.model.event import requirement
from cairn.errors import UsageError
from cairn.lib.text.nearest import did_you_mean
from cairn.mcp.tools.tool import Tool

_SHOWN = 5
"""Problems that are named at once."""


def checked(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Null stands for nothing, and a list that came as text is read as one: models write both."""
    kept = {_whole(name): _meant(tool, name, _whole(value)) for name, value in given.items() if value is not None}
    checker = _checker(json.dumps(tool.input_schema))
    if checker.is_valid(kept):
        return kept
    problems = list(dict.fromkeys(_sentence(tool, error) for error in checker.iter_errors(kept)))
    said = "; ".join(problems[:_SHOWN])
    raise UsageError(f"{said}{'' if said.endswith('?') else '.'} {_takes(tool)}")


def _whole(value: Any) -> Any:
    """Without halves of characters, which JSON can carry and nothing behind it can."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _meant(tool: Tool, name: str, value: Any) -> Any:
    wanted = tool.takes.get(name, {}).get("type")
    if wanted != "array" or not isinstance(value, str):
        return value
    try:
        read = json.loads(value) if value.lstrip().startswith("[") else [value]
    except (ValueError, RecursionError):
        read = [value]
    return read


def _sentence(tool: Tool, error: Any) -> str:
    rule, told = error.kind.name, error.kind.as_dict()
    if rule == "required":
        return f"`{str(told['property']).strip(chr(34))}` is missing"
    if rule == "additionalProperties":
        name = str(told["unexpected"][0])[:80]
        return f"there is no argument `{name}`{did_you_mean(name, tool.takes)}"
    path = [str(step) for step in error.instance_path]
    where = f"`{path[0]}`" if path else "the call"
    each = "each item of " if len(path) > 1 else ""
    return f"{each}{where} {requirement(rule, told) or 'is not as it should be'}"


def _takes(tool: Tool) -> str:
    return f"`{tool.name}` takes {', '.join(_listed(tool))}."


def _listed(tool: Tool) -> Iterator[str]:
    for name in tool.takes:
        yield f"{name} (needed)" if name in tool.needs else name


@cache
def _checker(schema: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads(schema))
