"""Being asked to stop: in the middle of work that must be taken back, and while it is."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
