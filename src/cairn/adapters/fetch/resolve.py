"""Names to addresses, each name once in a run."""

import socket
import threading
from collections.abc import Callable, Sequence

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
