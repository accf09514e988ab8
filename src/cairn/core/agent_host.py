"""Which agent opened this shell, and in which session, as its host says in the environment."""

from collections.abc import Mapping
from typing import Final

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
