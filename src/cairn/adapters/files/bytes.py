"""Searching files by their bytes, piece by piece: whatever they are, and however large."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

PIECE = 4 * 1024 * 1024
Holds = Callable[[bytes], bool]


def pieces_of(path: Path, overlap: int = 0) -> Iterator[bytes]:
    """Each begins with the end of the one before. Nothing, when it is gone or no regular file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    with os.fdopen(handle, "rb") as file:
        if not path.is_file():
            return
        before = b""
        while piece := file.read(PIECE):
            yield before + piece
            before = (before + piece)[-overlap:] if overlap else b""


def file_holds(path: Path, holds: Holds, overlap: int) -> bool:
    return any(holds(piece) for piece in pieces_of(path, overlap))


def files_below(folder: Path) -> Iterator[Path]:
    """Regular files, in order; symbolic links are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (path for name in sorted(names) if (path := Path(place, name)).is_file() and not path.is_symlink())


def size_below(place: Path) -> int:
    """Bytes of a file, or of everything in a folder."""
    files = files_below(place) if place.is_dir() else [place] if place.is_file() else []
    return sum(_size(path) for path in files)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class LocalStoredFiles:
    """The functions above as a port."""

    holds = staticmethod(file_holds)
    below = staticmethod(files_below)
    size = staticmethod(size_below)
