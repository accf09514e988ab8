"""How often pages are read, as the log of questions tells."""

from collections.abc import Iterable, Mapping, Sequence
from math import pow
from typing import Final, NamedTuple, Protocol

DAY_MS: Final = 86_400_000
HALF_LIFE_DAYS: Final = 30
"""After so many days a reading counts half."""


class Reading(NamedTuple):
    """Somebody read a page. Twice on one day is once: an agent that reads a page again and again needs it no more than
    one that remembers."""

    path: str
    reader: str
    """A session, or the work tree where none is known."""
    at_ms: int


class Use(NamedTuple):
    reads: int
    """By different readers, or on different days."""
    last_ms: int
    days: tuple[tuple[int, int], ...] = ()
    """(day since 1970, readings), in order."""

    def lately(self, now_ms: int) -> float:
        """Readings, each worth the less the longer it is ago."""
        today = now_ms // DAY_MS
        return sum(reads * pow(0.5, max(0, today - day) / HALF_LIFE_DAYS) for day, reads in self.days)


class UsageStore(Protocol):
    def add(self, readings: Iterable[Reading]) -> None:
        """One that is there already, or an order that is another one, changes nothing."""
        ...

    def counts(self, paths: Sequence[str]) -> Mapping[str, Use]:
        """Of those that anybody read. What was read under the name that a page had before it was moved counts too."""
        ...
