"""Tells what a person typed from what the host, a hook or Cairn itself put into the person's message."""

import re
from typing import Final

_TAGS: Final = (
    # Claude Code
    "system-reminder",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "new-diagnostics",
    # Codex
    "environment_context",
    "user_instructions",
    "INSTRUCTIONS",
    "permissions instructions",
    "collaboration_mode",
    "skills_instructions",
    "plugins_instructions",
    "apps_instructions",
    "recommended_plugins",
    "subagent_notification",
    "turn_aborted",
    "user_shell_command",
    "app-context",
    # Cursor
    "system_reminder",
    "attached_files",
    "additional_data",
    "open_and_recently_viewed_files",
    "user_info",
    "git_status",
    "agent_transcripts",
    "agent_skills",
    "timestamp",
    "rules",
    # Cairn
    "cairn",
    "cairn-context",
    "cairn-briefing",
    "cairn-recalled",
)
_NAMES: Final = "|".join(re.escape(tag) for tag in _TAGS)
_OPEN: Final = re.compile(rf"<({_NAMES})(?:\s[^<>]{{0,500}})?>", re.IGNORECASE)
_COMMAND: Final = re.compile(r"<command-(name|args|message|contents)>([^<]*+(?:<(?!/?command-)[^<]*+)*+)</command-\1>")
_QUERY: Final = re.compile(r"<user_query>(.*?)(?:</user_query>|\Z)", re.DOTALL)
_WHOLE: Final = re.compile(
    r"(?:Caveat: The messages below were generated"
    r"|\[Request interrupted by user"
    r"|This session is being continued from a previous conversation"
    r"|Stop hook feedback:"
    r"|# AGENTS\.md instructions\b"
    r"|API Error: )"
)
"""How a message begins that nobody typed a word of."""


def typed(text: str) -> str:
    """What a person typed of a message; empty when nobody typed anything."""
    if "<" in text:
        text = _command(text) or _query(text) or _without_blocks(text)
    text = text.strip()
    return "" if _WHOLE.match(text) else text


def _command(text: str) -> str:
    """`/review 42`, as it was typed, for the wrapper that the host makes of it."""
    parts = {found[1]: found[2].strip() for found in _COMMAND.finditer(text)}
    name = parts.get("name", "")
    return f"/{name.lstrip('/')} {parts.get('args', '')}".strip() if name else ""


def _query(text: str) -> str:
    return "\n".join(found[1].strip() for found in _QUERY.finditer(text))


def _without_blocks(text: str) -> str:
    kept: list[str] = []
    position = 0
    while opened := _OPEN.search(text, position):
        kept.append(text[position : opened.start()])
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        position = len(text) if end < 0 else end + len(closing)
    return "".join((*kept, text[position:]))
