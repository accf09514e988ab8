"""How many tools an agent may use."""

from collections.abc import Mapping
from typing import Any

from cairn.plugin import ExtractorContext, ExtractorManifest, Precondition, View

_TOOLTIP_LENGTH = 255


class ToolsCounter:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="The number of tools of an agent, with their names.",
        scope="frontmatter",
        precondition=Precondition(kind=("claude/agent",)),
        ui={"tools": View("card.footer.right", label="Tools", icon="pi-wrench")},
    )

    def extract(self, ctx: ExtractorContext) -> None:
        names = _tools(ctx.document.frontmatter)
        if names:
            ctx.emit_contribution("tools", {"value": len(names), "tooltip": _short(" · ".join(names))})


def _tools(frontmatter: Mapping[str, Any]) -> list[str]:
    """Names of the tools; Claude takes a list and also one string with commas."""
    tools = frontmatter.get("tools")
    listed = tools.split(",") if isinstance(tools, str) else tools if isinstance(tools, list) else []
    return [name.strip() for name in listed if isinstance(name, str) and name.strip()]


def _short(text: str) -> str:
    return text if len(text) <= _TOOLTIP_LENGTH else text[: _TOOLTIP_LENGTH - 1] + "…"


extension = ToolsCounter()
