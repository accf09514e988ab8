"""Interrupts of work: it takes too long, or somebody asks the program to stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """`TimeoutError` in the middle of what runs when the time is over. Only the main thread can be interrupted; in
    another one the work takes what it takes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"it was not done within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def stopped_by_any() -> Iterator[None]:
    """A kind word from the system ends what runs like ^C does, so that it can clean up."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with _handled(stop):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """For the few moments of cleaning up; programs started meanwhile are left alone, too."""
    with _handled(signal.SIG_IGN):
        yield


@contextmanager
def _handled(handler: "signal._HANDLER") -> Iterator[None]:
    """Only the main thread may say how signals are taken; in another one they are taken as before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = [number for number in _STOPPING if signal.getsignal(number) is not signal.SIG_IGN]  # `nohup` wants it so
    before = [(number, signal.signal(number, handler)) for number in heard]
    try:
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)
