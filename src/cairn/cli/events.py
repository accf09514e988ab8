"""Prints events of the bus, one a line, and tells the bus when a command begins and ends."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cairn.core.event_bus import EventBus

if TYPE_CHECKING:
    from cairn.cli.invocation import Invocation
    from cairn.core.event_bus import BusEvent


def print_event(ctx: "Invocation", event: "BusEvent") -> None:
    from json import dumps

    ctx.out.data(dumps(event.value(), ensure_ascii=False))


class CommandEvents:
    """`boot` and `shutdown` of one command."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus
        self.exit_code = 70
        """Unless the command says otherwise, it crashed."""

    def emit(self, type: str, **data: object) -> None:
        if self._bus.is_heard:
            import os
            import time

            from cairn.jobs.model import run_id

            now_ms = int(time.time() * 1000)
            self._bus.emit(type, data, at_ms=now_ms, run_id=run_id(now_ms, os.urandom(2).hex()))


@contextmanager
def told(bus: EventBus, args: Sequence[str]) -> Iterator[CommandEvents]:
    events = CommandEvents(bus)
    events.emit("boot", argv=list(args))
    try:
        yield events
    finally:
        events.emit("shutdown", exitCode=events.exit_code)
