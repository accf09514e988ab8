"""How a connection is made: the name is resolved once, every answer is judged, and we connect to what was judged."""

import ssl
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

import httpcore

from cairn.adapters.fetch.resolve import Resolver
from cairn.lib.urls.host import parse_ipv4, parse_ipv6, refuse_address
from cairn.lib.urls.url import Place, allow_hint

Connect = Callable[[str, int, float], httpcore.NetworkStream]
"""Address, port, seconds."""

_MOST_ADDRESSES = 4
_SHORT_TRY = 4.0
"""Seconds for an address that is not the last one."""


class GuardRefused(Exception):
    """The guard says no; the message is a sentence."""


class NameUnknown(Exception):
    """A name that leads nowhere; the message is a sentence."""


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
        addresses = self._vetted(host, port, vouched=vouched)[:_MOST_ADDRESSES]
        for address in addresses[:-1]:
            try:
                return self._connected(address, port, min(_SHORT_TRY, self._connect_seconds), connect)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._connected(addresses[-1], port, self._connect_seconds, connect)

    def _vetted(self, host: str, port: int, *, vouched: bool) -> tuple[str, ...]:
        """Addresses that all may be connected to. One bad answer spoils the name: it might be chosen next time."""
        literal = parse_ipv4(host) is not None or parse_ipv6(host) is not None
        addresses = (host,) if literal else self._resolved(host, port)
        for address in addresses if not vouched else ():
            if (reason := refuse_address(address)) is not None:
                said = reason if literal else f"{host} leads to {reason}"
                raise GuardRefused(f"{said}{allow_hint(f'[{host}]' if ':' in host else host, port, reason)}")
        return addresses

    def _resolved(self, host: str, port: int) -> tuple[str, ...]:
        try:
            addresses = self._guard.resolver.addresses(host, port, seconds=self._deadline.left(self._connect_seconds))
        except TimeoutError:
            raise NameUnknown(f"The name {host} was not resolved in time.") from None
        except (OSError, UnicodeError):
            raise NameUnknown(f"The name {host} leads to no address.") from None
        if not addresses:
            raise NameUnknown(f"The name {host} leads to no address.")
        return addresses

    def _connected(self, address: str, port: int, seconds: float, connect: Connect | None) -> httpcore.NetworkStream:
        stream = (connect or self._guard.connect)(address, port, self._deadline.left(seconds))
        peer = stream.get_extra_info("server_addr")
        if not peer or _number(str(peer[0])) != _number(address):
            stream.close()
            raise GuardRefused(f"The connection to {address} ended up at another machine.")
        return TimedStream(stream, self._deadline)


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
