"""A transcript that is a file: read piece by piece, from wherever it is needed."""

import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from cairn.errors import NotFound, Refused

PIECE = 256 * 1024
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class FileTranscript:
    def __init__(self, path: Path) -> None:
        self._path = path
        with _opened(path):
            pass

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        with _opened(self._path) as file:
            file.seek(start)
            while piece := file.read(PIECE):
                yield piece

    def check(self, end: int) -> str | None:
        return checksum(self.chunks(), end)


def checksum(chunks: Iterable[bytes], end: int) -> str | None:
    """It tells a transcript that was rewritten from one that grew. On purpose it is too short to confirm what somebody
    guesses about the text."""
    found = 0
    for piece in chunks:
        if end <= 0:
            break
        found = zlib.crc32(piece[:end], found)
        end -= len(piece)
    return f"crc32:{found:08x}" if end <= 0 else None


def _opened(path: Path) -> BinaryIO:
    """A regular file; a pipe would keep us waiting, and a device has no end."""
    try:
        handle = os.open(path, _READ)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise NotFound(f"There is no transcript {path}; check the path.") from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refused(f"The transcript {path} cannot be read: {why}; check its permissions.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Refused(f"{path} is not a regular file; name the transcript itself.")
    return os.fdopen(handle, "rb")
