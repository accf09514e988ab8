"""Records how the protocol's package answers the questions that are answered the same each time: `listing.json`."""

import json
from collections.abc import Mapping
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from cairn.mcp.front import ANY, META, VERSION
from cairn.mcp.request_handler import RequestHandler
from cairn.mcp.server import build_server

LISTS: Final = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
HANDSHAKE: Final = ("initialize", "ping", *LISTS)
ENVELOPE: Final = ("server/discover", *LISTS)
_CLIENT: Final = {"name": "recorder", "version": "0"}
_UNKNOWN: Final = "1999-01-01"

Answers = dict[str, Any]


def listing() -> str:
    """The text of `listing.json`: results by protocol, version and method, equal ones once."""
    results: list[Any] = []

    def numbered(answers: Answers) -> dict[str, int]:
        for answer in answers.values():
            if answer not in results:
                results.append(answer)
        return {method: results.index(answer) for method, answer in answers.items()}

    versions = {version: version for version in HANDSHAKE_PROTOCOL_VERSIONS} | {ANY: _UNKNOWN}
    told = {
        "handshake": {name: numbered(handshake_answers(version)) for name, version in versions.items()},
        "envelope": {version: numbered(envelope_answers(version)) for version in MODERN_PROTOCOL_VERSIONS},
    }
    heads = [f"{json.dumps(era)}: {json.dumps(versions)}" for era, versions in told.items()]
    lines = ",\n".join(json.dumps(result, ensure_ascii=False, separators=(",", ":")) for result in results)
    return "{" + ",\n".join([*heads, f'"results": [\n{lines}\n]']) + "}\n"


def handshake_answers(version: str) -> Answers:
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
    return _asked([(method, hello if method == "initialize" else {}) for method in HANDSHAKE])


def envelope_answers(version: str) -> Answers:
    meta = {VERSION: version, f"{META}clientInfo": _CLIENT, f"{META}clientCapabilities": {}}
    return _asked([(method, {"_meta": meta}) for method in ENVELOPE])


def _asked(questions: list[tuple[str, Mapping[str, Any]]]) -> Answers:
    return anyio.run(_ask, build_server(RequestHandler(_no_workspace)), questions)


def _no_workspace() -> Any:
    raise AssertionError("a list does not depend on the workspace")


async def _ask(server: Server[Any], questions: list[tuple[str, Mapping[str, Any]]]) -> Answers:
    ours, read = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    write, answers = anyio.create_memory_object_stream[SessionMessage](1)
    found: Answers = {}
    async with anyio.create_task_group() as group, ours, answers:
        group.start_soon(server.run, read, write, server.create_initialization_options())
        for number, (method, params) in enumerate(questions):
            request = types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=dict(params))
            await ours.send(SessionMessage(request))
            answer = (await answers.receive()).message
            assert isinstance(answer, types.JSONRPCResponse), f"{method}: {answer}"
            found[method] = json.loads(answer.model_dump_json(by_alias=True, exclude_unset=True))["result"]
            if method == "initialize":
                done = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
                await ours.send(SessionMessage(done))
        group.cancel_scope.cancel()
    return found
