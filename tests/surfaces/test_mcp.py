"""`cairn mcp` as hosts run it: the real program and the official client, on both transports, old protocol and new."""

import fcntl
import http.client
import json
import signal
import socket
import struct
import subprocess
import termios
from contextlib import ExitStack, contextmanager, suppress
from time import sleep

import anyio
import pytest
from mcp import Client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

import mcp_workspace
from mcp_workspace import events, program, talk
from program import cairn, clean_env, command_line, fits_schema

ALMOST_A_PIPE = 50_000
MODES = ("legacy", *MODERN_PROTOCOL_VERSIONS)


@pytest.fixture
def root(tmp_path):
    return mcp_workspace.make(tmp_path / "bakery")


@contextmanager
def started(root, *args, **env):
    process = subprocess.Popen(
        command_line("mcp", *args),
        cwd=root,
        env=clean_env(**env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()


@contextmanager
def served(root):
    """Over HTTP; where."""
    with started(root, "--http", "127.0.0.1:0", "--json") as process:
        said = json.loads(process.stdout.readline())
        fits_schema(said, "mcp")
        yield said["url"], process


async def story(client: Client):
    """What an agent does in a session."""
    tools = await client.list_tools()
    found = await client.call_tool("search", {"query": "how hot are the ovens"})
    page = await client.call_tool("read", {"id": found.structured_content["hits"][0]["id"]})
    noted = await client.call_tool("note", {"summary": "The ovens need forty minutes to heat up.", "keep": True})
    index = await client.read_resource("cairn://index")
    return client.protocol_version, len(tools.tools), page, noted, index


def check(told, root):
    _, tools, page, noted, index = told
    assert tools <= 10
    assert "230 degrees" in page.structured_content["text"]
    assert noted.structured_content["result"] == "inserted"
    assert "ovens" in index.contents[0].text
    assert [event["type"] for event in events(root)].count("turn_completed") == 1
    [kept] = cairn("curate", "--dry-run", "--apply", "--json", cwd=root).json()["actions"]
    assert kept["proposedNode"]["body"] == "The ovens need forty minutes to heat up." and kept["kind"] == "practice"


@pytest.mark.parametrize("mode", MODES)
def test_over_standard_input_and_output(root, mode):
    told = talk(program(root), story, mode=mode)
    assert (told[0] in MODERN_PROTOCOL_VERSIONS) == (mode != "legacy")
    check(told, root)


@pytest.mark.parametrize("mode", MODES)
def test_over_http(root, mode):
    with served(root) as (url, process):
        check(talk(url, story, mode=mode), root)
        assert process.poll() is None


# --- the wire itself ----------------------------------------------------------------------------------------------


def frame(method, id=None, **params):
    message = {"jsonrpc": "2.0", "method": method, **({} if id is None else {"id": id}), "params": params}
    return json.dumps(message).encode() + b"\n"


def hello(version):
    return frame(
        "initialize", 1, protocolVersion=version, capabilities={}, clientInfo={"name": "by hand", "version": "0"}
    ) + frame("notifications/initialized")


def answers(process, number, *frames):
    """The answers to what is sent; then the client goes."""
    process.stdin.write(b"".join(frames))
    process.stdin.flush()
    found = [json.loads(process.stdout.readline()) for _ in range(number)]
    process.stdin.close()
    assert process.wait(60) == 0
    assert process.stdout.read() == b""
    return found


def test_the_oldest_version_is_spoken(root):
    with started(root) as process:
        welcome, listed = answers(process, 2, hello(HANDSHAKE_PROTOCOL_VERSIONS[0]), frame("tools/list", 2))
    assert welcome["result"]["protocolVersion"] == HANDSHAKE_PROTOCOL_VERSIONS[0]
    assert welcome["result"]["serverInfo"]["name"] == "cairn"
    assert len(listed["result"]["tools"]) <= 10


LOADED = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("LOADED " + " ".join(sorted(name.split(".")[0] for name in sys.modules))))
"""
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN_PROTOCOL_VERSIONS[0],
    "io.modelcontextprotocol/clientInfo": {"name": "by hand", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize(
    "asked",
    [hello("2025-06-18") + frame("tools/list", 2), frame("tools/list", 2, _meta=ENVELOPE)],
    ids=["handshake", "envelope"],
)
def test_tools_are_listed_before_the_package_is_imported(root, tmp_path, asked):
    """A host asks the model when it has started, whether a server has listed its tools or not."""
    (tmp_path / "sitecustomize.py").write_text(LOADED)
    with started(root, PYTHONPATH=str(tmp_path)) as process:
        out, err = process.communicate(asked, timeout=60)
    assert len(json.loads(out.splitlines()[-1])["result"]["tools"]) > 5
    loaded = set(err.decode().partition("LOADED ")[2].split())
    assert loaded
    assert loaded.isdisjoint({"mcp", "mcp_types", "anyio", "pydantic", "click", "asyncio", "ryaml"})


def test_what_is_no_message_is_answered_and_the_next_one_is_heard(root):
    rubbish = [b"{\n", b"[]\n", b'{"jsonrpc": "2.0"}\n', b"\xff\xfe\n", b"\n", b"[" * 100_000 + b"\n"]
    with started(root) as process:
        found = answers(process, 7, hello("2025-06-18"), *rubbish, frame("ping", 9))
    errors = [answer["error"]["code"] for answer in found if "error" in answer]
    assert errors == [-32700] * 5
    assert found[-1] == {"jsonrpc": "2.0", "id": 9, "result": {}}


def test_a_message_of_many_megabytes_is_refused_without_being_kept(root):
    huge = frame("tools/call", 5, name="search", arguments={"query": "x" * 9_000_000})
    with started(root) as process:
        found = answers(process, 3, hello("2025-06-18"), huge, frame("ping", 9))
    assert "longer than" in found[1]["error"]["message"]
    assert found[-1]["id"] == 9


def test_nothing_else_gets_onto_the_wire(root, tmp_path):
    """A plugin that prints, and a child that prints: both end up on stderr."""
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, os\n"
        "from cairn.retrieve import read_page as module\n"
        "was = module.read_page\n"
        "def loud(*given):\n"
        "    print('NOISE', flush=True); os.system('echo CHILD; cat'); return was(*given)\n"
        "module.read_page = loud\n"
    )
    call = frame("tools/call", 2, name="read", arguments={"id": "ovens"})
    with started(root, PYTHONPATH=str(tmp_path)) as process:
        process.stdin.write(hello("2025-06-18") + call)
        process.stdin.flush()
        found = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(30) == 0
        err = process.stderr.read().decode()
    assert "230 degrees" in found[1]["result"]["structuredContent"]["text"]
    assert "NOISE" in err
    assert "CHILD" in err


def test_a_client_that_goes_away_in_the_middle(root):
    """What it asked for is finished, and nobody complains."""
    with started(root) as process:
        call = frame("tools/call", 2, name="note", arguments={"summary": "The client left before the answer came."})
        process.stdin.write(hello("2025-06-18"))
        process.stdin.flush()
        process.stdout.readline()
        process.stdin.write(call)
        process.stdin.close()
        process.stdout.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
    noted = [event["payload"]["summary"] for event in events(root) if event["type"] == "turn_completed"]
    assert noted == ["The client left before the answer came."]


def test_questions_in_a_pipe_are_answered_before_it_ends(root):
    call = frame("tools/call", 2, name="read", arguments={"id": "ovens"})
    gone = frame("notifications/cancelled", requestId=3)
    with started(root) as process:
        out, _ = process.communicate(hello("2025-06-18") + call + frame("tools/list", 3) + gone, timeout=60)
    assert {1, 2} <= {json.loads(line)["id"] for line in out.splitlines()}
    assert process.returncode == 0


@pytest.mark.parametrize(("number", "code", "asked"), [(signal.SIGINT, 130, 0), (signal.SIGTERM, 0, 40)])
def test_somebody_stops_it_although_the_client_stays(root, number, code, asked):
    """Also one that has stopped to read, so that answers fill the pipe."""
    with started(root) as process:
        process.stdin.write(hello("2025-06-18"))
        process.stdin.flush()
        process.stdout.readline()
        process.stdin.write(b"".join(frame("tools/list", id) for id in range(2, 2 + asked)))
        process.stdin.flush()
        while asked and waiting(process.stdout) < ALMOST_A_PIPE:
            assert process.poll() is None
            sleep(0.01)
        process.send_signal(number)
        assert process.wait(30) == code
        assert process.stderr.read() == b""


def waiting(pipe):
    """Bytes that nobody has read."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


# --- http ----------------------------------------------------------------------------------------------------------


def sent(url, body, **headers):
    host, port = url.removeprefix("http://").removesuffix("/mcp").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        connection.request("POST", "/mcp", body, {**usual, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def post(url, body, **headers):
    return sent(url, body, **headers)[0]


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    with served(mcp_workspace.make(tmp_path_factory.mktemp("http") / "bakery")) as (url, _):
        yield url


HELLO = hello("2025-06-18").splitlines()[0]
MODERN = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "localhost:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 400),
        ({"Mcp-Session-Id": "made-up"}, 404),
        ({**MODERN, "Host": "evil.example"}, 421),
        ({**MODERN, "Origin": "http://evil.example"}, 403),
    ],
)
def test_a_page_of_the_web_is_turned_away(there, headers, status):
    assert post(there, HELLO, **headers) == status


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_every_version_with_a_handshake_is_spoken(there, version):
    status, body = sent(there, hello(version).splitlines()[0])
    assert status == 200
    assert f'"protocolVersion":"{version}"' in body


def test_too_much_is_refused(there):
    assert post(there, b" " * 5_000_000) == 413
    assert post(there, HELLO) == 200


def test_other_paths_are_nothing(there):
    host, port = there.removeprefix("http://").removesuffix("/mcp").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    connection.request("GET", "/")
    assert connection.getresponse().status == 404
    connection.close()


def test_each_client_has_a_session_of_its_own(there):
    async def work(client: Client):
        return await client.call_tool("gap", {"topic": "yeast"})

    async def both():
        async with Client(there, mode="legacy") as one, Client(there, mode="legacy") as other:
            return await work(one), await work(other)

    assert [result.is_error for result in anyio.run(both)] == [False, False]


@contextmanager
def unfinished(url, data, number):
    """Connections that begin a request and never end it."""
    host, port = url.removeprefix("http://").removesuffix("/mcp").split(":")
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection((host, int(port)), timeout=30)) for _ in range(number)]
        for connection in opened:
            with suppress(OSError):  # the server has closed it already
                connection.sendall(data)
        yield opened


BODY_WITHOUT_END = (
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


@pytest.mark.parametrize("data", [b"", b"POST /mcp HTTP/1.1\r\nHost: 1", BODY_WITHOUT_END])
def test_unfinished_requests_keep_nobody_out(there, data):
    with unfinished(there, data, 70):
        assert post(there, HELLO) == 200


@pytest.mark.parametrize(
    ("setting", "data"),
    [("header_seconds", b"POST /mcp HTTP/1.1\r\nHost: 1"), ("idle_seconds", BODY_WITHOUT_END)],
)
def test_a_request_that_never_ends_is_closed(root, setting, data):
    (root / ".cairn/settings.local.json").write_text(json.dumps({"serve": {setting: 1}}))
    with served(root) as (url, _), unfinished(url, data, 1) as [connection]:
        with suppress(ConnectionResetError):
            assert connection.recv(100) == b""
        assert post(url, HELLO) == 200


def test_stopped_by_hand(root):
    with served(root) as (_, process):
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, 130)
        assert b"Traceback" not in process.stderr.read()


# --- what may be wrong at the start ----------------------------------------------------------------------------------


def test_outside_of_a_workspace(tmp_path):
    ran = cairn("mcp", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "cairn init" in ran.err


def test_where_others_could_reach_it(root):
    ran = cairn("mcp", "--http", "0.0.0.0:8321", cwd=root)
    assert ran.code == 2
    assert "could be reached by others" in ran.err


def test_without_the_library(root, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['mcp'] = None\n")
    ran = cairn("mcp", cwd=root, PYTHONPATH=str(tmp_path))
    assert ran.code == 2
    assert ran.err.strip().splitlines() == [
        'cairn: Serving agents needs a library; add it with `pip install "cairn-kb[mcp]"`.'
    ]


def test_no_terminal_is_needed_and_the_end_of_input_ends_it(root):
    ran = cairn("mcp", cwd=root)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
