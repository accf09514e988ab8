"""Out through a proxy: names are still judged here, and the proxy is told addresses only."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cairn.adapters.fetch.backend import Proxy, read_proxy
from cairn.adapters.fetch.hop import Trust
from cairn.adapters.fetch.hosts import Limits
from cairn.adapters.fetch.web import WebFetcher
from cairn.core.ports.sources import FetchFailed
from cairn.errors import EnvironmentProblem
from cairn.lib.html.charset import FetchedPage
from website import serving

PUBLIC = "93.184.216.34"
CERTIFICATE = Path(__file__).parent / "docs-example-org.pem"
LIMITS = Limits(attempts=1, hop_seconds=5)


class Tunnels:
    def __init__(self, port: int, target: int, answer: bytes) -> None:
        self.port, self.target, self.answer = port, target, answer
        self.asked: list[bytes] = []


@contextmanager
def tunnelling(target: int, answer: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n") -> Iterator[Tunnels]:
    """A proxy that leads everybody to one port of this machine, whatever they ask for."""
    server = socket.create_server(("127.0.0.1", 0))
    tunnels = Tunnels(server.getsockname()[1], target, answer)

    def serve() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=lead, args=(client,), daemon=True).start()

    def lead(client: socket.socket) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        tunnels.asked.append(head)
        client.sendall(tunnels.answer)
        if b" 200 " not in tunnels.answer:
            client.close()
            return
        with socket.create_connection(("127.0.0.1", target)) as there:
            back = threading.Thread(target=pump, args=(there.recv, client.sendall), daemon=True)
            back.start()
            pump(client.recv, there.sendall)
            back.join(5)
        client.close()

    def pump(read: Callable[[int], bytes], write: Callable[[bytes], None]) -> None:
        try:
            while data := read(65_536):
                write(data)
        except OSError:
            pass

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield tunnels
    finally:
        server.close()


def test_a_page_through_a_tunnel_to_the_address_that_was_judged() -> None:
    trust = Trust(ssl.create_default_context(cafile=str(CERTIFICATE)))
    with serving(certificate=CERTIFICATE) as site, tunnelling(site.port) as proxy:
        site["/a"] = "<p>through</p>"
        fetcher = WebFetcher(
            proxy=Proxy("127.0.0.1", proxy.port, "Basic c2VjcmV0"),
            trust=trust,
            limits=LIMITS,
            resolve=lambda *_: [PUBLIC],
        )
        page = fetcher.fetch("https://docs.example.org/a")
    assert isinstance(page, FetchedPage), page
    assert page.body == b"<p>through</p>"
    assert proxy.asked == [
        f"CONNECT {PUBLIC}:443 HTTP/1.1\r\nHost: {PUBLIC}:443\r\nProxy-Authorization: Basic c2VjcmV0\r\n\r\n".encode()
    ]


def test_what_is_refused_without_a_proxy_is_refused_with_one() -> None:
    with serving() as site, tunnelling(site.port) as proxy:
        fetcher = WebFetcher(proxy=Proxy("127.0.0.1", proxy.port), limits=LIMITS, resolve=lambda *_: ["10.0.0.1"])
        for url in ("http://inside.example/", "http://169.254.169.254/"):
            failed = fetcher.fetch(url)
            assert isinstance(failed, FetchFailed)
            assert failed.cause == "refused"
    assert proxy.asked == []


def test_places_of_the_house_are_not_behind_it() -> None:
    with serving() as site, tunnelling(site.port) as proxy:
        site["/a"] = "here"
        fetcher = WebFetcher(proxy=Proxy("127.0.0.1", proxy.port), allow={site.place}, limits=LIMITS)
        assert isinstance(fetcher.fetch(f"{site.url}/a"), FetchedPage)
    assert proxy.asked == []


@pytest.mark.parametrize("answer", [b"HTTP/1.1 407 Who?\r\n\r\n", b"HTTP/1.1 403 No\r\n\r\n", b"hello\r\n\r\n"])
def test_a_proxy_that_says_no(answer: bytes) -> None:
    with serving() as site, tunnelling(site.port, answer) as proxy:
        fetcher = WebFetcher(proxy=Proxy("127.0.0.1", proxy.port), limits=LIMITS, resolve=lambda *_: [PUBLIC])
        failed = fetcher.fetch("http://docs.example.org/")
    assert isinstance(failed, FetchFailed)
    assert failed.cause == "connect"


def test_how_a_proxy_is_named() -> None:
    assert read_proxy(" ") is None
    assert read_proxy("http://proxy.example:3128") == Proxy("proxy.example", 3128)
    named = read_proxy("http://me:pa%3Ass@proxy.example")
    assert named == Proxy("proxy.example", 80, "Basic bWU6cGE6c3M=")
    assert "bWU6" not in repr(named)
    for wrong in ("https://proxy.example", "proxy.example:3128", "socks5://x", "http://me:secret@"):
        with pytest.raises(EnvironmentProblem) as problem:
            read_proxy(wrong)
        assert "secret" not in problem.value.message
