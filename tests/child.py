"""Work in a process of its own, which no `finally` survives."""

import os
import signal
from collections.abc import Callable

SECONDS = 120
"""Real time that a child may take. One that waits for ever would keep the pipe of its worker open, and with it the
whole run."""


def bounded(seconds: int = SECONDS) -> None:
    """Called in a child: it dies when its time is up, also when it only waits."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)


def forked(work: Callable[[], object]) -> int:
    """Its id."""
    child = os.fork()
    if child == 0:
        bounded()
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def in_a_child(work: Callable[[], object]) -> int:
    """How it ended."""
    return os.waitstatus_to_exitcode(os.waitpid(forked(work), 0)[1])
