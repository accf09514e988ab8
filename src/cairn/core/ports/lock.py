"""One at a time: a lock that says who holds it, since when, and whether they are still alive."""

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol


class Holder(NamedTuple):
    """Who holds a lock."""

    name: str
    pid: int
    host: str
    token: str
    """Drawn by lot, so that nobody lets go of a lock that is not theirs any more."""
    acquired_at_ms: int
    beat_at_ms: int
    """When they last said that they are still at work."""
    ttl_ms: int
    """After so long without a word the lock may be taken over."""


class Lease(Protocol):
    """A lock that is held."""

    before: Holder | None
    """Who held it last and ended without letting go."""

    def beat(self) -> None:
        """Say that the work goes on. Raises `Conflict` when somebody has taken the lock over: stop then."""
        ...


class Locks(Protocol):
    def hold(self, name: str, *, ttl_ms: int, wait_ms: int = 0, what: str = "") -> AbstractContextManager[Lease]:
        """Hold the lock while the block runs. Who is dead, or was not heard of for longer than they said, loses it.
        Raises `Conflict`, which names the holder, when it can't be had in time. `what` is at work, as in “a nightly
        run”, where the name alone would not tell a person."""
        ...

    def holders(self) -> list[tuple[Holder, str]]:
        """Every lock with why it may be taken over; empty when it may not."""
        ...

    def break_lock(self, name: str) -> bool:
        """Take a lock away, whoever holds it, and return whether there was one."""
        ...
