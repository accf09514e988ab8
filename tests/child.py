"""Work in a process of its own, which no `finally` survives."""

import os
from collections.abc import Callable


def forked(work: Callable[[], object]) -> int:
    """Its id."""
    child = os.fork()
    if child == 0:
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
