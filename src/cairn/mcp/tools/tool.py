"""What a tool is: a name and schemas that a client sees, and a function that answers a call."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

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
