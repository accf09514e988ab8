"""Streamable HTTP on this machine alone: for clients that cannot start a program, or that share one."""

import asyncio
import logging
import socket
from collections import OrderedDict
from collections.abc import Callable
from contextlib import closing
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from cairn.errors import EnvironmentProblem, UsageError

PATH: Final = "/mcp"
_LARGEST: Final = 4 * 1024 * 1024
_CONNECTIONS: Final = 64
_SESSIONS: Final = 512
"""Many more than connections: a client that dies leaves its session behind, until that was idle for long enough."""
_IDLE_SECONDS: Final = 1800.0
_GOODBYE_SECONDS: Final = 2


class Address(NamedTuple):
    host: str
    port: int

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{PATH}"


def address_of(text: str) -> Address:
    """`127.0.0.1:8321`, `[::1]:8321`, `localhost:8321` or `8321`; nothing that others could reach."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isascii() or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"--http wants HOST:PORT, such as 127.0.0.1:8321, not '{text}'")
    if host != "localhost" and not _is_loopback(host):
        raise UsageError(
            f"'{host}' could be reached by others, and there is no password; serve on 127.0.0.1, and use a tunnel or a "
            "proxy that asks for one"
        )
    return Address("127.0.0.1" if host == "localhost" else host, int(port))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def serve_http(
    server: Server[Any], address: Address, ready: Callable[[Address], None], limits: "HttpLimits | None" = None
) -> int:
    """Until somebody stops us. `ready` hears where, once that is so."""
    import uvicorn

    with closing(_bound(address)) as listener:
        there = Address(address.host, listener.getsockname()[1])
        config = uvicorn.Config(
            _app(server, there),
            log_config=None,
            access_log=False,
            lifespan="on",
            http=patient(limits or HttpLimits()),
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=_GOODBYE_SECONDS,
            server_header=False,
        )
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        logging.getLogger("mcp.server.streamable_http").addFilter(is_news)

        class Announced(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                """Only now are signals handled: whoever stops us before would see a traceback of asyncio."""
                await super().startup(sockets)
                if self.started:
                    ready(there)

        Announced(config).run(sockets=[listener])
    return 0


def is_news(record: logging.LogRecord) -> bool:
    """A client that goes away in the middle of what it says is none; a traceback would look like a fault of ours."""
    from starlette.requests import ClientDisconnect

    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


def _bound(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        raise EnvironmentProblem(
            f"{address.host}:{address.port} cannot be used ({error.strerror}); choose another port, or 0 for any"
        ) from None
    listener.listen(_CONNECTIONS)
    return listener


def _app(server: Server[Any], address: Address) -> Any:
    """Requests must be meant for us: a page in a browser that has our address under another name is turned away."""
    names = ("127.0.0.1", "localhost", "[::1]", f"[{address.host}]" if ":" in address.host else address.host)
    hosts = [f"{name}:{address.port}" for name in dict.fromkeys(names)]
    return server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=_LARGEST,
        session_idle_timeout=_IDLE_SECONDS,
        max_sessions=_SESSIONS,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=hosts,
            allowed_origins=[f"http://{host}" for host in hosts],
        ),
        host=address.host,
    )


class HttpLimits(NamedTuple):
    header_seconds: float = 10.0
    idle_seconds: float = 30.0
    per_peer: int = 32
    """Unfinished requests of one address. A further one closes the oldest."""


class UnfinishedRequests:
    """Connections that have not sent a whole request yet, by address, the oldest first."""

    def __init__(self, limits: HttpLimits) -> None:
        self.limits = limits
        self._by_peer: dict[str, OrderedDict[Any, None]] = {}

    def add(self, peer: str, connection: "PatientProtocol") -> None:
        waiting = self._by_peer.setdefault(peer, OrderedDict())
        waiting[connection] = None
        while len(waiting) > self.limits.per_peer:
            oldest = next(iter(waiting))
            self.drop(peer, oldest)
            oldest.give_up()

    def drop(self, peer: str, connection: "PatientProtocol") -> None:
        waiting = self._by_peer.get(peer, OrderedDict())
        waiting.pop(connection, None)
        if not waiting:
            self._by_peer.pop(peer, None)


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a timer for whatever a client has begun and not finished."""

    unfinished: UnfinishedRequests
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._peer = str((transport.get_extra_info("peername") or ("",))[0])
        self.unfinished.add(self._peer, self)
        self._wait(self.unfinished.limits.header_seconds)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            if self._timer is None and not self._between_requests():
                self.unfinished.add(self._peer, self)
                self._wait(self.unfinished.limits.header_seconds)
        elif cycle.more_body:
            self._wait(self.unfinished.limits.idle_seconds)
        else:
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def give_up(self) -> None:
        self._rest()
        if not self.transport.is_closing():
            self.transport.abort()

    def _between_requests(self) -> bool:
        """Nothing of a next request has arrived."""
        return not self.conn.trailing_data[0]

    def _wait(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.give_up)

    def _rest(self) -> None:
        self.unfinished.drop(self._peer, self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def patient(limits: HttpLimits) -> type[PatientProtocol]:
    """A protocol class for one server."""
    return type("Patient", (PatientProtocol,), {"unfinished": UnfinishedRequests(limits)})
