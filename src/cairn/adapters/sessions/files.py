"""Logs of sessions, files of one folder: written beside and renamed, for their owner alone, never through a symlink."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from cairn.changes.write import REASONS
from cairn.core.session_log import id_of
from cairn.errors import CannotWrite

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BESIDE = ".new-"
_RANDOM = 8
"""Bytes in the name of a file that is being written."""


class FileSessions:
    def __init__(self, root: Path, place: str) -> None:
        self._root = root
        self._place = place

    @property
    def place(self) -> str:
        return self._place

    def names(self) -> list[str]:
        try:
            with self._folder() as folder:
                return sorted(name for name in os.listdir(folder) if id_of(name))
        except OSError:
            return []

    def size(self, name: str) -> int:
        with self._open(name) as handle:
            return 0 if handle is None else os.fstat(handle).st_size

    def read(self, name: str, start: int, end: int) -> bytes:
        with self._open(name) as handle:
            return b"" if handle is None else _read(handle, start, end - start)

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        if id_of(name) is None:
            raise CannotWrite(f"{name!r} is no name of a session's log; nothing was written.")
        with self._told(name), self._folder(make=True) as folder:
            _check_regular(folder, name)
            _replace(folder, name, pieces)

    def remove(self, name: str) -> bool:
        try:
            with self._told(name), self._folder() as folder:
                os.unlink(name, dir_fd=folder)
                os.fsync(folder)
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def scratch(self) -> Iterator[BinaryIO]:
        with self._told(""), self._folder(make=True), tempfile.TemporaryFile(dir=self._root / self._place) as file:
            yield cast(BinaryIO, file)

    # --- the folder ----------------------------------------------------------------------------------------------

    @contextmanager
    def _folder(self, *, make: bool = False) -> Iterator[int]:
        """Reached one step at a time, so that no symlink leads elsewhere."""
        handle = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in self._place.split("/"):
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, 0o700, dir_fd=handle)
                deeper = os.open(part, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = deeper
            yield handle
        finally:
            os.close(handle)

    @contextmanager
    def _open(self, name: str) -> Iterator[int | None]:
        handle = None
        with suppress(OSError), self._folder() as folder:
            handle = os.open(name, _READ, dir_fd=folder) if id_of(name) else None
        try:
            yield handle if handle is not None and stat.S_ISREG(os.fstat(handle).st_mode) else None
        finally:
            if handle is not None:
                os.close(handle)

    @contextmanager
    def _told(self, name: str) -> Iterator[None]:
        path = f"{self._place}/{name}".rstrip("/")
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            why = REASONS.get(error.errno or 0) or f"the system says: {(error.strerror or str(error)).lower()}"
            raise CannotWrite(f"{path} cannot be written: {why}.", path=path) from error


def _read(handle: int, start: int, length: int) -> bytes:
    pieces: list[bytes] = []
    while length > 0 and (piece := os.pread(handle, min(length, 1 << 20), start)):
        pieces.append(piece)
        start += len(piece)
        length -= len(piece)
    return b"".join(pieces)


def _check_regular(folder: int, name: str) -> None:
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.ELOOP if stat.S_ISLNK(mode) else errno.EEXIST, "not a regular file")


def _replace(folder: int, name: str, pieces: Iterable[bytes]) -> None:
    _remove_leftovers(folder, name)
    beside = f"{_BESIDE}{os.urandom(_RANDOM).hex()}-{name}"
    handle = os.open(beside, _NEW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise
    os.fsync(folder)


def _remove_leftovers(folder: int, name: str) -> None:
    """Files of writers that were killed, also in an earlier minute, when the log had another name. Whoever writes a log
    holds the lock of its session."""
    for left in os.listdir(folder):
        beside, log = left[: len(_BESIDE)], left[len(_BESIDE) + 2 * _RANDOM + 1 :]
        if beside == _BESIDE and id_of(log) == id_of(name):
            os.unlink(left, dir_fd=folder)
