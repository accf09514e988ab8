"""How a connection is made: the name is resolved once, every answer is judged, and we connect to what was judged."""

import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

import httpcore

from cairn.errors import EnvironmentProblem
from cairn.lib.urls.host import parse_ipv4, parse_ipv6, refuse_address
from cairn.lib.urls.url import Place, UrlProblem, allow_hint, split_url

Resolve = Callable[[str, int], Sequence[str]]
"""Host and port to addresses, as text. Raises `OSError` when there are none."""


def system_resolve(host: str, port: int) -> list[str]:
    """As this machine resolves names, its hosts file included."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


class Resolver:
    """Remembers what a name meant. The system's resolver cannot be told to hurry, so it runs beside and may be left
    behind."""

    def __init__(self, resolve: Resolve = system_resolve) -> None:
        self._resolve = resolve
        self._known: dict[str, tuple[str, ...]] = {}

    def addresses(self, host: str, port: int, *, seconds: float) -> tuple[str, ...]:
        """Raises `OSError`, or `TimeoutError` when it takes too long."""
        if host not in self._known:
            self._known[host] = _within(seconds, lambda: tuple(self._resolve(host, port)))
        return self._known[host]


def _within(seconds: float, work: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    answers: list[tuple[str, ...] | Exception] = []

    def run() -> None:
        try:
            answers.append(work())
        except Exception as error:
            answers.append(error)

    beside = threading.Thread(target=run, name="cairn-resolve", daemon=True)
    beside.start()
    beside.join(max(seconds, 0.0))
    if not answers:
        raise TimeoutError("The name was not resolved in time.")
    if isinstance(answers[0], Exception):
        raise answers[0]
    return answers[0]


Connect = Callable[[str, int, float], httpcore.NetworkStream]
"""Address, port, seconds."""

_MOST_ADDRESSES = 4
_SHORT_TRY = 4.0
"""Seconds for an address that is not the last one."""


class GuardRefused(Exception):
    """The guard says no; the message is a sentence."""


class NameUnknown(Exception):
    """A name that leads nowhere; the message is a sentence."""


class NameUnresolved(NameUnknown):
    """Nobody answered what it leads to."""


class Deadline:
    """The moment at which a request has to be over, whatever the other side sends meanwhile."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, at_most: float | None = None) -> float:
        """Seconds; raises when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("out of time")
        return left if at_most is None else min(left, at_most)


class Guard(NamedTuple):
    """What is the same for all connections of a run."""

    resolver: Resolver
    connect: Connect
    allow: Collection[Place] = ()
    connect_vouched: Connect | None = None
    """For places in `allow`, which are not behind a proxy."""


class GuardedBackend(httpcore.NetworkBackend):
    def __init__(self, guard: Guard, deadline: Deadline, *, connect_seconds: float) -> None:
        self._guard = guard
        self._deadline = deadline
        self._connect_seconds = connect_seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        vouched = (host, port) in self._guard.allow or (f"[{host}]", port) in self._guard.allow
        connect = self._guard.connect_vouched if vouched else None
        patience = Deadline(min(self._connect_seconds, self._deadline.left()))
        addresses = self._vetted(host, port, patience, vouched=vouched)[:_MOST_ADDRESSES]
        for number, address in enumerate(addresses[:-1]):
            try:
                return self._connected(address, port, _share(patience, len(addresses) - number), connect)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._connected(addresses[-1], port, _share(patience, 1), connect)

    def _vetted(self, host: str, port: int, patience: Deadline, *, vouched: bool) -> tuple[str, ...]:
        """Addresses that all may be connected to. One bad answer spoils the name: it might be chosen next time."""
        literal = parse_ipv4(host) is not None or parse_ipv6(host) is not None
        addresses = (host,) if literal else self._resolved(host, port, patience)
        for address in addresses if not vouched else ():
            if (reason := refuse_address(address)) is not None:
                said = reason if literal else f"{host} leads to {reason}"
                raise GuardRefused(f"{said}{allow_hint(f'[{host}]' if ':' in host else host, port, reason)}")
        return addresses

    def _resolved(self, host: str, port: int, patience: Deadline) -> tuple[str, ...]:
        try:
            addresses = self._guard.resolver.addresses(host, port, seconds=patience.left())
        except TimeoutError:
            raise NameUnresolved(f"The name {host} was not resolved in time.") from None
        except (OSError, UnicodeError):
            raise NameUnknown(f"The name {host} leads to no address.") from None
        if not addresses:
            raise NameUnknown(f"The name {host} leads to no address.")
        return addresses

    def _connected(self, address: str, port: int, seconds: float, connect: Connect | None) -> httpcore.NetworkStream:
        try:
            stream = (connect or self._guard.connect)(address, port, self._deadline.left(seconds))
        except httpcore.TimeoutException as late:  # also a proxy that tries in vain
            raise httpcore.ConnectTimeout(str(late)) from late
        peer = stream.get_extra_info("server_addr")
        if not peer or _number(str(peer[0])) != _number(address):
            stream.close()
            raise GuardRefused(f"The connection to {address} ended up at another machine.")
        return TimedStream(stream, self._deadline)


def _share(patience: Deadline, addresses: int) -> float:
    """Seconds for the next of so many addresses: all of them together have to be reached in the time for one host."""
    try:
        left = patience.left()
    except httpcore.ReadTimeout:
        raise httpcore.ConnectTimeout("out of time") from None
    return left if addresses == 1 else min(_SHORT_TRY, left / addresses)


class TimedStream(httpcore.NetworkStream):
    """Every wait ends at the deadline, so that a server which sends a byte now and then gains nothing by it."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return TimedStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def connect_directly(address: str, port: int, seconds: float) -> httpcore.NetworkStream:
    return httpcore.SyncBackend().connect_tcp(address, port, timeout=seconds, socket_options=())


def _number(address: str) -> int | None:
    text = address.partition("%")[0]
    ipv4 = parse_ipv4(text)
    return parse_ipv6(text) if ipv4 is None else ipv4


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
