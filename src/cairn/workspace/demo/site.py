"""A little site of other people's pages, on loopback and for as long as the demo lasts; it changes on command."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

HOST: Final = "127.0.0.1"

PAGES: Final = {
    "/cards/terms": (
        "Terms of the card service",
        "Each shop may send us up to 100 payments a minute. What comes on top of it waits for the next minute.",
        "We pay out every morning. A payment that reaches us twice under one number is charged once.",
        "Ask the desk in the lobby for another reader when yours is broken.",
    ),
    "/rules/allergens": (
        "Allergens in bakeries",
        "14 allergens have to be named on every label. Nobody needs to ask for them.",
        "The inspector comes once a year and looks at labels, cards and the folder.",
        "Goods that lie open may share one card, as long as it stands beside them.",
    ),
    "/mill/orders": (
        "Order at the mill",
        "We take orders for the next day until 4 p.m. The mill rests at weekends.",
        "Flour keeps for six weeks when it is dry and dark.",
        "The yard is open for lorries from five in the morning.",
    ),
    "/market/times": (
        "The Wednesday market",
        "Stalls are built up from 6 a.m. on, and the market opens for customers at 8 a.m.",
        "Cars have to leave the square by seven o'clock.",
        "Places are given out at the beginning of a season.",
    ),
    "/town/vans": (
        "Driving in the old town",
        "Vans may drive in the old town until 11 a.m. Bikes may always.",
        "The posts at both gates are let down at five in the morning.",
        "Residents find their permits at the town hall.",
    ),
    "/guild/flues": (
        "Flues of ovens",
        "The flue of an oven is swept every 3 months. The sweep signs for it.",
        "An oven that was cold for a year is looked at before it is lit again.",
        "The guild has a list of sweeps in the neighbourhood.",
    ),
}


class Site:
    """`pages` is what it says; `redesigned` pages look like another site, `restless` ones differ at every request."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, ...]] = dict(PAGES)
        self.redesigned: set[str] = set()
        self.restless: set[str] = set()
        self.port = 0
        self._visitors = 0
        self._lock = threading.Lock()

    @property
    def place(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    def change(self, path: str, old: str, new: str) -> None:
        self.pages[path] = tuple(text.replace(old, new) for text in self.pages[path])

    def take_down(self, path: str) -> None:
        del self.pages[path]

    def html(self, path: str) -> str | None:
        if path not in self.pages:
            return None
        title, *texts = self.pages[path]
        if path in self.restless:
            texts.append(f"You are visitor number {self._visitor()}.")
        return _modern(title, texts) if path in self.redesigned else _plain(title, texts)

    def _visitor(self) -> int:
        with self._lock:
            self._visitors += 1
            return 4_711 + 13 * self._visitors


def _plain(title: str, texts: list[str]) -> str:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main>"
        "<footer>Last updated in spring</footer></body></html>"
    )


def _modern(title: str, texts: list[str]) -> str:
    body = "".join(f'<div class="tile"><span>{text}</span></div>' for text in texts)
    return (
        f'<!doctype html><html lang="en"><head><title>{title} | welcome</title></head>'
        '<body><div class="cookie-banner">We use cookies. <button>Accept all</button></div>'
        '<nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/jobs">Jobs</a></nav>'
        f"<article><h1>{title}</h1>{body}</article><footer>Last updated in autumn. Follow us!</footer></body></html>"
    )


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    server = _Server((HOST, 0), _handler(site))
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *args: Any) -> None:
        """Whoever asked went away; that is nothing to print."""


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = site.html(self.path)
            body = (text or "There is no such page.").encode()
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *args: Any) -> None:
            """The story is told by somebody else."""

    return Handler
