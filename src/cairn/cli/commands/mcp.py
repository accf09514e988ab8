"""`cairn mcp`: knowledge for agents, over the Model Context Protocol."""

import json
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation
from cairn.cli.output import write_all
from cairn.errors import MissingExtra

if TYPE_CHECKING:
    from cairn.mcp.http import Address
    from cairn.mcp.request_handler import RequestHandler

_MISSING = 'Serving agents needs a library; add it with `pip install "cairn-kb[mcp]"`.'


@define(
    "mcp",
    help="Serve this workspace to agents over the Model Context Protocol: search, read, note and "
    "propose. On standard input and output, as agent hosts start it (`cairn agent install` tells them to), or "
    "with --http for clients that connect. Ends when the client goes.",
    examples=(
        ("cairn mcp", "what an agent host runs"),
        ("cairn mcp --http 127.0.0.1:8321", "at http://127.0.0.1:8321/mcp, for this machine only"),
    ),
    exits=(0, 2),
    timed=False,
)
@click.option("--http", metavar="HOST:PORT", help="Serve over HTTP, on a loopback address; port 0 takes a free one.")
def command(ctx: Invocation, http: str | None) -> int:
    _require_library()
    desk = _desk(ctx)
    if http is not None:
        return _over_http(ctx, desk, http)
    from cairn.mcp.server import build_server
    from cairn.mcp.stdio import serve_stdio

    if ctx.stdin_tty:
        ctx.out.say("waiting for a client on standard input; agent hosts start this themselves, ^C stops it")
    return serve_stdio(build_server(desk))


def _over_http(ctx: Invocation, desk: "RequestHandler", http: str) -> int:
    from cairn.mcp.http import HttpLimits, address_of, serve_http
    from cairn.mcp.server import build_server

    address = address_of(http)

    def ready(there: "Address") -> None:
        if ctx.json:
            write_all(
                ctx.out.stdout, json.dumps({"url": there.url, "tools": [tool.name for tool in desk.tools]}) + "\n"
            )
        else:
            ctx.out.data(f"serving {ctx.root().name} at {there.url}")
            ctx.out.say("for programs on this machine; ^C stops it")
        ctx.out.stdout.flush()

    settings = ctx.settings(root=ctx.root())
    limits = HttpLimits(
        settings.integer("serve.header_seconds"),
        settings.integer("serve.idle_seconds"),
        settings.integer("serve.connections_per_peer"),
    )
    return serve_http(build_server(desk), address, ready, limits)


def _desk(ctx: Invocation) -> "RequestHandler":
    """Whatever is wrong with the workspace is said before a client connects, and before the library is loaded."""
    from cairn.mcp.request_handler import RequestHandler, opener

    root = ctx.root()
    ctx.settings(root=root)
    return RequestHandler(opener(root, ctx.env, ctx.db), ctx.env)


def _require_library() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise MissingExtra(_MISSING, extra="mcp")
