"""Antigravity claims no files of its own; while it is the active provider its reserved names count."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import Presentation, ProviderManifest, normalize_trigger

_SKILLS = """
    add-dir agents artifact branch btw changelog clear config context conversation copy credits diff exit fast feedback
    fork goal grill-me help hooks keybindings logout mcp model new open permissions planning quit quota rename resume
    rewind schedule settings skills statusline switch tasks title undo usage
"""


class Antigravity:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Reserved names of Antigravity; chosen by hand, since it leaves no mark in a repository.",
        presentation=Presentation(label="Antigravity", color="#7c3aed", emoji="🪐"),
        kinds={},
        gated=True,
        extensions=(),
        reserved_names={"skill": frozenset(normalize_trigger(word) for word in _SKILLS.split())},
    )

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        return None


extension = Antigravity()
