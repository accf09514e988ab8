"""Which files belong to OpenAI Codex: its agents in `.codex/agents/`."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import KindSpec, Presentation, ProviderManifest

_TEXT = {"type": "string"}
_NAME = {"type": "string", "minLength": 1}
_AGENT = {
    "type": "object",
    "required": ["name", "description"],
    "properties": {
        "name": _NAME,
        "description": _NAME,
        "developer_instructions": _TEXT,
        "model": _TEXT,
        "model_reasoning_effort": _TEXT,
        "sandbox_mode": _TEXT,
    },
}


class OpenAI:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Agents of OpenAI Codex.",
        presentation=Presentation(label="OpenAI Codex", color="#22c55e", emoji="🌀"),
        kinds={
            "agent": KindSpec(
                label="Codex agent",
                color="#22c55e",
                emoji="🤖",
                identifiers=("frontmatter.name", "filename-basename"),
                schema=_AGENT,
            )
        },
        markers=(".codex", "AGENTS.md"),
        roots=(".codex/",),
        gated=True,
        extensions=(".toml",),
        parser="toml",
        resolution={"mentions": ("agent",)},
    )

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        if path[:1] != "." or path[:14].lower() != ".codex/agents/":
            return None
        rest = path[14:]
        return "agent" if "/" not in rest and rest.lower().endswith(".toml") else None


extension = OpenAI()
