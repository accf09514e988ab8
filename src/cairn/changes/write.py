"""Write a file of the repository: all of it or nothing, never through a symlink, never outside the root."""

import errno
import os
import stat
from binascii import crc32
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cairn.errors import CannotWrite

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_END = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

REASONS = {
    errno.EACCES: "its folder may not be written; check the permissions",
    errno.EPERM: "its folder may not be written; check the permissions",
    errno.EROFS: "the disk is read-only; mount it for writing or work in a copy",
    errno.ENOSPC: "the disk is full; make room and try again",
    errno.EDQUOT: "your quota is used up; make room and try again",
    errno.ENOTDIR: "a part of its path is a file or a symbolic link, not a folder; move that out of the way",
    errno.ELOOP: "its path leads through a symbolic link; name the real place instead",
    errno.EISDIR: "a folder stands in its place; move that out of the way",
    errno.EEXIST: "something stands in its place already; move that out of the way",
    errno.ENOTEMPTY: "the folder is not empty",
    errno.ENAMETOOLONG: "its name is too long; choose a shorter one",
    errno.ENOENT: "its folder is not there; make it first",
}


def write_file(root: Path, path: str, content: bytes | str, *, mode: int | None = None) -> bool:
    """Make the file hold exactly this and return whether anything changed. Folders on the way are made.

    An existing file keeps its permissions unless `mode` gives others."""
    data = content.encode() if isinstance(content, str) else content
    with _told(path):
        *folders, name = _parts(path)
        with _folder(root, folders, make=True) as folder:
            old, old_mode = _current(folder, name)
            wanted = old_mode if mode is None else mode
            if old == data and wanted == old_mode:
                return False
            _replace(folder, name, data, wanted)
    return True


def append_lines(root: Path, path: str, data: bytes, *, mode: int = 0o600) -> None:
    """Put whole lines behind what is there, on disk when this returns. A line that a death cut short is ended first."""
    with _told(path):
        *folders, name = _parts(path)
        with _folder(root, folders, make=True) as folder:
            fd = os.open(name, _END, mode, dir_fd=folder)
            try:
                size = os.fstat(fd).st_size
                torn = bool(size) and os.pread(fd, 1, size - 1) != b"\n"
                _write_all(fd, b"\n" + data if torn else data)
                os.fsync(fd)
            finally:
                os.close(fd)


def remove_file(root: Path, path: str) -> bool:
    """Take a file away and return whether it was there."""
    with _told(path):
        *folders, name = _parts(path)
        try:
            with _folder(root, folders) as folder:
                _check_regular(os.lstat(name, dir_fd=folder).st_mode)
                os.unlink(name, dir_fd=folder)
                os.fsync(folder)
        except FileNotFoundError:
            return False
    return True


def remove_folder(root: Path, path: str) -> bool:
    """Take an empty folder away and return whether it was there. One that is not empty is refused."""
    with _told(path):
        *folders, name = _parts(path)
        try:
            with _folder(root, folders) as folder:
                os.rmdir(name, dir_fd=folder)
                os.fsync(folder)
        except FileNotFoundError:
            return False
    return True


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if not all(part not in ("", ".", "..") and "\0" not in part for part in parts):
        raise CannotWrite(f"{path!r} is not a path inside the project; nothing was written.", path=path)
    return parts


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Turn what the system says into a sentence."""
    try:
        yield
    except OSError as error:
        why = REASONS.get(error.errno or 0) or f"the system says: {(error.strerror or str(error)).lower()}"
        raise CannotWrite(f"{path} cannot be written: {why}.", path=path) from error
    except UnicodeEncodeError as error:
        raise CannotWrite(f"{path!r} cannot be written: it holds characters that are not valid Unicode.") from error


@contextmanager
def _folder(root: Path, folders: list[str], *, make: bool = False) -> Iterator[int]:
    """A descriptor of a folder below the root, reached one step at a time, so that nobody can slip a symlink in."""
    fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in folders:
            if make:
                _make(fd, name)
            deeper = os.open(name, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = deeper
        yield fd
    finally:
        os.close(fd)


def _make(folder: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        return
    os.fsync(folder)


def _current(folder: int, name: str) -> tuple[bytes | None, int | None]:
    """Bytes and permissions of what is there now; None for each when nothing is, or when it may not be read."""
    try:
        mode = os.lstat(name, dir_fd=folder).st_mode
    except FileNotFoundError:
        return None, None
    _check_regular(mode)
    try:
        fd = os.open(name, _OLD, dir_fd=folder)
    except PermissionError:
        return None, stat.S_IMODE(mode)
    with os.fdopen(fd, "rb") as file:
        return file.read(), stat.S_IMODE(mode)


def _check_regular(mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _replace(folder: int, name: str, data: bytes, mode: int | None) -> None:
    """Write beside, then rename over: readers see the old file or the new one, and so does a power cut."""
    _sweep(folder)
    beside = f"{_ours()}{os.getpid()}-{os.urandom(8).hex()}.tmp"
    fd = os.open(beside, _NEW, 0o666, dir_fd=folder)
    try:
        try:
            if mode is not None:
                os.fchmod(fd, mode)
            _write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise
    os.fsync(folder)


def leftovers(root: Path, folder: str) -> list[str]:
    """What writers that died left in a folder; the next one who writes there takes it away."""
    try:
        with _folder(root, [part for part in folder.split("/") if part]) as opened:
            return [f"{folder}/{name}".lstrip("/") for name in os.listdir(opened) if _is_left(name)]
    except OSError:
        return []


def _sweep(folder: int) -> None:
    for name in os.listdir(folder):
        if _is_left(name):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _ours() -> str:
    """Of this machine: on a disk that several share, a number of a process says nothing about the others' ones."""
    return f".cairn-{crc32(os.uname().nodename.encode()):08x}-"


def _is_left(name: str) -> bool:
    if not name.startswith(".cairn-") or not name.startswith(_ours()) or not name.endswith(".tmp"):
        return False
    pid = name.removeprefix(_ours()).partition("-")[0]
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def save(root: Path, path: Path, content: str) -> None:
    """Whole or not at all."""
    target = path.parent.resolve() / path.name
    home = root.resolve()
    if home in target.parents:
        write_file(home, target.relative_to(home).as_posix(), content)
        return
    if not target.parent.is_dir():
        raise CannotWrite(f"`{path}` cannot be written: its folder does not exist.")
    write_file(target.parent, target.name, content)
