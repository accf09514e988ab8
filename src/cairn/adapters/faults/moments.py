"""End the process at the nth moment, or let the disk fail there: `CAIRN_FAULT=7`, `CAIRN_FAULT=7:ENOSPC`.

Moments are counted from 1. There is one before and one after every call through a port, and one before everything that
leaves a trace on disk or starts a program: opening a file for writing, renaming, removing, making a folder. Writes,
syncs and opened files have one of their own afterwards (`disk`). Nothing of this exists unless the variable is set.
"""

import errno
import os
import signal
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn

VARIABLE = "CAIRN_FAULT"
LOG = "CAIRN_FAULT_LOG"
_TRACES = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "subprocess.Popen"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Moments:
    """Counts them, and acts when the chosen one comes."""

    def __init__(self, chosen: int, failure: int | None = None, *, log: str | None = None) -> None:
        self._chosen, self._failure, self._log = chosen, failure, log
        self._count = 0
        self._busy = False

    @classmethod
    def of(cls, env: Mapping[str, str]) -> "Moments":
        number, _, word = env.get(VARIABLE, "").partition(":")
        failure = getattr(errno, word, None) if word else None
        return cls(int(number) if number.isdigit() else 0, failure, log=env.get(LOG))

    def watch_the_disk(self) -> None:
        """From now on, for as long as the process lives: there is no way to take such a hook away."""
        from cairn.adapters.faults.disk import count_writes

        sys.addaudithook(self._audited)
        count_writes(self.moment)

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _TRACES or (event == "open" and leaves_a_trace(arguments[0], arguments[2])):
            self.moment(f"{event} {arguments[0]!r}", failing=True)

    def moment(self, name: str, *, failing: bool = False) -> None:
        """`failing`: whether something is about to happen that a disk could refuse."""
        if self._busy:  # what we do ourselves does not count
            return
        self._count += 1
        self._note(name)
        if self._count == self._chosen:
            if self._failure is None:
                _die()
            if failing:
                raise OSError(self._failure, os.strerror(self._failure))

    def _note(self, name: str) -> None:
        if self._log is None:
            return
        self._busy = True
        try:
            with open(self._log, "a", encoding="utf-8") as file:
                file.write(f"{self._count} {name}\n")
        finally:
            self._busy = False


def leaves_a_trace(path: object, flags: object) -> bool:
    """Compiled modules are Python's own; when they are written depends on who ran before. A number is a file that was
    opened already."""
    written = isinstance(flags, int) and bool(flags & _WRITING) and not isinstance(path, int)
    return written and not (isinstance(path, str) and ("__pycache__" in path or path == os.devnull))


@cache
def armed(variable: str, log: str | None) -> Moments:
    """One count for the whole process, however many workspaces it opens."""
    moments = Moments.of({VARIABLE: variable, **({LOG: log} if log else {})})
    moments.watch_the_disk()
    return moments


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a process survived its death")
