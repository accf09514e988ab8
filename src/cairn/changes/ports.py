"""The ports of this room, as one protocol that the application fulfils."""

from typing import TYPE_CHECKING, Protocol

from cairn.core.ports.application import (
    CanWriteSettings,
    HasBlobs,
    HasClock,
    HasCorpora,
    HasEnvironment,
    HasFetcher,
    HasFiles,
    HasForge,
    HasLedger,
    HasLedgerIndex,
    HasLocks,
    HasMerges,
    HasProbe,
    HasRegistry,
    HasRevisions,
    HasRoot,
    HasScan,
    HasSettings,
    HasStore,
    HasStoreLocation,
    HasTelemetry,
    HasTokenizer,
    HasVcs,
    HasWorkers,
    WorksInMemory,
)
from cairn.graph.scan_request import HasScanRequest
from cairn.knowledge.ports import HasApprovals, HasKnowledge

if TYPE_CHECKING:
    from cairn.changes.gate import KnownSources


class HasGates(Protocol):
    @property
    def gates(self) -> tuple[str, ...]:
        """Each as `module:class`, in the order in which they are shown."""
        ...

    def known_sources(self) -> "KnownSources":
        """As they are known now: what gates may ask about sources."""
        ...


class ChangesPorts(
    HasRoot,
    HasEnvironment,
    HasSettings,
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasVcs,
    HasLedger,
    HasLedgerIndex,
    HasLocks,
    HasMerges,
    HasStore,
    HasStoreLocation,
    HasScan,
    HasRegistry,
    HasCorpora,
    HasForge,
    HasFetcher,
    HasBlobs,
    HasWorkers,
    HasProbe,
    HasTokenizer,
    HasTelemetry,
    WorksInMemory,
    HasRevisions,
    HasKnowledge,
    HasApprovals,
    HasScanRequest,
    HasGates,
    Protocol,
):
    """What change requests need of the application."""
