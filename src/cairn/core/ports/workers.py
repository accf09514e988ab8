"""Doing the same to many things, in several processes if there are any."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


class Workers(Protocol):
    def map(self, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
        """The results in the order of the things. `work` may run in another process: what it changes stays there,
        what it returns should be plain and small."""
        ...


class Here:
    """One after the other, in this process."""

    def map(self, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
        return map(work, things)
