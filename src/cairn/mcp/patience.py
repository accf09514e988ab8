"""Closes connections that never finish a request, so that they cannot keep others out."""

import asyncio
from collections import OrderedDict
from typing import Any, NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol


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
