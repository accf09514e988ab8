"""Ledgers that are somewhere else: a file, a repository, a folder full of either. They are only read."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cairn.adapters.ledger.jsonl import SUFFIX, JsonlLedger, file_key
from cairn.adapters.ledger.lines import LONGEST_LINE, blocks_of, open_regular
from cairn.core.ports.ledger import LedgerBlock
from cairn.errors import EnvironmentProblem, NotFound, Refused

LARGEST = 1024 * 1024 * 1024
"""Bytes of one file; a ledger is rotated long before."""
_MOST_FILES = 10_000


class SourceFile(NamedTuple):
    path: Path
    key: str
    """The same as long as it is the same file of the same folder, also when it is rotated. In another folder it may be
    a copy, which goes its own way."""
    size: int
    inode: int

    def blocks(self, offset: int = 0) -> Iterator[LedgerBlock]:
        file = open_regular(os.fspath(self.path))
        if file is not None:
            with file:
                yield from blocks_of(file, offset)


def ledger_files(place: Path) -> list[SourceFile]:
    """What is there to read at a place that a person named."""
    if place.is_symlink():
        raise Refused(f"`{place}` is a symbolic link; name the place that it leads to.")
    if not place.exists():
        raise NotFound(f"There is nothing at `{place}`; name a ledger file, a repository, or a folder of them.")
    try:
        paths = list(_below(place)) if place.is_dir() else [place]
    except PermissionError as error:
        raise EnvironmentProblem(f"`{error.filename}` cannot be read; check its permissions.") from error
    if len(paths) > _MOST_FILES:
        raise Refused(f"There are more than {_MOST_FILES:,} files in `{place}`; name fewer at a time.")
    found = {file.key: file for path in paths if (file := _described(path)) is not None}
    if not found:
        raise NotFound(f"There is no ledger in `{place}`; a workspace keeps it in `.cairn/ledger`.")
    return [found[key] for key in sorted(found)]


def _below(folder: Path) -> Iterator[Path]:
    """A workspace's own ledger; else files of ledgers that lie here, and the workspaces one step below."""
    if _is_workspace(folder):
        yield from _own(folder)
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_file() and path.name.endswith(SUFFIX):
            yield path
        elif path.is_dir() and _is_workspace(path):
            yield from _own(path)


def _is_workspace(folder: Path) -> bool:
    return bool(JsonlLedger(folder / ".cairn/ledger").files())


def _own(folder: Path) -> Iterator[Path]:
    """Without what that workspace collected itself: who wants that goes to where it came from."""
    ledger = JsonlLedger(folder / ".cairn/ledger")
    yield from (ledger.path_of(file.name) for file in ledger.files())


def _described(path: Path) -> SourceFile | None:
    file = open_regular(os.fspath(path))
    if file is None:
        return None
    with file:
        facts = os.fstat(file.fileno())
        first = file.readline(LONGEST_LINE)
    if facts.st_size > LARGEST:
        raise Refused(f"`{path}` is larger than {LARGEST // 1024**2:,} MiB; no ledger is. Split it, if it is one.")
    if not first.endswith(b"\n"):
        return None
    key = f"{path.parent.resolve()}/{file_key(path.name, first)}"
    return SourceFile(path, key, facts.st_size, facts.st_ino)
