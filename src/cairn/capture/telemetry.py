"""What happens to a turn, in the one vocabulary of telemetry: six actions and a retry, a turn's id on all of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cairn.core.ports.runtime import Level, TelemetryRecord

PREFIX: Final = "knowledge.turn_write."
COMPONENT: Final = "knowledge-turn-write"
ACTIONS: Final = ("eligible", "dispatched", "started", "completed", "skipped", "failed")
_LEVELS: Final[Mapping[str, Level]] = {"dispatched": "debug", "retrying": "warn", "failed": "error"}
_SAID: Final = (
    "turn_id",
    "source",
    "agent",
    "channel",
    "session",
    "turn_number",
    "host",
    "stage",
    "skip_reason",
    "duplicate_of",
    "result",
    "score",
    "visibility",
    "type",
    "attempt",
    "tool_errors",
)
"""Fields that leave the machine. Nothing that anybody wrote is among them: no summary, no evidence, no path."""


def records(events: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[TelemetryRecord, ...]:
    """Of a write, as the ledger's events tell it. Handing a turn over and beginning with it are said in between."""
    found: list[TelemetryRecord] = []
    for kind, payload in events:
        action = "failed" if kind == "turn_interrupted" else kind.removeprefix("turn_")
        if action in ("completed", "skipped", "failed", "retrying"):
            skip = {"has_skip_reason": bool(payload.get("skip_reason"))}
            found += (_record("dispatched", payload), _record("started", payload, skip))
        found.append(_record(action, payload))
    return tuple(found)


def _record(action: str, payload: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> TelemetryRecord:
    names: Sequence[str] = _SAID if action in ("completed", "skipped", "failed", "retrying", "eligible") else _SAID[:8]
    metadata = {name: payload[name] for name in names if payload.get(name) is not None}
    error = payload.get("error") if action in ("failed", "retrying") else None
    ended = action in ("completed", "skipped", "failed")
    return TelemetryRecord(
        PREFIX + action,
        COMPONENT,
        _LEVELS.get(action, "info"),
        action not in ("failed", "retrying"),
        {**metadata, **(more or {})},
        error if isinstance(error, str) else None,
        payload.get("duration_ms") if ended else None,
    )
