"""Which files belong to Claude Code: agents, commands and skills below `.claude/`."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import KindSpec, Presentation, ProviderManifest, normalize_trigger

_TEXT = {"type": "string"}
_NAME = {"type": "string", "minLength": 1}
_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_FLAG = {"type": "boolean"}


def _schema(optional: Mapping[str, Any]) -> Mapping[str, Any]:
    """A frontmatter with a name and a description; everything that is not listed is open."""
    return {
        "type": "object",
        "required": ["name", "description"],
        "properties": {"name": _NAME, "description": _NAME, **optional},
    }


_AGENT = {"tools": _TEXTS, "disallowedTools": _TEXTS, "model": _TEXT, "color": _TEXT, "skills": _TEXTS}
_COMMAND = {
    "argument-hint": _TEXTS,
    "allowed-tools": _TEXTS,
    "disallowed-tools": _TEXTS,
    "model": _TEXT,
    "disable-model-invocation": _FLAG,
}
_SKILL = {
    **_COMMAND,
    "when_to_use": _TEXT,
    "user-invocable": _FLAG,
    "context": _TEXT,
    "agent": _TEXT,
    "license": _TEXT,
    "metadata": {"type": "object"},
}

_RESERVED = """
    help clear compact cost init model agents login logout mcp memory config doctor permissions add-dir bug pr-comments
    release-notes review terminal-setup vim output-style hooks install-github-app migrate-installer upgrade resume exit
    quit security-review statusline usage feedback
"""
_BUILT_IN = """
    background bashes batch branch btw chrome claude-api color context copy debug desktop diff effort export extra-usage
    fast focus fork ide insights install-slack-app keybindings loop mobile new passes plan plugin plugins
    privacy-settings reload-plugins remote-control remote-env rename reset rewind sandbox schedule settings simplify
    skills stats status stickers tasks teleport theme todos tui ultraplan ultrareview undo voice web-setup
    explore claude-code-guide
"""
"""Commands and agents of newer versions, which files may still override."""
_RESERVED_AGENTS = "general-purpose output-style-setup statusline-setup"
_CALLED_AGENTS = """
    agent-general-purpose agent-output-style-setup agent-statusline-setup agent-explore agent-plan
    agent-claude-code-guide
"""
"""The agents that are built in, as `@agent-plan` calls them."""


def _names(words: str) -> frozenset[str]:
    return frozenset(normalize_trigger(word) for word in words.split())


class Claude:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Agents, commands and skills of Claude Code.",
        presentation=Presentation(label="Claude", color="#cc785c", emoji="✳️"),
        kinds={
            "agent": KindSpec(
                label="Agent",
                color="#8b5cf6",
                emoji="🤖",
                identifiers=("frontmatter.name", "filename-basename"),
                schema=_schema(_AGENT),
                prefix="agent-",
            ),
            "command": KindSpec(
                label="Command",
                color="#f59e0b",
                emoji="⚡",
                identifiers=("frontmatter.name", "filename-basename"),
                schema=_schema(_COMMAND),
            ),
            "skill": KindSpec(
                label="Skill",
                color="#10b981",
                emoji="🧩",
                identifiers=("frontmatter.name", "dirname"),
                schema=_schema(_SKILL),
            ),
            "mcp": KindSpec(
                label="MCP server", color="#ec4899", emoji="🔌", identifiers=("frontmatter.name",), virtual=True
            ),
        },
        markers=(".claude",),
        roots=(".claude/",),
        gated=True,
        resolution={"mentions": ("agent",), "invokes": ("skill", "command")},
        reserved_names={"command": _names(_RESERVED), "skill": _names(_RESERVED), "agent": _names(_RESERVED_AGENTS)},
        built_in_names=_names(_BUILT_IN + _CALLED_AGENTS),
        skill_dir=".claude/skills",
    )

    def namespace(self, path: str) -> str | None:
        """The folder of a command in `.claude/commands/`: `/git:commit`."""
        parts = path.split("/")
        return parts[-2] if len(parts) > 3 and parts[1].lower() == "commands" else None

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        if path[:1] != "." or path[:8].lower() != ".claude/":
            return None
        parts = path.lower().split("/")
        match parts[1]:
            case "agents" if len(parts) > 2:
                return "agent"
            case "commands" if len(parts) > 2:
                return "command"
            case "skills" if len(parts) == 4 and parts[3] == "skill.md":
                return "skill"
        return None


extension = Claude()
