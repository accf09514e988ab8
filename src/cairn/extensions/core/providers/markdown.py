"""Every document that nobody else knows: Markdown, MDX, reStructuredText, and READMEs in plain text."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import DOCUMENTS, KindSpec, Presentation, ProviderManifest, format_of


class Markdown:
    manifest = ProviderManifest(
        version="1.0.0",
        description="Plain pages (`.md`, `.markdown`, `.mdx`, `.rst`, READMEs); nothing is required of them.",
        extensions=DOCUMENTS,
        presentation=Presentation(label="Markdown", color="#7aa2d8", emoji="📄", hide_chip=True),
        kinds={"markdown": KindSpec(label="Page", color="#7aa2d8", emoji="📄")},
    )

    def classify(self, path: str, frontmatter: Mapping[str, Any]) -> str | None:
        return "markdown" if path.endswith(".md") or format_of(path) else None


extension = Markdown()
