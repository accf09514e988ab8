"""The files of a repository on this machine: never through a symlink, never outside the root, never blocked."""

import errno
import os
import posixpath
import stat
from operator import itemgetter
from pathlib import Path

from cairn.adapters.files.walker import Walker
from cairn.core.ports.runtime import FileWalk, FoundFile, ReadFailed, WalkRequest

ATTEMPTS = 3
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class LocalFiles:
    def __init__(self, root: Path) -> None:
        self._root = os.path.abspath(root)
        self._prefix = os.path.join(self._root, "")

    def walk(self, request: WalkRequest) -> FileWalk:
        walker = Walker(self._root, request, self.read)
        walker.walk()
        walker.files.sort(key=itemgetter(0))
        walker.problems.sort()
        return FileWalk(walker.files, walker.problems, sorted(walker.links))

    def read(self, path: str) -> tuple[bytes, FoundFile]:
        if not _is_inside(path):
            raise ReadFailed("file-unreadable", f"{path} lies outside the project.")
        fd = self._open(path)
        try:
            return _read_at_rest(fd, path)
        except OSError as error:
            raise _failed(path, error) from error
        finally:
            os.close(fd)

    def exists(self, path: str) -> bool:
        # Links are looked up by the ten thousand: only a path that looks odd is worth a closer look.
        if (".." in path or path[:1] == "/" or not path) and not _is_inside(path):
            return False
        try:
            os.lstat(self._prefix + path)
        except (OSError, ValueError):
            return False
        return True

    def ignored(self, path: str, request: WalkRequest) -> bool:
        return Walker(self._root, request, self.read).passes_over(path)

    def _open(self, path: str) -> int:
        try:
            return os.open(self._prefix + path, _OPEN)
        except OSError as error:
            raise _failed(path, error) from error
        except ValueError as error:
            raise ReadFailed("file-unreadable", f"{path!r} is not a path.") from error


def _is_inside(path: str) -> bool:
    """Whether a relative path stays below the root, as it is written."""
    normal = posixpath.normpath(path)
    return bool(path) and not normal.startswith("/") and normal != ".." and not normal.startswith("../")


def _read_at_rest(fd: int, path: str) -> tuple[bytes, FoundFile]:
    """The bytes, once size and time are the same before and after."""
    before = os.fstat(fd)
    if not stat.S_ISREG(before.st_mode):
        raise ReadFailed("file-unreadable", f"{path} is not a regular file.")
    for _ in range(ATTEMPTS):
        content = _read_all(fd, before.st_size)
        after = os.fstat(fd)
        if len(content) == after.st_size and before.st_mtime_ns == after.st_mtime_ns:
            return content, FoundFile(path, after.st_size, after.st_mtime_ns, after.st_ino)
        before = after
    raise ReadFailed("file-changing", f"{path} changes while it is read; scan again when it has come to rest.")


def _read_all(fd: int, size: int) -> bytes:
    """From the start to the end. One call for most files, and a second that finds nothing left."""
    os.lseek(fd, 0, os.SEEK_SET)
    content = os.read(fd, size + 1)
    if len(content) == size:
        return content
    blocks = [content]
    while block := os.read(fd, 1 << 20):
        blocks.append(block)
    return b"".join(blocks)


def _failed(path: str, error: OSError) -> ReadFailed:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return ReadFailed("file-vanished", f"{path} is not there any more.")
    if error.errno == errno.ELOOP:
        return ReadFailed("file-unreadable", f"{path} is a symbolic link; Cairn does not follow them.")
    return ReadFailed("file-unreadable", f"{path} cannot be read: {(error.strerror or str(error)).lower()}.")
