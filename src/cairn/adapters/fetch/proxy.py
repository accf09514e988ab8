"""A way out through a proxy, where there is no other. Only the operator's environment names one.

Names are resolved and judged here all the same: the proxy is asked for the address that was judged, never for a name.
"""

from base64 import b64encode
from typing import Any, NamedTuple
from urllib.parse import unquote

import httpcore

from cairn.adapters.fetch.backend import Deadline, connect_directly
from cairn.errors import EnvironmentProblem
from cairn.lib.urls.url import UrlProblem, split_url

VARIABLE = "CAIRN_FETCH_PROXY"
_LONGEST_ANSWER = 16 * 1024


class Proxy(NamedTuple):
    host: str
    port: int
    authorization: str = ""

    def __repr__(self) -> str:
        return f"Proxy({self.host}:{self.port})"

    def connect(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        """A tunnel to an address. What can go wrong is a `ConnectError`, as without a proxy."""
        deadline = Deadline(seconds)
        stream = connect_directly(self.host, self.port, deadline.left())
        place = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        secret = f"Proxy-Authorization: {self.authorization}\r\n" if self.authorization else ""
        try:
            stream.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{secret}\r\n".encode(), deadline.left())
            _must_agree(_head(stream, deadline))
        except BaseException:
            stream.close()
            raise
        return _Tunnel(stream, (address, port))


def _head(stream: httpcore.NetworkStream, deadline: Deadline) -> bytes:
    """Byte by byte at its end, so that nothing behind it is taken away."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = stream.read(1, deadline.left())
        if not piece or len(head) > _LONGEST_ANSWER:
            raise httpcore.ConnectError("the proxy broke off")
        head += piece
    return head


def _must_agree(head: bytes) -> None:
    words = head.split(b"\r\n", 1)[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or words[1] != b"200":
        raise httpcore.ConnectError("the proxy said no")


class _Tunnel(httpcore.NetworkStream):
    """At its other end is the address that the proxy was asked for."""

    def __init__(self, stream: httpcore.NetworkStream, peer: tuple[str, int]) -> None:
        self._stream = stream
        self._peer = peer

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Tunnel(self._stream.start_tls(ssl_context, server_hostname, timeout), self._peer)

    def get_extra_info(self, info: str) -> Any:
        return self._peer if info == "server_addr" else self._stream.get_extra_info(info)


def read_proxy(text: str) -> Proxy | None:
    """The value of `CAIRN_FETCH_PROXY`: `http://host:port`, or with `user:password@` before the host."""
    if not text.strip():
        return None
    try:
        url = split_url(text)
        if url.scheme != "http":
            raise UrlProblem("no plain proxy")
    except UrlProblem:
        # The text is not shown: it may have a password in it.
        raise EnvironmentProblem(f"{VARIABLE} is not `http://host:port`; write it like that.") from None
    secret = f"Basic {b64encode(unquote(url.userinfo).encode()).decode()}" if url.userinfo else ""
    return Proxy(url.host.text.strip("[]"), url.port, secret)
