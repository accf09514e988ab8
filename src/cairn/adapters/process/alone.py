"""One at a time: a file that says who is at work, held for as long as that process lives.

The lock itself is the system's, so that a kill lets it go. What is written in the file is for people, and for machines
that share the disk but not the lock.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from cairn.errors import CannotWrite, Conflict

DAY_MS = 24 * 60 * 60 * 1000


class Holder(NamedTuple):
    pid: int
    host: str
    token: str
    since_ms: int

    @property
    def elsewhere(self) -> bool:
        return self.host != socket.gethostname()


class Hold(NamedTuple):
    path: str
    holder: Holder
    before: Holder | None
    """Who held it last and ended without a word."""

    def still(self) -> bool:
        """Whether the file says that it is ours; another machine may have taken it for dead."""
        known = _read(self.path)
        return known is not None and known.token == self.holder.token


@contextmanager
def alone(path: str, *, what: str, now_ms: int) -> Iterator[Hold]:
    """`Conflict` names whoever is there already. `what` is at work, as in “a nightly run”."""
    handle = _opened(path)
    try:
        before = _read(path)
        if not _taken(handle) or (before is not None and before.elsewhere and now_ms - before.since_ms < DAY_MS):
            raise _busy(before, what, path)
        holder = Holder(os.getpid(), socket.gethostname(), os.urandom(8).hex(), now_ms)
        _write(handle, json.dumps(holder._asdict()).encode())
        yield Hold(path, holder, before)
        _write(handle, b"")
    finally:
        os.close(handle)


def _opened(path: str) -> int:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written ({error.strerror}); it keeps two from working at once.") from error


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _busy(holder: Holder | None, what: str, path: str) -> Conflict:
    if holder is None:  # it has the lock, but has not signed yet
        return Conflict(f"{what} is under way here; try again when it is done.")
    where = f"process {holder.pid} on {holder.host}"
    if holder.elsewhere:
        return Conflict(
            f"{what} is under way, {where}; whether that still lives cannot be seen from here. Wait for it, or "
            f"remove {path} if that machine is gone.",
            **holder._asdict(),
        )
    return Conflict(f"{what} is under way here, {where}; try again when it is done.", **holder._asdict())


def _read(path: str) -> Holder | None:
    with suppress(OSError, ValueError, TypeError, KeyError):
        with open(path, "rb") as file:
            value = json.loads(file.read(4096))
        return Holder(int(value["pid"]), str(value["host"]), str(value["token"]), int(value["since_ms"]))
    return None


def _write(handle: int, data: bytes) -> None:
    os.ftruncate(handle, 0)
    os.pwrite(handle, data, 0)
