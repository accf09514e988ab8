"""Moments around the calls that change a file: after it was opened for writing, before and after each write and sync.

Python announces an opened file before the call and writes not at all, so the functions themselves are wrapped."""

import builtins
import io
import os
import stat
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from cairn.adapters.faults.moments import leaves_a_trace

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
