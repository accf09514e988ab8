"""A model on loopback that answers what it is told to, and keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]
"""Status, and a value that becomes JSON, or bytes that are sent as they are."""


class ModelServer:
    def __init__(self) -> None:
        self.reply: Reply | Callable[[dict[str, Any]], Reply] = (500, None)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        """Path, headers in small letters, body."""
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def says(self, text: str, **usage: int) -> None:
        self.reply = 200, {"choices": [{"message": {"content": text}}], "usage": usage}

    def answer(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> tuple[int, bytes]:
        self.asked.append((path, headers, body))
        status, value = self.reply(body) if callable(self.reply) else self.reply
        return status, value if isinstance(value, bytes) else json.dumps(value).encode()


@contextmanager
def model_server() -> Iterator[ModelServer]:
    model = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, data = model.answer(self.path, headers, body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
