"""The hosts: where each keeps its hooks, what they look like there, and which of its events we want to hear of."""

import shlex
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from cairn.core.model.session import HOSTS, Host

Style = Literal["groups", "flat", "plugin"]
"""`groups`: handlers in groups by matcher, as Claude Code and Codex have them; `flat`: a list of commands; `plugin`: a
program of the host's own that calls us."""

TIMEOUT = 10
"""Seconds. We need a twentieth of one; a host that is given none may allow a second for the end of a session."""


class Agent(NamedTuple):
    name: Host
    title: str
    style: Style
    shared: str
    """The project's file, which everybody who works here has."""
    local: str | None
    """The file for this machine, where the host knows one."""
    events: Mapping[str, str]
    """Of the host, and ours."""
    marks: tuple[str, ...]
    """What lies about where this host is used."""
    told: bool
    """Whether the text of the hook names the host."""
    start: Mapping[str, Any] = {}
    """What a new file must have besides."""
    note: str | None = None
    """What a person has to do themselves."""

    def text(self, program: str, event: str) -> str:
        """What the host runs. It must never change for an installation that works."""
        return f"{program} hook {event}" + (f" --host {self.name}" if self.told else "")


_NAMED = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "Stop": "stop",
    "PreCompact": "pre-compact",
    "SessionEnd": "session-end",
}

AGENTS: Mapping[Host, Agent] = {
    "claude": Agent(
        "claude",
        "Claude Code",
        "groups",
        ".claude/settings.json",
        ".claude/settings.local.json",
        {**_NAMED, "StopFailure": "stop-failure"},
        (".claude", "CLAUDE.md"),
        told=False,  # Cursor and others read this file too
    ),
    "codex": Agent(
        "codex",
        "Codex",
        "groups",
        ".codex/hooks.json",
        None,
        {**_NAMED, "Interrupt": "interrupt"},
        (".codex",),
        told=True,
        note="Codex runs hooks only after you have looked at them: type /hooks in it and trust these",
    ),
    "cursor": Agent(
        "cursor",
        "Cursor",
        "flat",
        ".cursor/hooks.json",
        None,
        {
            "sessionStart": "session-start",
            "beforeSubmitPrompt": "prompt",
            "stop": "stop",
            "preCompact": "pre-compact",
            "sessionEnd": "session-end",
        },
        (".cursor", ".cursorrules"),
        told=True,
        start={"version": 1},
    ),
    "opencode": Agent(
        "opencode",
        "OpenCode",
        "plugin",
        ".opencode/plugins/cairn.js",
        None,
        {
            "session.created": "session-start",
            "chat.message": "prompt",
            "session.idle": "stop",
            "session.error": "stop-failure",
            "session.compacted": "pre-compact",
            "dispose": "session-end",
        },
        (".opencode", "opencode.json", "opencode.jsonc"),
        told=True,
    ),
}
assert tuple(AGENTS) == HOSTS


def entry(agent: Agent, text: str) -> dict[str, Any]:
    """One hook as it stands in the file."""
    if agent.style == "flat":
        return {"command": text}
    return {"hooks": [{"type": "command", "command": text, "timeout": TIMEOUT}]}


class HookCommand(NamedTuple):
    """The text of a hook of ours, taken apart."""

    program: tuple[str, ...]
    event: str


def our_command(text: object) -> HookCommand | None:
    """None when it is somebody else's. It has to be a plain call of ours and nothing besides: settings come with the
    repository, and what we take for ours is run by `cairn agent doctor`."""
    if not isinstance(text, str) or not set(text).isdisjoint(";|&$`<>()\n\\*?#~!{}"):
        return None
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    at = next((n for n, word in enumerate(words) if word == "hook" and n), 0)
    program, event, rest = tuple(words[:at]), words[at + 1 : at + 2], words[at + 2 :]
    called = program[-1:] and program[-1].rpartition("/")[2] == "cairn"
    plain = len(program) == 1 or program[1:] == ("-P", "-m", "cairn")
    told = not rest or (len(rest) == 2 and rest[0] == "--host")
    return HookCommand(program, event[0]) if called and plain and event and told else None
