"""Writing about a turn: decide, record, and say what became of it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from cairn.capture.turn_outcome import ATTEMPTS, EventOf, Policy, ProcessedTurn, failed, process
from cairn.capture.turn_request import settled
from cairn.core.ledger_events import project_of
from cairn.core.model.session import TurnOutcome, TurnRequest, TurnResult
from cairn.core.ports.runtime import Level, TelemetryRecord
from cairn.core.switches import read_switches
from cairn.errors import CannotWrite
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts

SWITCHED_OFF = "switched-off"
"""With `CAIRN_OFF` nothing is written, and whoever asked for a note is told so. No turn in the ledger says this."""
_ENDS = ("turn_completed", "turn_skipped", "turn_failed", "turn_interrupted")


def policy_of(ports: "CapturePorts", *, recalled: Collection[str] = ()) -> Policy:
    settings = ports.settings
    return Policy(
        skip_reasons=settings.texts("capture.skip_reasons"),
        threshold=settings.integer("capture.score_threshold"),
        low_days=settings.integer("capture.low_days"),
        recalled=frozenset(recalled),
        producer=f"cairn/{__version__}",
    )


def write_turn(
    ports: "CapturePorts", request: TurnRequest, *, automatic: bool = False, recalled: Collection[str] = ()
) -> TurnResult:
    """One outcome for the turn, on disk when this returns. The store's tables follow when somebody reads them.

    `automatic` where nobody asked for a note; `recalled` are fingerprints of what Cairn itself told the agent."""
    if read_switches(ports.env).off:
        return TurnResult(request.turn_id, TurnOutcome.SKIPPED, SWITCHED_OFF)
    policy = policy_of(ports, recalled=recalled)
    began = perf_counter()
    request = at_home(ports, request)

    def attempt() -> ProcessedTurn:
        memory, now_ms = ports.turn_memory, ports.clock.now_ms()
        return process(request, memory=memory, policy=policy, now_ms=now_ms, automatic=automatic)

    return _recorded(ports, request, attempt, policy, began).written


def at_home(ports: "CapturePorts", request: TurnRequest) -> TurnRequest:
    """With the project that this workspace belongs to, unless the turn names another."""
    if request.context.get("project"):
        return request
    return replace(request, context={**request.context, "project": project_of(ports)})


def _recorded(
    ports: "CapturePorts", request: TurnRequest, attempt: Callable[[], ProcessedTurn], policy: Policy, began: float
) -> ProcessedTurn:
    """The ledger may be locked for a moment: a few tries, and only the last one has failed."""
    for number in range(1, ATTEMPTS):
        try:
            return _once(ports, attempt, began)
        except CannotWrite as error:
            tell(ports, [failed(settled(request), error.code, attempt=number, policy=policy)], began)
    try:
        return _once(ports, attempt, began)
    except CannotWrite as error:
        tell(ports, [failed(settled(request), error.code, attempt=ATTEMPTS, policy=policy)], began)
        raise


def _once(ports: "CapturePorts", attempt: Callable[[], ProcessedTurn], began: float) -> ProcessedTurn:
    done = attempt()
    record(ports, done.events, began=began)
    return done


def record(ports: "CapturePorts", events: Sequence[EventOf], *, began: float) -> None:
    """All of them or none, in the ledger; then to telemetry, if there is any."""
    if not events:
        return
    took = round((perf_counter() - began) * 1000)
    timed = [(kind, {**payload, "duration_ms": took} if kind in _ENDS else payload) for kind, payload in events]
    ports.ledger.append_all(timed, now_ms=ports.clock.now_ms())
    tell(ports, timed, began)


def tell(ports: "CapturePorts", events: Sequence[tuple[str, Mapping[str, Any]]], began: float) -> None:
    if ports.telemetry is None:
        return

    ports.telemetry.write(records(events), took_ms=(perf_counter() - began) * 1000)


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


_MOST_NOTES: Final = 50


def id_for_note(ports: "CapturePorts", turn: str) -> str:
    """The turn's own id; a further note of the same turn gets a number, so that it does not replace the first."""

    ports.index_ledger()
    for number in range(1, _MOST_NOTES):
        id = turn if number == 1 else f"{turn}.{number}"
        if ports.turn_memory.standing(id).outcome != TurnOutcome.COMPLETED:
            return id
    return turn
