"""The ports of this room, as one protocol that the application fulfils."""

from typing import Protocol

from cairn.changes.ports import HasGates
from cairn.core.ports.application import (
    CanWriteSettings,
    HasBlobs,
    HasClock,
    HasCorpora,
    HasEmbedder,
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
from cairn.knowledge.standing import HasStandings


class RetrievePorts(
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
    HasEmbedder,
    HasRevisions,
    HasKnowledge,
    HasApprovals,
    HasScanRequest,
    HasGates,
    HasStandings,
    Protocol,
):
    """What search and briefings need of the application."""
