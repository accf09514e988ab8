"""Shows the progress of a run, and tells the event bus about it."""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from cairn.core.event_bus import EventBus
from cairn.core.ports.runtime import Clock, Progress

_PAUSE: Final = 0.25
"""Seconds between two events about progress."""
_FILES: Final = "reading"


class BusProgress:
    """A `Progress` whose steps and events go to the bus as well."""

    def __init__(self, bus: EventBus, clock: Clock, shown: Progress, make_id: Callable[[], str]) -> None:
        self._bus, self._clock, self._shown, self._make_id = bus, clock, shown, make_id
        self._next = clock.monotonic() + _PAUSE

    def step(self, stage: str, done: int, total: int | None) -> None:
        self._shown.step(stage, done, total)
        if stage == _FILES and self._bus.is_heard and self._clock.monotonic() >= self._next:
            self._next = self._clock.monotonic() + _PAUSE
            self._emit("scan.progress", {"filesSeen": total, "filesProcessed": done})

    def event(self, kind: str, **data: object) -> None:
        self._shown.event(kind, **data)
        self._emit(kind, data)

    @cached_property
    def _run_id(self) -> str:
        return self._make_id()

    def _emit(self, kind: str, data: dict[str, object]) -> None:
        if self._bus.is_heard:
            self._bus.emit(kind, data, at_ms=self._clock.now_ms(), run_id=self._run_id)
