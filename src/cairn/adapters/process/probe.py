"""Whether a parser comes back from a text: tried out in a process that may be ended.

Parsers made by tree-sitter mend errors as they go, and a stranger can write a file that keeps them at it for minutes,
or for ever. They can't be interrupted from within, so what could be such a file is parsed by a child first, which the
system ends when it has used up its time. Only then is it parsed here.
"""

import os
import signal
import warnings
from collections.abc import Callable
from typing import Final

SECONDS: Final = 3.0
"""Of computing, not of waiting: a busy machine makes no difference."""


def comes_back(work: Callable[[], object], seconds: float = SECONDS) -> bool:
    """Whether the work ends by itself within that much time of the processor."""
    try:
        child = _fork()
    except OSError:
        return False
    if child == 0:
        _do_and_leave(work, seconds)
    return os.waitpid(child, 0)[1] == 0


def _fork() -> int:
    with warnings.catch_warnings():
        # The child calls one function of C and leaves, whatever other threads were doing.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _do_and_leave(work: Callable[[], object], seconds: float) -> None:
    """In the child. Nothing is cleaned up: everything that is open belongs to the parent."""
    try:
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        work()
        os._exit(0)
    finally:
        os._exit(1)
