"""The smallest good page of each layout, and pages made of mappings."""

import json
from collections.abc import Mapping
from typing import Any

from cairn.core.model.knowledge import Corpus, Layout

CORPORA: dict[Layout, Corpus] = {
    "entries": Corpus("kb", "kb", "entries"),
    "nodes": Corpus("kb", "kb", "nodes"),
    "artefacts": Corpus("kb", "kb", "artefacts"),
    "plain": Corpus("docs", "docs", "plain"),
}

PATHS: dict[Layout, str] = {
    "entries": "kb/web/caching.md",
    "nodes": "kb/nodes/practice/practice-caching.md",
    "artefacts": "kb/skills/caching/canonical.md",
    "plain": "docs/caching.md",
}

LEAST: dict[Layout, dict[str, Any]] = {
    "entries": {"name": "caching", "description": "When to keep what was computed."},
    "nodes": {
        "schema_version": 1,
        "id": "practice-caching",
        "title": "Caching",
        "kind": "practice",
        "summary": "When to keep what was computed.",
        "confidence": "high",
    },
    "artefacts": {"id": "caching"},
    "plain": {},
}

BODY = "# Caching\n\n## Deep Guidance\n\nKeep it short.\n"


def page(frontmatter: Mapping[str, Any], body: str = BODY) -> str:
    """A key a line, so that lines can be told."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in frontmatter.items()]
    return "\n".join(["---", *lines, "---", body]) if lines else f"---\n---\n{body}"
