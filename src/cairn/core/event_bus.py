"""The event bus: what happens is told once, and every subscriber gets it in the same envelope."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple


class BusEvent(NamedTuple):
    type: str
    at_ms: int
    run_id: str
    job_id: str | None
    data: Mapping[str, Any]

    def value(self) -> dict[str, Any]:
        """As JSON; every key is always there."""
        return {
            "type": self.type,
            "timestamp": self.at_ms,
            "runId": self.run_id,
            "jobId": self.job_id,
            "data": dict(self.data),
        }


Subscriber = Callable[[BusEvent], None]


class EventBus:
    """Subscribers are called in the order in which they came, and can neither stop nor change anything."""

    def __init__(self, *subscribers: Subscriber) -> None:
        self._subscribers = list(subscribers)

    @property
    def is_heard(self) -> bool:
        return bool(self._subscribers)

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    @contextmanager
    def heard_by(self, subscriber: Subscriber) -> Iterator[None]:
        """For a while only."""
        self._subscribers.append(subscriber)
        try:
            yield
        finally:
            self._subscribers.remove(subscriber)

    def emit(self, type: str, data: Mapping[str, Any], *, at_ms: int, run_id: str, job_id: str | None = None) -> None:
        if not self.is_heard:
            return
        event = _serialisable(BusEvent(type, at_ms, run_id, job_id, data))
        for subscriber in self._subscribers:
            subscriber(event)


def _serialisable(event: BusEvent) -> BusEvent:
    """The event, or in its place one that names what could not be written as JSON."""
    import json

    try:
        json.dumps(event.data)
    except (TypeError, ValueError) as error:
        message = f"failed to emit event of type '{event.type}': {error}"
        return event._replace(type="emitter.error", job_id=None, data={"message": message})
    return event
