"""Watching: notice that files changed, wait until they have come to rest, say so."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

from cairn.core.ports.files import Files, WalkRequest
from cairn.core.ports.runtime import Clock

_SHARE = 10
"""Looking may take at most a tenth of the time: a large tree is looked at less often."""
_SHORTEST = 0.25


class Beat(NamedTuple):
    """The files have come to rest in another state than before."""

    number: int


def beats(
    files: Files, request: WalkRequest, *, clock: Clock, sleep: Callable[[float], None], debounce: float
) -> Iterator[Beat]:
    """One for each time that something changed, forever. Looking at size, time and inode is enough."""
    seen = _state(files, request)
    number = 0
    while True:
        started = clock.monotonic()
        state = _state(files, request)
        cost = clock.monotonic() - started
        if state != seen:
            seen = _rest(files, request, state, sleep, debounce)
            number += 1
            yield Beat(number)
        else:
            sleep(max(_SHORTEST, cost * _SHARE))


def _rest(files: Files, request: WalkRequest, state: bytes, sleep: Callable[[float], None], debounce: float) -> bytes:
    """Wait until nothing changed for the time of the debounce, but not forever."""
    for _ in range(20):
        sleep(debounce)
        later = _state(files, request)
        if later == state:
            break
        state = later
    return state


def _state(files: Files, request: WalkRequest) -> bytes:
    return sha256(repr(files.walk(request).files).encode("utf-8", "surrogatepass")).digest()
