"""The ports of this room, as one protocol that the application fulfils."""

from typing import TYPE_CHECKING, Protocol

from cairn.capture.ports import HasTurnMemory
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
    HasModels,
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
from cairn.graph.ports import HasScanRequest
from cairn.knowledge.ports import HasKnowledge

if TYPE_CHECKING:
    from cairn.adapters.vcs.trees import GitTrees


class HasTrees(Protocol):
    @property
    def trees(self) -> "GitTrees": ...


class WorkspacePorts(
    HasRoot,
    HasEnvironment,
    HasSettings,
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasVcs,
    HasLedger,
    HasLedgerIndex,
    HasStore,
    HasStoreLocation,
    HasScan,
    HasRegistry,
    HasModels,
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
    HasScanRequest,
    HasTurnMemory,
    HasTrees,
    Protocol,
):
    """What operations over several features need of the application."""
