"""Contents of a repository by their ids, from `git cat-file --batch`."""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from cairn.adapters.vcs.program import QUIET, GitProgram

if TYPE_CHECKING:
    import subprocess

_LARGEST = 2_000_000
_AT_ONCE = 500
_PIPE = 1_048_576
"""Bytes that git may read ahead while we look at what it read."""


class Objects:
    """A few contents come from one process that stays open, many from a process of their own."""

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._open: _Batch | None = None
        self.lacking: set[str] = set()
        """Ids that were asked for, and that this clone does not have."""

    def read(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """Each id with its content, in order; None for what is missing or too large."""
        asked = iter(ids)
        first = list(islice(asked, _AT_ONCE))
        if len(first) < _AT_ONCE:
            return iter(self._few(first))
        return self._many(first, asked)

    def _few(self, ids: Sequence[str]) -> list[tuple[str, bytes | None]]:
        if not ids:
            return []
        if self._open is None or not self._open.alive:
            self._open = _Batch(self._git, self.lacking)
        return list(self._open.read(ids))

    def _many(self, ids: Sequence[str], rest: Iterator[str]) -> Iterator[tuple[str, bytes | None]]:
        """In batches: a pipe that is filled while nobody reads from it would block."""
        batch = _Batch(self._git, self.lacking)
        try:
            while ids:
                yield from batch.read(ids)
                ids = list(islice(rest, _AT_ONCE))
        finally:
            batch.end()


class _Batch:
    """One process. It ends with this object at the latest."""

    def __init__(self, git: GitProgram, lacking: set[str]) -> None:
        self._lacking = lacking
        self._process = git.start(*QUIET, "cat-file", "--batch", piped=True)
        self.end = weakref.finalize(self, _end, self._process)
        if self._process is not None:
            _widen(self._process)

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def read(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):  # git ended, and its answers are empty
                process.stdin.write("".join(f"{id}\n" for id in ids).encode())
                process.stdin.flush()
        for id in ids:
            yield id, None if process is None else self._one(process, id)

    def _one(self, process: "subprocess.Popen[bytes]", id: str) -> bytes | None:
        assert process.stdout is not None
        head = process.stdout.readline().split()
        if len(head) != 3 or not head[2].isdigit():
            self._lacking.add(id)
            return None
        data = process.stdout.read(int(head[2]) + 1)[:-1]
        return data if len(data) <= _LARGEST else None


def _end(process: "subprocess.Popen[bytes] | None") -> None:
    if process is not None:
        process.kill()
        process.communicate()


def _widen(process: "subprocess.Popen[bytes]") -> None:
    """So that git works while we do. Only Linux can."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        assert process.stdout is not None
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, _PIPE)
