"""Answers a client's first questions over standard input and output, without the protocol's package.

Hosts start `cairn mcp` with every session and put into the first request of a model whatever tools are listed by then.
Importing the package takes a hundred times as long as these answers, so it waits until a client asks for something that
is not the same each time. This module imports the standard library only. Its answers are those of the package itself:
`listing.json` is recorded from it (`recorded.py`, by `make docs`), and a test compares the two.
"""

import json
import os
import sys
import time
from _signal import SIGINT, SIGTERM, default_int_handler, getsignal, signal  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

BLOCK = 65536
LISTING = os.path.join(os.path.dirname(__file__), "listing.json")
SETTINGS = os.path.join(".cairn", "settings.json")
META = "io.modelcontextprotocol/"
VERSION = f"{META}protocolVersion"
ANY = "*"
"""In the listing: any version that the package does not know."""


class OpeningMessages:
    """A conversation as far as it was answered here: the rest of it belongs to the package."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        """To be told to the package first, so that it knows the client."""
        self.answered: list[str | int] = []
        """Ids of requests among them: their answers are not sent again."""
        self.rest = b""
        """Read, but not answered."""
        self.client = ""
        self.listed = False
        """Whether the client was given the tools."""


def tell_listed(root: str, env: "Mapping[str, str]", opening: OpeningMessages) -> None:
    """Record that a client has the tools, in passing: `cairn agent doctor` looks for it."""
    try:
        if env.get("CAIRN_OFF", "").strip().lower() in ("", "0", "false", "no", "off"):
            import cairn.journal as journal

            if journal.foreign_part(root):
                return
            client = "".join(c for c in opening.client if c.isprintable())[:80]
            event: dict[str, object] = {"type": "tools_listed", "payload": {"client": client}}
            now_ms = time.time_ns() // 1_000_000
            journal.append_all(os.path.join(root, ".cairn", "ledger"), (event,), now_ms=now_ms, passing=True)
    except (OSError, ValueError):
        return


class StopRequest(Exception):
    """The process was asked to stop."""


def workspace_of(args: "Sequence[str]", env: "Mapping[str, str]") -> str | None:
    """The workspace for a call as hosts make it: `mcp`, or `-C FOLDER mcp`. None for every other call, and where the
    command has to explain that something is missing."""
    if list(args) == ["mcp"]:
        folder = "."
    elif len(args) == 3 and args[0] == "-C" and args[2] == "mcp":
        folder = args[1]
    else:
        return None
    if sys.platform == "win32" or "_CAIRN_COMPLETE" in env or sys.stdin is None or sys.stdin.isatty():
        return None
    return _root(folder) if _has_package() else None


def _root(folder: str) -> str | None:
    try:
        folder = os.path.realpath(folder)
    except OSError:
        return None
    while not os.path.isfile(os.path.join(folder, SETTINGS)):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _has_package() -> bool:
    """As `importlib.util.find_spec`, which takes longer to import than everything here."""
    return "mcp" not in sys.modules and any(os.path.isfile(os.path.join(p, "mcp", "__init__.py")) for p in sys.path)


def greet(told: "Callable[[OpeningMessages], None] | None" = None) -> "OpeningMessages | int":
    """Answer until a message needs the package, which then gets the opening; or an exit code when the client is gone.
    `told` hears that the tools were listed, once, after the client has them."""
    before = getsignal(SIGTERM)
    opening = OpeningMessages()
    try:
        signal(SIGTERM, _stop)
        signal(SIGINT, default_int_handler)
        return opening if _answer_all(_Desk(opening), told) else 0
    except StopRequest:
        return 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
    finally:
        signal(SIGTERM, before)


def _stop(*_: object) -> None:
    raise StopRequest


def _answer_all(desk: "_Desk", told: "Callable[[OpeningMessages], None] | None") -> bool:
    """Whether the package has to go on; False when the client has closed its end."""
    opening = desk.opening
    while True:
        line, found, rest = opening.rest.partition(b"\n")
        if not found:
            if len(line) > BLOCK:
                return True  # nothing that we would answer is that long
            block = os.read(0, BLOCK)
            if not block:
                return bool(line.strip())
            opening.rest += block
            continue
        if line.strip():
            answer = desk.answer(line)
            if answer is None:
                return True
            _write(answer)
        opening.rest = rest
        if desk.news and told is not None:
            desk.news = False
            told(opening)


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


class _Desk:
    """Answers from the listing; None for what is not in it."""

    def __init__(self, opening: OpeningMessages) -> None:
        self.opening = opening
        self.news = False
        self._results: dict[str, Any] | None = None
        """By method, in the version that the client speaks."""
        self._modern = False

    def answer(self, line: bytes) -> bytes | None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        params = message.get("params", {})
        if not isinstance(params, dict) or not isinstance(message.get("method"), str):
            return None
        if set(message) == {"jsonrpc", "method", "id"} | ({"params"} if "params" in message else set()):
            return self._request(line, message["id"], message["method"], params)
        return self._notification(line, message["method"], set(message))

    def _notification(self, line: bytes, method: str, keys: set[str]) -> bytes | None:
        if method != "notifications/initialized" or self._modern or self._results is None or "id" in keys:
            return None
        self.opening.frames.append(line)
        return b""

    def _request(self, line: bytes, id: object, method: str, params: "dict[str, Any]") -> bytes | None:
        if type(id) not in (str, int):
            return None
        result = self._result(line, id, method, params)
        if result is None:
            return None
        if method == "tools/list":
            self.news = not self.opening.listed
            self.opening.listed = True
        return json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, ensure_ascii=False).encode() + b"\n"

    def _result(self, line: bytes, id: "Any", method: str, params: "dict[str, Any]") -> "Any":
        envelope = params.get("_meta")
        if isinstance(envelope, dict) and VERSION in envelope:
            return self._enveloped(line, id, method, params, envelope)
        if method == "initialize":
            return self._initialized(line, id, params)
        if self._modern or self._results is None or not _is_plain(params):
            return None
        return self._results.get(method)

    def _initialized(self, line: bytes, id: "Any", params: "dict[str, Any]") -> "Any":
        client: Any = params.get("clientInfo")
        if self._results is not None or set(params) - {"protocolVersion", "capabilities", "clientInfo", "_meta"}:
            return None
        if not isinstance(params.get("capabilities"), dict) or not _is_client(client):
            return None
        if not isinstance(params.get("protocolVersion"), str):
            return None
        self.opening.frames.append(line)
        self.opening.answered.append(id)
        self.opening.client = client["name"]
        self._results = _listed("handshake", params["protocolVersion"])
        return self._results["initialize"]

    def _enveloped(
        self, line: bytes, id: "Any", method: str, params: "dict[str, Any]", envelope: "dict[str, Any]"
    ) -> "Any":
        """A request of the newer protocol, which brings along who asks. The first one settles which protocol it is."""
        if self._results is not None and not self._modern:
            return None
        wanted = {VERSION: str, f"{META}clientInfo": dict, f"{META}clientCapabilities": dict}
        if method == "initialize" or set(params) != {"_meta"}:
            return None
        if any(not isinstance(envelope.get(name), kind) for name, kind in wanted.items()):
            return None
        if not _is_client(envelope[f"{META}clientInfo"]):
            return None
        results = _listed("envelope", envelope[VERSION])
        if method not in results:
            return None
        if not self._modern:
            self.opening.frames.append(line)
            self.opening.answered.append(id)
        self._modern, self._results = True, results
        self.opening.client = envelope[f"{META}clientInfo"]["name"]
        return results[method]


def _is_client(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("version"), str)


def _is_plain(params: "dict[str, Any]") -> bool:
    """Without anything that the answer could depend on."""
    meta = params.get("_meta", {})
    return not set(params) - {"_meta", "cursor"} and params.get("cursor") is None and isinstance(meta, dict)


def _listed(era: str, version: str) -> "dict[str, Any]":
    with open(LISTING, encoding="utf-8") as file:
        listing = json.load(file)
    known = listing[era]
    numbers = known.get(version) or known.get(ANY, {})
    return {method: listing["results"][number] for method, number in numbers.items()}
