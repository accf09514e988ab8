"""Whole lines of a file that may still be written, that may be huge, and that a stranger may have made."""

import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from cairn.core.ports.ledger import LedgerBlock
from cairn.errors import CannotWrite

LONGEST_LINE = 1024 * 1024
"""Lines of ours are far shorter; more than this is not read into memory."""
BLOCK = 1024 * 1024
"""How much is read at once, which is also how much a store takes in one transaction."""


def open_regular(path: str) -> BinaryIO | None:
    """None when it is gone, or anything but a regular file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO):
            return None
        raise CannotWrite(
            f"The ledger file {path} cannot be read ({error.strerror}); check its permissions."
        ) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        return None
    return os.fdopen(fd, "rb")


def blocks_of(file: BinaryIO, offset: int = 0) -> Iterator[LedgerBlock]:
    """From an offset to the last newline. What stands behind that is still being written."""
    file.seek(offset)
    rest = b""
    while data := file.read(BLOCK):
        data = rest + data
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        if cut:
            yield from _split(data[:cut], offset)
            offset += cut
        if len(rest) >= LONGEST_LINE:
            skipped = _skip_line(file)
            if skipped is None:
                return
            end = offset + len(rest) + skipped
            yield LedgerBlock(offset, b"", end, rest[:LONGEST_LINE])
            offset, rest = end, b""
            file.seek(offset)


def _split(data: bytes, start: int) -> Iterator[LedgerBlock]:
    """Lines that are too long end a block each."""
    begin = 0
    while begin < len(data):
        stop, end = _room(data, begin)
        yield LedgerBlock(
            start + begin, data[begin:stop], start + end, data[stop : stop + LONGEST_LINE] if stop < end else b""
        )
        begin = end


def _room(data: bytes, begin: int) -> tuple[int, int]:
    """Where the next line begins that is too long, and where it ends; the end twice where there is none."""
    while begin < len(data):
        newline = data.rfind(b"\n", begin, begin + LONGEST_LINE) + 1
        if not newline:
            return begin, data.index(b"\n", begin) + 1
        begin = newline
    return begin, begin


def _skip_line(file: BinaryIO) -> int | None:
    """Read past the next newline: how many bytes that took, None when there is no newline."""
    skipped = 0
    while block := file.readline(LONGEST_LINE):
        skipped += len(block)
        if block.endswith(b"\n"):
            return skipped
    return None
