"""Every Markdown file that nobody else knows."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import KindSpec, Presentation, ProviderManifest


class Markdown:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Plain Markdown pages; nothing is required of them.",
        presentation=Presentation(label="Markdown", color="#9ca3af", emoji="📄", hide_chip=True),
        kinds={"markdown": KindSpec(label="Page", color="#9ca3af", emoji="📄")},
    )

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        return "markdown" if path.endswith(".md") or path[-3:].lower() == ".md" else None


extension = Markdown()
