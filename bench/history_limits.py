"""Ends work that takes too long, so that one repository cannot hold up the others."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """No `Exception`, so that nothing between the clock and its reader takes it for a fault of its own."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises `OutOfTime` in the body when the time is up. Only for the main thread, and not nested."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
