"""Whole lines of a file that may still be written, that may be huge, and that a stranger may have made."""

import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from cairn.errors import CannotWrite
from cairn.kernel.ports.ledger import Block

LONGEST_LINE = 1024 * 1024
"""Lines of ours are far shorter; more than this is not read into memory."""
BLOCK = 4 * 1024 * 1024
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


def blocks_of(file: BinaryIO, offset: int = 0) -> Iterator[Block]:
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
            yield Block(offset, [], end, rest[:LONGEST_LINE])
            offset, rest = end, b""
            file.seek(offset)


def _split(data: bytes, start: int) -> Iterator[Block]:
    """Lines that are too long end a block each."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else [f + b"\n" for f in data[:-1].split(b"\n")]
    if len(max(lines, key=len)) <= LONGEST_LINE:
        yield Block(start, lines, start + len(data))
        return
    taken: list[bytes] = []
    end = start
    for line in lines:
        end += len(line)
        if len(line) <= LONGEST_LINE:
            taken.append(line)
            continue
        yield Block(start, taken, end, line[:LONGEST_LINE])
        start, taken = end, []
    if taken:
        yield Block(start, taken, end)


def _skip_line(file: BinaryIO) -> int | None:
    """Read past the next newline: how many bytes that took, None when there is no newline."""
    skipped = 0
    while block := file.readline(LONGEST_LINE):
        skipped += len(block)
        if block.endswith(b"\n"):
            return skipped
    return None
