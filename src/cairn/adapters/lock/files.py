"""Locks in files: one a name, with the holder's words in it. Looking and taking happen under one guard, so two who
find the same dead holder can't both take its place."""

import errno
import fcntl
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from cairn.errors import CannotWrite, Conflict, UsageError
from cairn.journal import iso_utc
from cairn.kernel.ports.lock import Holder, Lease

TTL_MS: Final = 1_800_000
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,149}", re.ASCII)
_GUARD: Final = ".guard"
_GUARD_SECONDS: Final = 10.0
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_FIRST_PAUSE: Final = 0.002
_LONGEST_PAUSE: Final = 0.1


class FileLocks:
    def __init__(self, folder: Path, now_ms: Callable[[], int]) -> None:
        self._folder = folder
        self._now_ms = now_ms

    @contextmanager
    def hold(self, name: str, *, ttl_ms: int = TTL_MS, wait_ms: int = 0) -> Iterator[Lease]:
        lease = self._acquire(_checked(name), ttl_ms, wait_ms)
        try:
            yield lease
        finally:
            lease.release()

    def holders(self) -> list[tuple[Holder, str]]:
        found = [holder for name in self._names() if (holder := _read(self._folder / name)) is not None]
        return [(holder, _stale(holder, self._now_ms())) for holder in found]

    def break_lock(self, name: str) -> bool:
        if not self._folder.is_dir():
            return False
        with self._guard():
            return _unlink(self._folder / f"{_checked(name)}.lock")

    # --- holding -------------------------------------------------------------------------------------------------

    def _acquire(self, name: str, ttl_ms: int, wait_ms: int) -> "_FileLease":
        deadline, pause = time.monotonic() + wait_ms / 1000, _FIRST_PAUSE
        while True:
            taken = self._take(name, ttl_ms)
            if isinstance(taken, _FileLease):
                return taken
            if time.monotonic() >= deadline:
                raise Conflict(
                    f"{_told(taken)} Try again when it has finished; `cairn lock status` shows it.", lock=name
                )
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _take(self, name: str, ttl_ms: int) -> "_FileLease | Holder":
        """The lock, or who has it."""
        path = self._folder / f"{name}.lock"
        now = self._now_ms()
        with self._guard():
            current = _read(path)
            if current is not None and not _stale(current, now):
                return current
            holder = Holder(name, os.getpid(), socket.gethostname(), os.urandom(16).hex(), now, now, ttl_ms)
            _write(path, holder)
        return _FileLease(self, path, holder)

    def beat(self, path: Path, holder: Holder) -> None:
        with self._guard():
            current = _read(path)
            if current is None or current.token != holder.token:
                whom = f": {_told(current)}" if current else "."
                raise Conflict(f"The lock `{holder.name}` was taken away from this process{whom} Nothing more is done.")
            _write(path, current._replace(beat_at_ms=self._now_ms()))

    def release(self, path: Path, holder: Holder) -> None:
        with self._guard():
            current = _read(path)
            if current is not None and current.token == holder.token:
                _unlink(path)

    # --- files ---------------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self._folder) if name.endswith(".lock"))
        except OSError:
            return []

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """For the moment of looking and writing. The system lets go of it when a process dies."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._folder / _GUARD, _FLAGS, 0o600)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise CannotWrite(f"{self._folder} cannot be written: {why}; check its permissions.") from None
        try:
            _flock(handle)
            yield
        finally:
            os.close(handle)


class _FileLease:
    def __init__(self, locks: FileLocks, path: Path, holder: Holder) -> None:
        self._locks, self._path, self._holder = locks, path, holder

    def beat(self) -> None:
        self._locks.beat(self._path, self._holder)

    def release(self) -> None:
        self._locks.release(self._path, self._holder)


def _flock(handle: int) -> None:
    deadline = time.monotonic() + _GUARD_SECONDS
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Conflict("Another cairn has been busy with locks for long; try again in a moment.") from None
        time.sleep(_FIRST_PAUSE)


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a lock; `cairn lock status` lists those that are held")
    return name


def _stale(holder: Holder, now_ms: int) -> str:
    """Why a lock may be taken over; empty when it may not. A clock put far back counts like one that ran on."""
    if holder.host == socket.gethostname() and not _is_alive(holder.pid):
        return f"process {holder.pid} is gone"
    if abs(now_ms - holder.beat_at_ms) > holder.ttl_ms:
        return f"nothing was heard of its holder since {iso_utc(holder.beat_at_ms)}"
    return ""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError as error:
        return error.errno == errno.EPERM  # somebody else's, so it is there
    return True


def _told(holder: Holder) -> str:
    since = iso_utc(holder.acquired_at_ms)
    return f"`{holder.name}` is held by process {holder.pid} on {holder.host} since {since}."


def _read(path: Path) -> Holder | None:
    """None also for a file that says nothing sensible: nobody can hold a lock by it."""
    try:
        value = json.loads(path.read_bytes()[:4096])
        holder = Holder(**{name: value[name] for name in Holder._fields} | {"name": path.stem})
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    numbers = (holder.pid, holder.acquired_at_ms, holder.beat_at_ms, holder.ttl_ms)
    fine = all(type(number) is int and 0 <= number < 1 << 53 for number in numbers) and 0 < holder.pid < 1 << 31
    return holder if fine and all(isinstance(t, str) for t in (holder.name, holder.host, holder.token)) else None


def _write(path: Path, holder: Holder) -> None:
    """Beside and renamed over: who looks without the guard sees the old words or the new ones. Only one writes at a
    time, so what else lies beside was left by one who was killed."""
    beside = path.with_name(f".new-{os.urandom(8).hex()}")
    try:
        for left in path.parent.glob(".new-*"):
            left.unlink()
        handle = os.open(beside, _FLAGS | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(holder._asdict()).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        why = (error.strerror or str(error)).lower()
        raise CannotWrite(f"{path} cannot be written: {why}; check the permissions and the free space.") from None


def _unlink(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True
