"""Recognises plugins, nested skills, instructions and rules, wherever they are in the tree."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cairn.extensions.hosts.plugin_folders import KINDS, Exists, PluginFolder, Read, find_plugins
from cairn.plugin import KindSpec, Presentation, ProviderManifest

_INSTRUCTIONS = re.compile(
    r"(?:.*/)?(?:agents|claude|gemini|qwen|codex)(?:\.(?:local|override))?\.md"
    r"|(?:.*/)?\.(?:cursor|windsurf|cline)rules"
    r"|(?:.*/)?\.github/copilot-instructions\.md"
    r"|(?:.*/)?\.github/instructions/(?:.*/)?[^/]+\.instructions\.md",
)
"""Lowered paths."""
_RULES = re.compile(r"(?:.*/)?\.cursor/rules/(?:.*/)?[^/]+\.mdc")
_OF_ANOTHER = re.compile(r"\.claude/(?:agents|commands)/.*|\.(?:claude|agents)/skills/[^/]+/skill\.md")
"""What the providers of single hosts recognise, while their host is active."""
_NESTED = re.compile(r".+/\.claude/(agents|commands)/.+\.md")
"""Folders of a host further down in the tree."""
_UPPER_NAMES = ("AGENTS", "CLAUDE", "GEMINI", "QWEN", "CODEX")

_NAME = {"type": "string", "minLength": 1}
_SCHEMA = {
    "type": "object",
    "required": ["name", "description"],
    "properties": {"name": _NAME, "description": _NAME},
}

_MANIFEST = ProviderManifest(
    version="1.0.0",
    description="Agents, commands and skills of plugins, nested skills, instructions and rules for agents.",
    presentation=Presentation(label="Agent files", color="#0d9488", emoji="🧷"),
    kinds={
        "agent": KindSpec(
            label="Plugin agent",
            color="#8b5cf6",
            emoji="🤖",
            identifiers=("frontmatter.name", "filename-basename"),
            schema=_SCHEMA,
            prefix="agent-",
        ),
        "command": KindSpec(label="Plugin command", color="#f59e0b", emoji="⚡", identifiers=("filename-basename",)),
        "skill": KindSpec(label="Skill", color="#10b981", emoji="🧩", identifiers=("frontmatter.name", "dirname")),
        "instructions": KindSpec(label="Instructions", color="#db2777", emoji="📣"),
        "rule": KindSpec(label="Rule", color="#f472b6", emoji="📏"),
    },
    extensions=(".md", ".mdc", ".cursorrules", ".windsurfrules", ".clinerules"),
    host_markers={"claude": (".claude-plugin", "CLAUDE.md")},
)


class AgentFiles:
    manifest = _MANIFEST

    def __init__(self, plugins: tuple[PluginFolder, ...] = ()) -> None:
        self._plugins = plugins

    @property
    def stamp(self) -> str:
        return repr(self._plugins) if self._plugins else ""

    def placed(self, paths: Iterable[str], exists: Exists, read: Read) -> "AgentFiles":
        """Itself, with the plugins that are among these files."""
        return AgentFiles(find_plugins(paths, exists, read))

    def namespace(self, path: str) -> str | None:
        """The name of the plugin that a file belongs to."""
        plugin = self._plugin(path)
        return plugin.name if plugin and (_kind_in(plugin, path) or _is_skill(path)) else None

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        lowered = path.lower()
        if _OF_ANOTHER.fullmatch(lowered):
            return None
        if _RULES.fullmatch(lowered):
            return "rule"
        if _INSTRUCTIONS.fullmatch(lowered):
            return "instructions" if _is_spelled_so(path) else None
        if lowered.endswith(".md"):
            return self._callable(path, lowered)
        return None

    def _callable(self, path: str, lowered: str) -> str | None:
        if lowered.rpartition("/")[2] == "skill.md":
            return "skill"
        if nested := _NESTED.fullmatch(lowered):
            return KINDS[nested[1]]
        plugin = self._plugin(path)
        return _kind_in(plugin, path) if plugin else None

    def _plugin(self, path: str) -> PluginFolder | None:
        return next((plugin for plugin in self._plugins if plugin.inside(path) is not None), None)


def _is_spelled_so(path: str) -> bool:
    """`AGENTS.md` is for agents, `docs/agents.md` is a page about them."""
    name = path.rpartition("/")[2]
    return name.startswith((".", *_UPPER_NAMES)) or ".github/" in path


def _is_skill(path: str) -> bool:
    return path.lower().endswith("/skill.md")


def _kind_in(plugin: PluginFolder, path: str) -> str | None:
    for at, kind in plugin.named:
        if kind != "skill" and (path == at or path.startswith(f"{at}/")):
            return kind
    folder, _, rest = (plugin.inside(path) or "").partition("/")
    if not rest or folder not in ("agents", "commands") or rest.lower().endswith("readme.md"):
        return None
    return KINDS[folder]


extension = AgentFiles()
