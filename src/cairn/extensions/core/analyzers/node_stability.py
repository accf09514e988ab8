"""Nodes that say of themselves that they are deprecated or experimental."""

from collections.abc import Iterator, Mapping
from typing import Any

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Severity, View

_CHIPS = {
    "deprecated": {"icon": "pi-ban", "severity": "warn", "tooltip": "Deprecated"},
    "experimental": {"icon": "pi-bolt", "severity": "info", "tooltip": "Experimental"},
}


class NodeStability:
    """A node that its author has declared deprecated or experimental.

    What it finds
        `stability: deprecated` or `experimental` in the frontmatter, at the top or below `metadata`. Both show a
        mark on the card; `deprecated` is also a warning.

    Why it matters
        What is deprecated will go away; those who still lean on it should know.

    Example
        A skill with `metadata: {stability: deprecated}`.

    Fix
        Move its readers to what replaces it, then delete it; or set `stability: stable`.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="Deprecated and experimental nodes.",
        phase="detect",
        reach="node",
        ui={"stability": View("card.title.right", label="Stability", icon="pi-flag")},
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for node in ctx.nodes(mentioning="stability"):
            stability = _stability(node.frontmatter)
            if stability not in _CHIPS:
                continue
            ctx.emit_contribution(node.path, "stability", dict(_CHIPS[stability]))
            if stability == "deprecated":
                yield _deprecated(node.path, node.title)


def _stability(frontmatter: Mapping[str, Any]) -> str:
    value = frontmatter.get("stability")
    metadata = frontmatter.get("metadata")
    if value is None and isinstance(metadata, Mapping):
        value = metadata.get("stability")
    return value.strip().lower() if isinstance(value, str) else ""


def _deprecated(path: str, title: str) -> Issue:
    return Issue(
        "node-stability",
        Severity.WARN,
        (path,),
        f"`{title or path}` is deprecated.",
        fix=Fix("Move its readers to what replaces it, then delete it."),
        data={"stability": "deprecated"},
    )


extension = NodeStability()
