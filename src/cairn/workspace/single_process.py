"""Holds a lock file of the spool, so that one process at a time does a piece of work in the background."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cairn.hook.aside import open_own


@contextmanager
def alone(file: Path) -> Iterator[bool]:
    """False while another process holds it."""
    os.makedirs(file.parent, mode=0o700, exist_ok=True)
    handle = open_own(str(file))
    try:
        yield _locked(handle)
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
