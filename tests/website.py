"""A site on loopback whose pages are functions, and which counts who asked for what."""

import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
View = Callable[["Request"], Answer | None]


class Request:
    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.method = handler.command
        self.path = handler.path
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.handler = handler

    def send_raw(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()


class Website:
    """`site["/a"] = "text"` or a function of the request; what it counts is in `asked` and `requests`."""

    def __init__(self, *, delay: float = 0.0) -> None:
        self.pages: dict[str, View] = {}
        self.asked: Counter[str] = Counter()
        self.requests: list[Request] = []
        self.active = 0
        self.most_at_once = 0
        self.delay = delay
        self._lock = threading.Lock()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def place(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    def __setitem__(self, path: str, page: str | bytes | View) -> None:
        self.pages[path] = page if callable(page) else _fixed(page)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        request = Request(handler)
        with self._lock:
            self.asked[f"{request.method} {request.path}"] += 1
            self.requests.append(request)
            self.active += 1
            self.most_at_once = max(self.most_at_once, self.active)
        with suppress(OSError):  # whoever asked went away
            if (answer := self._made(request)) is not None:
                _send(handler, *answer)

    def _made(self, request: Request) -> Answer | None:
        """The request is over before its answer goes out: whoever gets that may ask again at once."""
        try:
            if self.delay:
                time.sleep(self.delay)
            return self.pages.get(request.path, _missing)(request)
        finally:
            with self._lock:
                self.active -= 1


def _fixed(page: str | bytes) -> View:
    body = page.encode() if isinstance(page, str) else page
    return lambda _: (200, {"Content-Type": "text/html; charset=utf-8"}, body)


def _missing(_: Request) -> Answer:
    return 404, {}, b"nothing here"


def redirect(to: str, status: int = 302) -> View:
    return lambda _: (status, {"Location": to}, b"")


def _send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    if "Content-Length" not in headers and status != 304:
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


@contextmanager
def serving(site: Website | None = None, *, certificate: Path | None = None) -> Iterator[Website]:
    site = site or Website()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.answer(self)

        do_HEAD = do_GET

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            site.answer(self)

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

        def handle_error(self, *args: Any) -> None:
            pass  # clients hang up on purpose here

    server = Server(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
