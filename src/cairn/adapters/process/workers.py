"""Workers for a scan: as many processes as there are cores, made when there is enough to do."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


class ForkWorkers:
    def __init__(self, count: int) -> None:
        self._count = count

    def map(self, work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
        from cairn.adapters.process.fork import fork_map  # a scan that changes nothing does not pay for it

        return fork_map(self._count, work, things)
