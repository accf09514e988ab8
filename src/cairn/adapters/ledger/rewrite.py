"""Writing the files of a ledger anew without some of their lines: under its lock, beside and renamed over."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import cairn.journal as journal
from cairn.adapters.ledger.collected import CollectedLedgerFiles
from cairn.adapters.ledger.jsonl import SUFFIX, JsonlLedger, open_regular
from cairn.core.ports.ledger import COLLECTED, LineJudge, RewrittenLines
from cairn.errors import CannotWrite
from cairn.worktree import sync_folder

TORN = f"{SUFFIX}.torn"
_BESIDE = ".new"
_ROTATED = re.compile(r"([a-z0-9-]+)\.[0-9A-Za-z-]+\.jsonl")


def all_files(folder: Path) -> list[tuple[str, Path]]:
    """Every file that holds lines of a ledger: by the name that the ledger knows it by, torn ends included."""
    ledger = JsonlLedger(folder)
    known = [(file.name, ledger.path_of(file.name)) for file in ledger.files(collected=True)]
    return [*known, *((path.name, path) for path in torn_files(folder))]


def torn_files(folder: Path) -> list[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return []
    return [path for path in sorted(folder.glob(f"*{TORN}")) if not path.is_symlink()]


def lines_of(path: Path) -> Iterator[bytes]:
    """All of them, also a last one without its newline, and one that is far too long."""
    file = open_regular(os.fspath(path))
    if file is not None:
        with file:
            yield from file


def rewrite(folder: Path, name: str, path: Path, judge: LineJudge) -> RewrittenLines:
    """One file. Whoever reads sees the old one or the new one; events that are appended meanwhile wait for it."""
    if name.startswith(COLLECTED):
        with CollectedLedgerFiles(folder) as collected:
            return collected.rewritten(path.name, lambda: _rewrite(path, judge))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # an older program's ledger has none
        lock = journal.hold(os.fspath(folder))
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written ({error.strerror or error}); check its permissions.") from error
    try:
        return _rewrite(path, judge)
    finally:
        os.close(lock)


def _rewrite(path: Path, judge: LineJudge) -> RewrittenLines:
    beside = path.with_name(f"{path.name}{_BESIDE}")
    try:
        first, done = _copied(path, beside, judge)
        if not done.anything:
            beside.unlink(missing_ok=True)
        else:
            _put_in_place(beside, path, first)
        sync_folder(os.fspath(path.parent))
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written ({error.strerror or error}); make room, or check it.") from error
    return done


def _copied(path: Path, beside: Path, judge: LineJudge) -> tuple[bytes | None, RewrittenLines]:
    """The first line of the copy, None when nothing is left."""
    beside.unlink(missing_ok=True)
    first, gone, changed = None, 0, 0
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as copy:
        os.fchmod(fd, path.stat().st_mode & 0o777)
        for line in lines_of(path):
            kept = judge(line)
            gone, changed = gone + (kept is None), changed + (kept is not None and kept != line)
            if kept is not None:
                first = first or kept
                copy.write(kept)
        copy.flush()
        os.fsync(copy.fileno())
    return first, RewrittenLines(gone, changed)


def _put_in_place(beside: Path, path: Path, first: bytes | None) -> None:
    """A full file is called by its first event; when that went, by the one that is first now. One that is written to
    stays, also when it is empty."""
    rotated, id = _ROTATED.fullmatch(path.name), journal.first_id(first or b"")
    if first is None and (rotated or path.name.endswith(TORN)):
        path.unlink()
        beside.unlink()
        return
    target = path.with_name(f"{rotated[1]}.{id}{SUFFIX}") if rotated and id else path
    if target == path or target.exists():
        os.replace(beside, path)
        return
    os.rename(beside, target)  # a kill leaves both here: what is in two files counts once
    path.unlink()


class JsonlLedgerFiles:
    """The functions above for one ledger."""

    lines = staticmethod(lines_of)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[tuple[str, Path]]:
        return all_files(self.folder)

    def torn(self) -> list[Path]:
        return torn_files(self.folder)

    def rewrite(self, name: str, path: Path, judge: LineJudge) -> RewrittenLines:
        return rewrite(self.folder, name, path, judge)
