"""Every tool, in the order in which clients list them. At most ten, and few words: each client pays for all of them."""

from cairn.mcp.tools.context import CONTEXT
from cairn.mcp.tools.gap import GAP
from cairn.mcp.tools.graph import GRAPH
from cairn.mcp.tools.note import NOTE
from cairn.mcp.tools.propose import PROPOSE
from cairn.mcp.tools.read import READ
from cairn.mcp.tools.search import SEARCH
from cairn.mcp.tools.tool import Tool
from cairn.mcp.tools.validate import VALIDATE

TOOLS: tuple[Tool, ...] = (SEARCH, READ, CONTEXT, NOTE, VALIDATE, PROPOSE, GAP, GRAPH)
