"""The ledger as JSON lines: `.cairn/ledger/<worktree>.jsonl`, the files that it was rotated into, what was collected
from elsewhere, and what an older program left beside it."""

import errno
import os
import stat
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import cairn.journal as journal
from cairn.core.model.event import BadLine, Event, excerpt_of, parse_event
from cairn.core.ports.ledger import COLLECTED, LedgerBlock, LedgerFile
from cairn.errors import CannotWrite, Refused

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


SUFFIX = ".jsonl"
NEWLINE = b"\n"

_OLD = {"activity/": "", "archive/": "activity-archive", "active/": "activity-archive/active"}
"""Where an older program kept its ledger and the archives of it, below its own folder."""


class JsonlLedger:
    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def files(self, *, collected: bool = False) -> list[LedgerFile]:
        found: list[LedgerFile] = []
        for prefix, folder in self._folders():
            if prefix == COLLECTED and not collected:
                continue
            described = (self._describe(prefix, folder, name) for name in _names(prefix, folder))
            found += sorted((file for file in described if file is not None), key=lambda file: file.key)
        return found

    def read(self, name: str, offset: int = 0) -> Iterator[tuple[int, Event | BadLine]]:
        for block in self.blocks(name, offset):
            offset = block.start
            for line in block.lines:
                offset += len(line)
                if line.strip():  # an empty line lost nothing
                    yield offset, parse_event(line)
            if block.too_long:
                yield block.end, BadLine("it is far too long", excerpt_of(block.too_long))

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> Iterator[LedgerBlock]:
        file = self._open(name)
        if file is not None:
            with file:
                if inode is None or os.fstat(file.fileno()).st_ino == inode:
                    yield from blocks_of(file, offset)

    def lines_at(self, places: Sequence[tuple[str, int]]) -> Iterator[bytes]:
        with ExitStack() as opened:
            files: dict[str, BinaryIO | None] = {}
            for name, offset in places:
                if name not in files:
                    file = files[name] = self._open(name) if name else None
                    if file is not None:
                        opened.enter_context(file)
                yield _line_at(files[name], offset)

    def path_of(self, name: str) -> Path:
        """Where a file of `files()` is."""
        prefix, _, base = name.rpartition("/")
        return Path(dict(self._folders())[f"{prefix}/" if prefix else ""], base)

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

    def mention(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str | None:
        event = journal_event((kind, payload))
        try:
            return journal.append_all(self._folder, (event,), now_ms=now_ms, passing=True)[0]
        except journal.JournalRefused as refused:
            raise Refused(str(refused)) from refused
        except OSError:
            return None

    # --- where the files are -------------------------------------------------------------------------------------

    def _folders(self) -> Iterator[tuple[str, str]]:
        """What the names of files begin with, and the folder that they are in. None of them is a symlink."""
        cairn = os.path.dirname(self._folder)
        places = [("", self._folder)]
        for owner, label in ((cairn, ""), (os.path.join(os.path.dirname(cairn), ".scaffold"), "scaffold-")):
            places += [(f"{label}{prefix}", os.path.join(owner, below)) for prefix, below in _OLD.items()]
        places.append((COLLECTED, os.path.join(self._folder, COLLECTED.rstrip("/"))))
        return ((prefix, folder) for prefix, folder in places if _is_folder(folder))

    def _describe(self, prefix: str, folder: str, name: str) -> LedgerFile | None:
        file = open_regular(os.path.join(folder, name))
        if file is None:
            return None
        with file:
            facts = os.fstat(file.fileno())
            first = file.readline(LONGEST_LINE)
        if not first.endswith(NEWLINE) and len(first) < LONGEST_LINE:
            return None
        return LedgerFile(f"{prefix}{name}", facts.st_size, facts.st_ino, f"{prefix}{file_key(name, first)}")

    def _open(self, name: str) -> BinaryIO | None:
        """None when it is gone, or no regular file: a ledger is never read through a symlink."""
        prefix, base = name[: name.rfind("/") + 1], name[name.rfind("/") + 1 :]
        folder = dict(self._folders()).get(prefix)
        return open_regular(os.path.join(folder, base)) if folder and base in _names(prefix, folder) else None


def _line_at(file: BinaryIO | None, offset: int) -> bytes:
    if file is None:
        return b""
    file.seek(offset)
    line = file.readline(LONGEST_LINE)
    return line if line.endswith(NEWLINE) else b""


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path.rstrip("/"))


def _names(prefix: str, folder: str) -> list[str]:
    """Of the folder of an older program's state, only its ledger is one."""
    if prefix.endswith("activity/"):
        return ["activity.jsonl"]
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
    except (FileNotFoundError, NotADirectoryError):
        return []


def journal_event(event: tuple[str, Mapping[str, Any]]) -> dict[str, object]:
    return {"type": event[0], "payload": dict(event[1])}


def file_key(name: str, first: bytes) -> str:
    """The name that a file has, or will have, once it is rotated."""
    worktree = name.removesuffix(SUFFIX).partition(".")[0]
    return f"{worktree}.{journal.first_id(first) or f'x{crc32(first.removesuffix(NEWLINE)):08x}'}"
