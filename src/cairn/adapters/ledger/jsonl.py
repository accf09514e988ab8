"""The ledger as JSON lines: `.cairn/ledger/<worktree>.jsonl`, the files that it was rotated into, what was collected
from elsewhere, and what an older program left beside it."""

import os
from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from cairn import journal
from cairn.adapters.ledger.lines import LONGEST_LINE, blocks_of, open_regular
from cairn.core.model.event import BadLine, Event, excerpt_of, parse_event
from cairn.core.ports.ledger import COLLECTED, LedgerBlock, LedgerFile
from cairn.errors import CannotWrite, Refused

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
