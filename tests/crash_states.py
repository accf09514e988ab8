"""Keeps a copy of everything on disk at each moment at which it differs from the moment before.

Runs inside the program under test. What a kill leaves behind is what lies on the disk at that moment, so one run shows
every state that a kill could leave; `deaths` restarts from each. A second copy, where it differs, is what a power cut
would leave: bytes that nobody synced are gone.
"""

import json
import os
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cairn.adapters.faults.moments import Moments

INDEX = "states.jsonl"
PLAIN, CUT = "kill", "power cut"
_SHARED = "-shm"
"""Locks of readers, in memory."""
_STDOUT = 1


def record(box: str, kept: str, copies: str) -> None:
    """From now on, in this process. Without copies the moments are listed, and nothing is kept of them."""
    recorder = _Recorder(Path(box), Path(kept), copies=bool(copies))
    counted = Moments.moment

    def moment(self: Moments, name: str, *, failing: bool = False) -> None:
        if self._busy or os.getpid() != recorder.process:
            return
        counted(self, name, failing=failing)
        self._busy = True
        try:
            recorder.look(self._count, name)
        finally:
            self._busy = False

    Moments.moment = moment  # type: ignore[method-assign]
    recorder.watch_syncs()


class _Recorder:
    def __init__(self, box: Path, kept: Path, *, copies: bool) -> None:
        self.process = os.getpid()
        self._box, self._kept, self._copies = box, kept, copies
        self._last: object = None
        self._before = {_identity(path.stat()): path.stat().st_size for path in _files(box)}
        self._safe: dict[tuple[int, int], int] = {}
        """Bytes that were synced, of files that we opened for writing; SQLite and git open theirs without us."""

    def watch_syncs(self) -> None:
        sync, opening = os.fsync, os.open

        def fsync(handle: Any) -> None:
            sync(handle)
            facts = os.fstat(handle)
            self._safe[_identity(facts)] = facts.st_size

        def opened(path: Any, flags: int, *rest: Any, **named: Any) -> int:
            handle = opening(path, flags, *rest, **named)
            if flags & (os.O_WRONLY | os.O_RDWR):
                identity = _identity(os.fstat(handle))
                self._safe.setdefault(identity, self._before.get(identity, 0))
            return handle

        os.fsync, os.open = fsync, opened

    def look(self, number: int, name: str) -> None:
        said = os.fstat(_STDOUT).st_size
        seen = (said, *_fingerprint(self._box))
        if seen == self._last:
            return
        self._last = seen
        copy = self._kept / str(number)
        if not self._copies:
            self._list(copy, number, name, said, PLAIN)
            return
        shutil.copytree(self._box, copy, symlinks=True)
        self._list(copy, number, name, said, PLAIN)
        if unsynced := self._unsynced():
            cut = self._kept / f"{number}-cut"
            shutil.copytree(copy, cut, symlinks=True)
            for path, size in unsynced.items():
                os.truncate(cut / path, size)
            self._list(cut, number, name, said, CUT)

    def _unsynced(self) -> dict[str, int]:
        """How much of a file a power cut leaves."""
        found = {}
        for path in _files(self._box):
            size = path.stat().st_size
            safe = self._safe.get(_identity(path.stat()), size)
            if size > safe:
                found[path.relative_to(self._box).as_posix()] = safe
        return found

    def _list(self, copy: Path, number: int, name: str, said: int, how: str) -> None:
        line = {"folder": copy.name, "number": number, "name": name, "said": said, "how": how}
        with open(self._kept / INDEX, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _identity(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_dev, facts.st_ino


def _files(box: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(box):
        yield from (path for name in names if (path := Path(folder, name)).is_file() and not path.is_symlink())


def _fingerprint(box: Path) -> Iterator[object]:
    """Contents, since the times of files are too coarse; objects of git never change, so their names will do."""
    for folder, folders, names in os.walk(box):
        folders.sort()
        yield folder
        for name in sorted(names):
            path = os.path.join(folder, name)
            if "/objects/" in path or os.path.islink(path):
                yield path
            elif not name.endswith(_SHARED):
                with open(path, "rb") as file:
                    yield path, zlib.crc32(file.read())
