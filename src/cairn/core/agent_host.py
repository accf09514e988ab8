"""The agent host that somebody works for: which it is, in which session, and the turn under way."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from cairn.core.ports.application import HasEnvironment, HasRoot
from cairn.hook import open_turns

_HOSTS: Final = (
    ("claude", ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")),
    ("codex", ("CODEX_THREAD_ID", "CODEX_SANDBOX")),
    ("cursor", ("CURSOR_TRACE_ID", "CURSOR_AGENT")),
    ("opencode", ("OPENCODE", "OPENCODE_SESSION")),
)
"""How a shell that an agent opened can be told from a person's."""
_SESSIONS: Final = (
    "CAIRN_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_SESSION_ID",
    "CODEX_THREAD_ID",
    "OPENCODE_SESSION",
)


def host_around(env: Mapping[str, str]) -> str | None:
    return next((host for host, names in _HOSTS if any(env.get(name) for name in names)), None)


def session_around(env: Mapping[str, str]) -> str | None:
    """The agent's session, if its host says which."""
    return next((env[name] for name in _SESSIONS if env.get(name)), None)


CLIENTS: Final[Mapping[str, str]] = {
    "claude-code": "claude",
    "codex-mcp-client": "codex",
    "cursor-vscode": "cursor",
    "cursor": "cursor",
    "opencode": "opencode",
}
"""How hosts call themselves when they connect, and our names for them."""

_SESSION_KEYS: Final = ("threadId", "sessionId")
"""Of a request's `_meta`, as Codex sends it."""


class InShell(HasRoot, HasEnvironment, Protocol):
    """Where somebody calls us, with what the host says in the environment."""


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


def host_turn(ports: InShell, *, host: str | None, session: str | None = None) -> HostTurn | None:
    """The turn under way. What the environment says about the session comes last: a host that continues a session
    starts its servers with the id of another one."""
    root = str(ports.root)
    opened = open_turns.around(root, host, session)
    if not opened and session is None and (told := session_around(ports.env)):
        opened = open_turns.around(root, host, told)
    return HostTurn(opened["host"], opened["session"], opened["turn"]) if opened else None
