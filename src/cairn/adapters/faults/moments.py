"""Moments at which a process may be killed: calls of ports and writes to the disk, counted."""

import builtins
import errno
import io
import os
import signal
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache, wraps
from typing import Any, NoReturn, Protocol, TypeVar, cast

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


Port = TypeVar("Port")


def counted(name: str, port: Port, moments: Moments) -> Port:
    """Like the port in every way but that."""
    return cast(Port, _Counted(name, port, moments))


class _Counted:
    def __init__(self, name: str, port: object, moments: Moments) -> None:
        self._name, self._port, self._moments = name, port, moments

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Whoever asks what it is hears what it stands for."""
        return type(self._port)

    def __getattr__(self, part: str) -> Any:
        value = getattr(self._port, part)
        name = f"{self._name}.{part}"
        if type(value).__module__.startswith("cairn.adapters.storage."):
            return _Counted(name, value, self._moments)
        return _call(name, value, self._moments) if callable(value) else value


def _call(name: str, real: Callable[..., Any], moments: Moments) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        moments.moment(f"before {name}")
        result = real(*arguments, **named)
        moments.moment(f"after {name}")
        if isinstance(result, AbstractContextManager):
            return _Entered(name, result, moments)
        return result

    return call


class _Entered(AbstractContextManager[Any]):
    """A transaction: what is done in it, and its end."""

    def __init__(self, name: str, real: AbstractContextManager[Any], moments: Moments) -> None:
        self._name, self._real, self._moments = name, real, moments

    def __enter__(self) -> Any:
        inside = self._real.__enter__()
        self._moments.moment(f"in {self._name}")
        return None if inside is None else _Counted(self._name, inside, self._moments)

    def __exit__(self, *why: Any) -> bool | None:
        self._moments.moment(f"end of {self._name}")
        done = self._real.__exit__(*why)
        self._moments.moment(f"after {self._name} ended")
        return done


_CHANGES = frozenset("wax+")


class Tell(Protocol):
    def __call__(self, name: str, *, failing: bool = False) -> None: ...


def count_writes(tell: Tell) -> None:
    """In this process, from now on."""
    os.write = _around("os.write", os.write, tell)
    os.fsync = _around("os.fsync", os.fsync, tell)
    os.open = _opened(os.open, tell)
    builtins.open = io.open = _opened_file(io.open, tell)


def _around(name: str, real: Callable[..., Any], tell: Tell) -> Callable[..., Any]:
    @wraps(real)
    def call(handle: Any, *rest: Any) -> Any:
        if stat.S_ISFIFO(mode := os.fstat(handle).st_mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode):
            return real(handle, *rest)  # to another program, or to a person
        tell(f"{name} before", failing=True)
        done = real(handle, *rest)
        tell(f"{name} after")
        return done

    return call


def _opened(real: Callable[..., int], tell: Tell) -> Callable[..., int]:
    @wraps(real)
    def call(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        handle = real(path, flags, *rest, **named)
        if leaves_a_trace(path, flags):
            tell(f"os.open after {path!r}")
        return handle

    return call


def _opened_file(real: Callable[..., Any], tell: Tell) -> Callable[..., Any]:
    @wraps(real)
    def call(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        opened = real(file, mode, *rest, **named)
        if _CHANGES & set(mode) and leaves_a_trace(file, os.O_WRONLY):
            tell(f"open after {file!r}")
        return opened

    return call
