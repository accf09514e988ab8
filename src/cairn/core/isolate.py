"""Isolates the items of a loop: one that fails is recorded by its name, and the others go on.

A file, a candidate, an event or a source comes from a stranger, and no code expects everything. Whoever runs a command
collects what failed, reports it, and ends with 1. Errors with a sentence of their own (`CairnError`) and errors of the
machine (`OSError`) are about the whole run, and pass.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

from cairn.errors import CairnError

Given = TypeVar("Given")
Made = TypeVar("Made")

PASSING = (CairnError, OSError, MemoryError)


class BadItem(NamedTuple):
    name: str
    error: str
    trace: str = ""
    """For the log."""


_COLLECTED: ContextVar[list[BadItem] | None] = ContextVar("bad_items", default=None)


@contextmanager
def collected() -> Iterator[list[BadItem]]:
    """The items that fail while this is open. Without it an error is an error."""
    found: list[BadItem] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)


def record(items: Iterable[BadItem]) -> None:
    """Adds what another process has collected."""
    found = _COLLECTED.get()
    if found is not None:
        found.extend(items)


class item:
    """The work on one item: `with item(path): …`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        found = _COLLECTED.get()
        if found is None or not isinstance(error, Exception) or isinstance(error, PASSING):
            return False
        found.append(BadItem(self._name, described(error), "".join(traceback.format_exception(error))))
        return True


def each(things: Iterable[Given], work: Callable[[Given], Made], name: Callable[[Given], str]) -> Iterator[Made]:
    """The results of the work on each thing, without those that fail."""
    for thing in things:
        made: list[Made] = []
        with item(name(thing)):
            made.append(work(thing))
        yield from made  # not inside: an error of whoever uses the results is not one of this item


def described(error: BaseException) -> str:
    first = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
