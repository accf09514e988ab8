"""The turn of the agent host that somebody works for: a note or a question that came through a tool belongs to it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cairn.core.agent_host import CLIENTS, host_around, session_around
from cairn.core.model.session import TurnOutcome
from cairn.hook import open_turns

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts

_SESSION_KEYS: Final = ("threadId", "sessionId")
"""Of a request's `_meta`, as Codex sends it."""
_MOST_NOTES: Final = 50


class HostTurn(NamedTuple):
    host: str
    session: str
    turn: str


def host_of(client: str | None, env: Mapping[str, str]) -> str | None:
    return CLIENTS.get(client or "") or host_around(env)


def session_in(meta: Mapping[str, Any] | None) -> str | None:
    """The session that a request says it belongs to."""
    said = (meta or {}).get("x-codex-turn-metadata")
    inner = said.get("session_id") if isinstance(said, Mapping) else None
    found = [inner, *((meta or {}).get(key) for key in _SESSION_KEYS)]
    return next((value for value in found if isinstance(value, str) and value), None)


def host_turn(ports: "CapturePorts", *, host: str | None, session: str | None = None) -> HostTurn | None:
    """The turn under way. What the environment says about the session comes last: a host that continues a session
    starts its servers with the id of another one."""
    root = str(ports.root)
    opened = open_turns.around(root, host, session)
    if not opened and session is None and (told := session_around(ports.env)):
        opened = open_turns.around(root, host, told)
    return HostTurn(opened["host"], opened["session"], opened["turn"]) if opened else None


def id_for_note(ports: "CapturePorts", turn: str) -> str:
    """The turn's own id; a further note of the same turn gets a number, so that it does not replace the first."""

    ports.index_ledger()
    for number in range(1, _MOST_NOTES):
        id = turn if number == 1 else f"{turn}.{number}"
        if ports.turn_memory.standing(id).outcome != TurnOutcome.COMPLETED:
            return id
    return turn
