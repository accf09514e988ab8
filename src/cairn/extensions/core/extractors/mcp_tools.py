"""MCP servers that an agent uses, read from the names of its tools."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cairn.plugin import ExtractorContext, ExtractorManifest

_TOOL = re.compile(r"mcp__(?=[a-z0-9_-]++\Z)([a-z0-9][a-z0-9_-]*)__[a-z0-9_-]+", re.ASCII | re.IGNORECASE)


class McpTools:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="MCP servers as virtual nodes, linked from the agents that use them.",
        stability="experimental",
        scope="frontmatter",
    )

    def extract(self, ctx: ExtractorContext) -> None:
        if "tools" not in ctx.document.frontmatter:
            return
        seen: set[str] = set()
        for field_path, tool in _tools(ctx.document.frontmatter):
            match = _TOOL.fullmatch(tool)
            if match is None:
                continue
            server = match[1].lower()
            address = f"mcp://{server}"
            if server not in seen:
                seen.add(server)
                ctx.emit_node(address, "mcp", provider="claude", title=server)
            ctx.emit_field_link("references", address, 0.85, field_path=field_path, original=tool)


def _tools(frontmatter: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(field path, name) of each tool; Claude takes a list and also one string with commas."""
    tools = frontmatter["tools"]
    if isinstance(tools, str):
        yield from (("tools", name.strip()) for name in tools.split(","))
    elif isinstance(tools, list):
        yield from ((f"tools[{i}]", name.strip()) for i, name in enumerate(tools) if isinstance(name, str))


extension = McpTools()
