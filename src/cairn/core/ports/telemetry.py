"""Telemetry: what happened to a turn, told to whoever the operator chose, beside the ledger."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

Level = Literal["debug", "info", "warn", "error"]


class TelemetryRecord(NamedTuple):
    action: str
    """`knowledge.turn_write.completed` and its sisters."""
    component: str
    level: Level
    success: bool
    metadata: Mapping[str, Any]
    """snake_case, and always with a `turn_id`."""
    error: str | None = None
    duration_ms: int | None = None


class Telemetry(Protocol):
    def write(self, records: Sequence[TelemetryRecord], *, took_ms: float) -> None:
        """The records of one write, in order; never fails, whatever is at the other end."""
        ...

    def close(self) -> None:
        """Send what waits, for a few seconds at most."""
        ...
