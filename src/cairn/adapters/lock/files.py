"""Locks in files: one a name, with the holder's words in it. The lock itself is the system's, so that a kill lets go of
it; the words are for people, and for machines that share the disk but not the lock.

Looking and taking happen under one guard, so two who find the same dead holder can't both take its place. Who is alive
but was not heard of for too long keeps the system's lock, on a file that is nobody's any more."""

import fcntl
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cairn.core.ports.runtime import Holder, Lease
from cairn.errors import CairnError, CannotWrite, Conflict, UsageError
from cairn.journal import iso_utc

TTL_MS: Final = 1_800_000
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,149}", re.ASCII)
_GUARD: Final = ".guard"
_GUARD_SECONDS: Final = 10.0
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_LOOKING: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_ROOM: Final = 1024
_MOST: Final = 4096
_FIRST_PAUSE: Final = 0.002
_LONGEST_PAUSE: Final = 0.1


class FileLocks:
    def __init__(self, folder: Path, now_ms: Callable[[], int]) -> None:
        self._folder = folder
        self._now_ms = now_ms

    @contextmanager
    def hold(self, name: str, *, ttl_ms: int = TTL_MS, wait_ms: int = 0, what: str = "") -> Iterator[Lease]:
        lease = self._acquire(_checked(name), ttl_ms, wait_ms, what)
        try:
            yield lease
        finally:
            lease.release()

    def holders(self) -> list[tuple[Holder, str]]:
        if not (names := self._names()):
            return []
        with self._guard():
            found = [(holder, self._folder / name) for name in names if (holder := _read(self._folder / name))]
            return [(holder, _stale(holder, _is_held(path), self._now_ms())) for holder, path in found]

    def break_lock(self, name: str) -> bool:
        path = self._folder / f"{_checked(name)}.lock"
        if not self._folder.is_dir():
            return False
        with self._guard():
            return _unlink(path)

    # --- holding -------------------------------------------------------------------------------------------------

    def _acquire(self, name: str, ttl_ms: int, wait_ms: int, what: str) -> "_FileLease":
        deadline, pause = time.monotonic() + wait_ms / 1000, _FIRST_PAUSE
        while True:
            taken = self._take(name, ttl_ms)
            if isinstance(taken, _FileLease):
                return taken
            if time.monotonic() >= deadline:
                raise _busy(taken, name, what)
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _take(self, name: str, ttl_ms: int) -> "_FileLease | Holder | None":
        """The lock, or who has it; None when that cannot be read."""
        path, now = self._folder / f"{name}.lock", self._now_ms()
        with self._guard():
            before, held = _read(path), _is_held(path)
            if before is None and held:
                return None
            if before is not None and not _stale(before, held, now):
                return before
            if held:
                _unlink(path)  # its holder keeps a file without a name, and hears of it when it looks
            holder = Holder(name, os.getpid(), socket.gethostname(), os.urandom(16).hex(), now, now, ttl_ms)
            handle = _signed(path, holder)
        return _FileLease(self, handle, path, holder, before)

    def beat(self, handle: int, path: Path, holder: Holder) -> None:
        with self._guard():
            current = _read(path)
            if current is None or current.token != holder.token:
                whom = f": {_told(current)}" if current else "."
                raise Conflict(f"The lock `{holder.name}` was taken away from this process{whom} Nothing more is done.")
            _write(handle, path, current._replace(beat_at_ms=self._now_ms()))

    def release(self, handle: int, path: Path, holder: Holder) -> None:
        try:
            with self._guard():
                current = _read(path)
                if current is not None and current.token == holder.token:
                    _unlink(path)
        finally:
            os.close(handle)

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
        except OSError as error:
            raise _unwritable(self._folder, error) from None
        handle = _opened(self._folder / _GUARD)
        try:
            _wait_for(handle, self._folder)
            yield
        finally:
            os.close(handle)


class _FileLease:
    def __init__(self, locks: FileLocks, handle: int, path: Path, holder: Holder, before: Holder | None) -> None:
        self._locks, self._handle, self._path, self._holder = locks, handle, path, holder
        self.before = before

    def beat(self) -> None:
        self._locks.beat(self._handle, self._path, self._holder)

    def release(self) -> None:
        self._locks.release(self._handle, self._path, self._holder)


def _opened(path: Path) -> int:
    try:
        return os.open(path, _FLAGS, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> CannotWrite:
    why = (error.strerror or str(error)).lower()
    return CannotWrite(
        f"{path} cannot be written: {why}; it keeps two from working at once. Check the permissions and the free space."
    )


def _wait_for(handle: int, folder: Path) -> None:
    deadline = time.monotonic() + _GUARD_SECONDS
    while not _locked(handle, folder):
        if time.monotonic() > deadline:
            raise Conflict("Another cairn has been busy with locks for long; try again in a moment.")
        time.sleep(_FIRST_PAUSE)


def _locked(handle: int, path: Path) -> bool:
    """By us, now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise _unwritable(path, error) from None
    return True


def _is_held(path: Path) -> bool:
    """Whether a living process has the system's lock on it; tried for a moment, under the guard."""
    try:
        handle = os.open(path, _LOOKING)
    except OSError:
        return False
    try:
        return not _locked(handle, path)
    finally:
        os.close(handle)


def _signed(path: Path, holder: Holder) -> int:
    """The file, ours, with our words in it."""
    handle = _opened(path)
    try:
        if not _locked(handle, path):  # a disk that keeps the lock, but does not tell who only looks
            raise _busy(None, holder.name, "")
        _write(handle, path, holder)
    except CairnError:
        os.close(handle)
        raise
    return handle


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a lock; `cairn lock status` lists those that are held")
    return name


def _is_elsewhere(holder: Holder) -> bool:
    return holder.host != socket.gethostname()


def _stale(holder: Holder, held: bool, now_ms: int) -> str:
    """Why a lock may be taken over; empty when it may not. A clock put far back counts like one that ran on."""
    if not held and not _is_elsewhere(holder):
        return f"process {holder.pid} is gone"
    if abs(now_ms - holder.beat_at_ms) > holder.ttl_ms:
        return f"nothing was heard of its holder since {iso_utc(holder.beat_at_ms)}"
    return ""


def _busy(holder: Holder | None, name: str, what: str) -> Conflict:
    if holder is None:
        return Conflict(f"`{name}` is held by a process that does not say which; try again in a moment.", lock=name)
    said = f"{what} is under way: {_told(holder)}" if what else _told(holder)
    facts = {"lock": name, "pid": holder.pid, "host": holder.host}
    if _is_elsewhere(holder):
        return Conflict(
            f"{said} Whether that still lives cannot be seen from here: wait for it, or run `cairn lock break {name} "
            "--force` if that machine is gone.",
            **facts,
        )
    return Conflict(f"{said} Try again when it has finished; `cairn lock status` shows it.", **facts)


def _told(holder: Holder) -> str:
    since = iso_utc(holder.acquired_at_ms)
    return f"`{holder.name}` is held by process {holder.pid} on {holder.host} since {since}."


def _read(path: Path) -> Holder | None:
    """None also for a file that says nothing sensible: nobody can hold a lock by its words."""
    try:
        with open(os.open(path, _LOOKING), "rb") as file:
            value = json.loads(file.read(_MOST))
        holder = Holder(**{name: value[name] for name in Holder._fields} | {"name": path.stem})
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    numbers = (holder.pid, holder.acquired_at_ms, holder.beat_at_ms, holder.ttl_ms)
    fine = all(type(number) is int and 0 <= number < 1 << 53 for number in numbers) and 0 < holder.pid < 1 << 31
    return holder if fine and all(isinstance(t, str) for t in (holder.name, holder.host, holder.token)) else None


def _write(handle: int, path: Path, holder: Holder) -> None:
    """In place, because the lock is on this very file; always as long, so that nobody ever finds half of it."""
    words = json.dumps(holder._asdict()).encode().ljust(_ROOM - 1) + b"\n"
    try:
        os.pwrite(handle, words, 0)
        os.ftruncate(handle, len(words))
    except OSError as error:
        raise _unwritable(path, error) from None


def _unlink(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True
