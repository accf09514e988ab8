"""The first answers of `cairn mcp`: those of the protocol's package, in every version, without importing it."""

import json
import subprocess

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

import mcp_workspace
from cairn.mcp.recorded import ENVELOPE, HANDSHAKE, envelope_answers, handshake_answers
from program import clean_env, command_line

CLIENT = {"name": "by hand", "version": "0"}
META = "io.modelcontextprotocol/"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return mcp_workspace.make(tmp_path_factory.mktemp("front") / "bakery")


def envelope(version=MODERN_PROTOCOL_VERSIONS[0]):
    return {
        "_meta": {
            f"{META}protocolVersion": version,
            f"{META}clientInfo": CLIENT,
            f"{META}clientCapabilities": {},
        }
    }


def request(id, method, **params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def hello(version="2025-06-18", id=0):
    return request(id, "initialize", protocolVersion=version, capabilities={}, clientInfo=CLIENT)


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def said(root, conversation, *options, **env):
    """Every answer, when all was asked at once, by id."""
    lines = b"".join(
        message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n" for message in conversation
    )
    ran = subprocess.run(
        command_line(*options, "mcp"), cwd=root, env=clean_env(**env), input=lines, capture_output=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr.decode()
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    return sorted(answers, key=lambda answer: str(answer["id"])), ran.stderr.decode()


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_handshake_is_answered_as_the_package_answers_it(root, version):
    lists = [request(number, method) for number, method in enumerate(HANDSHAKE) if number]
    answers, _ = said(root, [hello(version), READY, *lists])
    assert [answer["result"] for answer in answers] == list(handshake_answers(version).values())


@pytest.mark.parametrize("version", MODERN_PROTOCOL_VERSIONS)
def test_requests_of_the_newer_protocol_are_answered_as_the_package_answers_them(root, version):
    answers, _ = said(root, [request(number, method, **envelope(version)) for number, method in enumerate(ENVELOPE)])
    assert [answer["result"] for answer in answers] == list(envelope_answers(version).values())


SEARCH = {"name": "read", "arguments": {"id": "ovens"}}
CONVERSATIONS = {
    "nothing": [],
    "a version that nobody knows": [hello("1999-12-31"), READY, request(1, "tools/list")],
    "lists before the handshake": [request(1, "tools/list")],
    "lists without the last word of the handshake": [hello(), request(1, "tools/list")],
    "a second handshake": [hello(), READY, hello(id=1)],
    "a handshake without a client": [request(0, "initialize", protocolVersion="2025-06-18", capabilities={})],
    "a handshake with a wrong version": [hello(7)],
    "an unknown method": [hello(), READY, request(1, "tools/dance")],
    "a cursor": [hello(), READY, request(1, "tools/list", cursor="2")],
    "a call behind lists": [hello(), READY, request("one", "tools/list"), request("two", "tools/call", **SEARCH)],
    "a call of the newer protocol": [
        request(0, "server/discover", **envelope()),
        request(1, "tools/call", **SEARCH, **envelope()),
    ],
    "an envelope of an unknown version": [request(0, "tools/list", **envelope("2031-01-01"))],
    "an envelope with half of it missing": [request(0, "tools/list", _meta={f"{META}protocolVersion": "2026-07-28"})],
    "an envelope after a handshake": [hello(), READY, request(1, "tools/list", **envelope())],
    "a handshake after an envelope": [request(0, "tools/list", **envelope()), hello(id=1)],
    "rubbish": [b"{\n", b"\n", hello(), b"[]\n", READY, b"nonsense\n", request(9, "ping")],
    "half a line at the end": [hello(), READY, b'{"jsonrpc": "2.0", "id": 3, "method": "ping"}'],
}


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_every_conversation_reads_as_with_the_package_alone(root, conversation):
    """With an option the command takes the ordinary way, on which the package answers everything."""
    quick, _ = said(root, conversation)
    slow, _ = said(root, conversation, "-q")
    assert quick == slow
    if conversation:
        assert quick


def test_a_workspace_is_found_from_a_folder_in_it(root):
    answers, _ = said(root / "knowledge", [hello(), READY, request(1, "tools/list")])
    elsewhere, _ = said(root.parent, [hello(), READY, request(1, "tools/list")], "-C", str(root))
    assert answers == elsewhere
    assert len(answers) == 2
