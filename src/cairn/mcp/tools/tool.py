"""What a tool is: a name and schemas that a client sees, and a function that answers a call."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.core.model.event import requirement
from cairn.errors import UsageError
from cairn.lib.text.names import did_you_mean

if TYPE_CHECKING:
    from cairn.app.build import App

Schema = Mapping[str, Any]
Arguments = Mapping[str, Any]


class Caller(NamedTuple):
    """Who asks, as far as the client says."""

    agent: str | None = None
    session: str | None = None
    host: str | None = None
    turn: str | None = None
    """Of the host, that is under way."""


class ToolCallContext(NamedTuple):
    app: "App"
    """Opened for this call alone."""
    caller: Caller
    fresh: Callable[[], str | None]
    """Brings the graph up to date; says why that was not possible, where it was not."""


class ToolAnswer(NamedTuple):
    data: dict[str, Any]
    """As the output schema has it."""
    text: str
    """The same to be read."""


class Tool(NamedTuple):
    name: str
    title: str
    description: str
    takes: Mapping[str, Schema]
    gives: Mapping[str, Schema]
    answer: Callable[[ToolCallContext, Arguments], ToolAnswer]
    needs: tuple[str, ...] = ()
    """Arguments that must be there."""
    writes: bool = False
    """Whether it records or asks for anything that others get to see; it never takes anything away. The log of
    questions, which stays on this machine, makes nothing a tool that writes."""
    repeatable: bool = True
    """Whether calling it twice is the same as calling it once."""
    while_off: bool = False
    """Whether it has an answer of its own when Cairn is switched off; the others that write are refused then."""
    reaches_out: bool = False
    """Whether it may talk to something beyond this machine, such as a forge."""
    otherwise: str = ""
    """What an agent can do when there is nothing of that name."""

    @property
    def input_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": dict(self.takes),
            **({"required": list(self.needs)} if self.needs else {}),
            "additionalProperties": False,
        }

    @property
    def output_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": dict(self.gives), "required": list(self.gives)}


# --- short words for schemas ------------------------------------------------------------------------------------------


def text(description: str = "", most: int | None = None) -> Schema:
    limit = {"maxLength": most} if most else {}
    return {"type": "string", **limit, **({"description": description} if description else {})}


def texts(description: str = "", most: int | None = None) -> Schema:
    limit = {"maxItems": most} if most else {}
    items = {"type": "string", "maxLength": 500} if most else {"type": "string"}
    return {"type": "array", "items": items, **limit, **({"description": description} if description else {})}


def choice(*options: str, description: str = "") -> Schema:
    return {"enum": list(options), **({"description": description} if description else {})}


def number(least: int, most: int, description: str) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def flag(description: str = "") -> Schema:
    return {"type": "boolean", **({"description": description} if description else {})}


def maybe() -> Schema:
    """A text, or nothing."""
    return {"type": ["string", "null"]}


def rows(**fields: Schema) -> Schema:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


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
