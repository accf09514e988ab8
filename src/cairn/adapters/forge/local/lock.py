"""One at a time: a lock that all work trees of a repository share, and a folder for what is only needed meanwhile."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cairn.errors import CannotWrite, Conflict

FOLDER = "cairn"
SECONDS = 30.0
OWN_REFS = ("refs/cairn/changes", "refs/cairn/tickets")
_SCRATCH = "index-"


@contextmanager
def locked(common: str, *, seconds: float = SECONDS) -> Iterator[str]:
    """Hold the lock; gives the name of an index file of our own, which is gone afterwards. A kill lets the lock go, and
    what it left lying about is swept up here."""
    folder = os.path.join(common, FOLDER)
    handle = _take(folder, seconds)
    index = os.path.join(folder, f"{_SCRATCH}{os.getpid()}-{os.urandom(4).hex()}")
    try:
        _sweep(folder)
        _sweep_refs(common)
        yield index
    finally:
        _sweep(folder)
        os.close(handle)


def _take(folder: str, seconds: float) -> int:
    try:
        os.makedirs(folder, exist_ok=True)
        handle = os.open(os.path.join(folder, "forge.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written ({error.strerror}), and change requests live there.") from error
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(handle)
                raise Conflict("Another cairn is busy with change requests here; try again in a moment.") from None
        time.sleep(0.01)


def _sweep(folder: str) -> None:
    for name in os.listdir(folder):
        if name.startswith(_SCRATCH):
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def _sweep_refs(common: str) -> None:
    """A git that was killed leaves a lock beside the ref that it wrote. These refs are written by us alone, and we hold
    the lock."""
    for below in OWN_REFS:
        for folder, _, names in os.walk(os.path.join(common, below)):
            for name in names:
                if name.endswith(".lock"):
                    with suppress(FileNotFoundError):
                        os.unlink(os.path.join(folder, name))
