"""Walking ahead: another process lists the files while this one still gets ready to scan.

Half of a scan that finds nothing new is imports, the other half is asking the file system for ten thousand times. The
two have nothing to do with each other. Whatever goes wrong over there is of no consequence: then the walk is done here.
"""

import marshal
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from itertools import starmap

from cairn.kernel.ports.files import FoundFile, Walk, WalkProblem, WalkRequest


class Ahead:
    """A walk under way; `take` waits for it, once."""

    def __init__(self, pid: int, pipe: int) -> None:
        self._pid = pid
        self._pipe = pipe

    def take(self, request: WalkRequest) -> Walk | None:
        """The walk, if it is the one that was asked for."""
        try:
            with os.fdopen(self._pipe, "rb") as results:
                data = results.read()
        finally:
            os.waitpid(self._pid, 0)
        if not data:
            return None
        asked, files, problems = marshal.loads(data)
        if asked != repr(request):
            return None
        made, new = FoundFile, tuple.__new__
        return Walk([new(made, file) for file in files], list(starmap(WalkProblem, problems)))

    def drop(self) -> None:
        """Nobody wants it any more."""
        os.close(self._pipe)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def walk_ahead(work: Callable[[], tuple[WalkRequest, Walk]]) -> Ahead | None:
    """Start it; None where no other process can be had."""
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if pid == 0:
        _walk_and_end(work, writing)
    os.close(writing)
    return Ahead(pid, reading)


def _walk_and_end(work: Callable[[], tuple[WalkRequest, Walk]], pipe: int) -> None:
    """The life of the other process. It never returns, and says nothing: this one will say it too."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears ^C, and we end when nobody reads
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        request, walk = work()
        data = marshal.dumps((repr(request), [*map(tuple, walk.files)], [*map(tuple, walk.problems)]))
        with os.fdopen(pipe, "wb") as results:
            results.write(data)
    finally:
        os._exit(0)
