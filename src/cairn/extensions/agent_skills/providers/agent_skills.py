"""Which files are Open Skills: `.agents/skills/<name>/SKILL.md`."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import KindSpec, Presentation, ProviderManifest

_TEXT = {"type": "string"}
_NAME = {"type": "string", "minLength": 1}
_SKILL = {
    "type": "object",
    "required": ["name", "description"],
    "properties": {
        "name": _NAME,
        "description": _NAME,
        "license": _TEXT,
        "compatibility": _TEXT,
        "metadata": {"type": "object"},
        "allowed-tools": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
    },
}


class AgentSkills:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Skills in the open format, read by several hosts.",
        presentation=Presentation(label="Open Skills", color="#64748b", emoji="🧰"),
        kinds={
            "skill": KindSpec(
                label="Open skill",
                color="#14b8a6",
                emoji="🧩",
                identifiers=("frontmatter.name", "dirname"),
                schema=_SKILL,
            )
        },
        markers=(".agents",),
        roots=(".agents/",),
        resolution={"invokes": ("skill",)},
        skill_dir=".agents/skills",
        aka=("Antigravity", "OpenAI Codex"),
    )

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        if path[:1] != "." or path[:15].lower() != ".agents/skills/":
            return None
        folder, _, name = path[15:].lower().partition("/")
        return "skill" if folder and name == "skill.md" else None


extension = AgentSkills()
