"""The ports of this room, as one protocol that the application fulfils."""

from typing import TYPE_CHECKING, Protocol

from cairn.core.ports.application import (
    CanBeClosed,
    CanWriteSettings,
    HasClock,
    HasEnvironment,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasLocks,
    HasPrograms,
    HasRegistry,
    HasRoot,
    HasSessionLogs,
    HasSettings,
    HasStore,
    HasStoredFiles,
    HasStoreLocation,
    HasTelemetry,
    HasTranscripts,
    HasWorkers,
    KnowsTracked,
    WorksInMemory,
)

if TYPE_CHECKING:
    from cairn.capture.turn_outcome import TurnMemory


class HasTurnMemory(Protocol):
    @property
    def turn_memory(self) -> "TurnMemory": ...


class CapturePorts(
    HasRoot,
    HasEnvironment,
    HasSettings,
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasLocks,
    HasStore,
    HasStoreLocation,
    HasStoredFiles,
    HasRegistry,
    HasWorkers,
    HasTelemetry,
    WorksInMemory,
    HasPrograms,
    HasSessionLogs,
    HasTranscripts,
    KnowsTracked,
    HasTurnMemory,
    Protocol,
):
    """What capturing turns and sessions needs of the application."""


class OwnCapturePorts(CapturePorts, CanBeClosed, Protocol):
    """Opened for one turn, and closed after it."""
