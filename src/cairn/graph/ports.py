"""The ports of this room, as one protocol that the application fulfils."""

from typing import Any, Protocol

from cairn.core.ports.application import (
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasRegistry,
    HasRoot,
    HasSettings,
    HasStore,
    HasWorkers,
    WorksInMemory,
)
from cairn.graph.scan_request import ScanRequest


class HasScanRequest(Protocol):
    def scan_request(self, **changes: Any) -> ScanRequest: ...


class GraphPorts(
    HasRoot,
    HasSettings,
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasStore,
    HasRegistry,
    HasWorkers,
    WorksInMemory,
    Protocol,
):
    """What scanning needs of the application."""
