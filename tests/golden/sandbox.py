"""Prepares the process under test: its clock stands still, and the port of the sample site leads to the running one.

Both are done to the standard library, so that nothing here knows where Cairn keeps its own modules.
"""

import socket
import time
from typing import Any

SITE_PORT = 8400
"""The port that the pages of the samples name."""


def prepare(now_ms: str, port: str) -> None:
    _stop_clock(int(now_ms))
    _lead_to(int(port))


def _stop_clock(now_ms: int) -> None:
    time.time_ns = lambda: now_ms * 1_000_000  # type: ignore[assignment]
    time.time = lambda: now_ms / 1000  # type: ignore[assignment]


def _lead_to(port: int) -> None:
    connect = socket.socket.connect

    def led(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[1] == SITE_PORT:
            address = (address[0], port, *address[2:])
        connect(self, address)

    socket.socket.connect = led  # type: ignore[method-assign,assignment]
