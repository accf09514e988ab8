"""Goes on where the first answers ended: the protocol's package, with an application for each call."""

from collections.abc import Mapping
from pathlib import Path

from cairn.mcp.front import OpeningMessages
from cairn.mcp.request_handler import RequestHandler, opener
from cairn.mcp.server import build_server
from cairn.mcp.stdio import serve_stdio


def serve_rest(root: str, env: Mapping[str, str], opening: OpeningMessages) -> int:
    """Until the client goes. What is wrong with the workspace is said in answer to each call."""
    desk = RequestHandler(opener(Path(root), env), env)
    return serve_stdio(build_server(desk), opening)
