"""The ledger as JSON lines: `.cairn/ledger/<worktree>.jsonl`, and the files that it was rotated into."""

import errno
import os
import stat
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from cairn import journal
from cairn.errors import CannotWrite, Refused
from cairn.kernel.model.event import BadLine, Event, excerpt_of, parse_event
from cairn.kernel.ports.ledger import LedgerFile

SUFFIX = ".jsonl"
NEWLINE = b"\n"
LONGEST_LINE = 1024 * 1024
"""Lines of ours are far shorter; more than this is not read into memory."""


class JsonlLedger:
    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def files(self) -> list[LedgerFile]:
        try:
            names = sorted(name for name in os.listdir(self._folder) if name.endswith(SUFFIX))
        except FileNotFoundError:
            return []
        found = (self._describe(name) for name in names)
        return sorted((file for file in found if file is not None), key=lambda file: file.key)

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, Event | BadLine]]:
        file = self._open(name)
        if file is None:
            return
        with file:
            file.seek(offset)
            while line := file.readline(LONGEST_LINE):
                if line.endswith(b"\n"):
                    offset += len(line)
                    yield offset, parse_event(line)
                    continue
                rest = _skip_line(file) if len(line) == LONGEST_LINE else None
                if rest is None:
                    return  # somebody is still writing it
                offset += len(line) + rest
                yield offset, BadLine("it is far too long", excerpt_of(line))

    def append(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str:
        return self.append_all([(kind, payload)], now_ms=now_ms)[0]

    def append_all(self, events: Sequence[tuple[str, Mapping[str, Any]]], *, now_ms: int) -> list[str]:
        try:
            return journal.append_all(self._folder, map(journal_event, events), now_ms=now_ms)
        except journal.JournalRefused as refused:
            raise Refused(str(refused)) from refused
        except OSError as error:
            raise CannotWrite(
                f"The ledger in {self._folder} cannot be written ({error.strerror or error}); "
                "check its permissions and the free space."
            ) from error

    def _describe(self, name: str) -> LedgerFile | None:
        file = self._open(name)
        if file is None:
            return None
        with file:
            facts = os.fstat(file.fileno())
            first = file.readline(LONGEST_LINE)
        if not first.endswith(b"\n") and len(first) < LONGEST_LINE:
            return None
        return LedgerFile(name, facts.st_size, facts.st_ino, _key(name, first))

    def _open(self, name: str) -> BinaryIO | None:
        """None when it is gone, or no regular file: a ledger is never read through a symlink."""
        if name != os.path.basename(name) or not name.endswith(SUFFIX):
            return None
        path = os.path.join(self._folder, name)
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENXIO):
                return None
            raise CannotWrite(
                f"The ledger file {path} cannot be read ({error.strerror}); check its permissions."
            ) from error
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            return None
        return os.fdopen(fd, "rb")


def journal_event(event: tuple[str, Mapping[str, Any]]) -> dict[str, object]:
    return {"type": event[0], "payload": dict(event[1])}


def _key(name: str, first: bytes) -> str:
    """The name that a file has, or will have, once it is rotated."""
    worktree = name.removesuffix(SUFFIX).partition(".")[0]
    return f"{worktree}.{journal.first_id(first) or f'x{crc32(first.removesuffix(NEWLINE)):08x}'}"


def _skip_line(file: BinaryIO) -> int | None:
    """Read past the next newline: how many bytes that took, None when there is no newline."""
    skipped = 0
    while block := file.readline(LONGEST_LINE):
        skipped += len(block)
        if block.endswith(b"\n"):
            return skipped
    return None
