"""A progress bar for people who look at a terminal."""

import time
from collections.abc import Callable
from typing import TextIO

from cairn.cli.width import cut, safe

_BAR = 24
_PAUSE = 0.1
_CLEAR = "\r\x1b[K"


class TerminalProgress:
    """Draws at most ten times a second over its own line, and leaves no trace."""

    def __init__(self, stream: TextIO, *, room: int = 80, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._room = room
        self._clock = clock
        self._next = clock() + _PAUSE  # work that is over in a moment shows nothing
        self._drawn = False

    def step(self, stage: str, done: int, total: int | None) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _PAUSE
        self._drawn = True
        self._write(_CLEAR + cut(bar(safe(stage), done, total), self._room - 1))

    def event(self, kind: str, **data: object) -> None:
        """Whatever happened, what is printed next should start on a clean line."""
        self.close()

    def close(self) -> None:
        if self._drawn:
            self._drawn = False
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar(stage: str, done: int, total: int | None) -> str:
    if not total:
        return f"{stage} {done:,}"
    share = min(done / total, 1.0)
    full = int(share * _BAR)
    return f"{stage} {'█' * full}{'░' * (_BAR - full)} {done:,}/{total:,} {share:4.0%}"
