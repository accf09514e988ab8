"""The ports of this room, as one protocol that the application fulfils."""

from typing import TYPE_CHECKING, Protocol

from cairn.capture.ports import HasTurnMemory
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
    HasPageSearch,
    HasProbe,
    HasPrograms,
    HasQuestions,
    HasRegistry,
    HasRevisions,
    HasRoot,
    HasScan,
    HasSessionLogs,
    HasSettings,
    HasStore,
    HasStoredFiles,
    HasStoreLocation,
    HasTelemetry,
    HasTokenizer,
    HasTranscripts,
    HasVcs,
    HasWorkers,
    KnowsTracked,
    WorksInMemory,
)
from cairn.graph.scan_request import HasScanRequest
from cairn.jobs.ports import HasActions
from cairn.knowledge.ports import HasApprovals, HasKnowledge
from cairn.knowledge.standing import HasStandings
from cairn.trust.ports import HasEvidence, HasVoters

if TYPE_CHECKING:
    from pathlib import Path

    from cairn.core.ports.git_refs import OwnRefs, SharedState
    from cairn.core.ports.runtime import Files
    from cairn.core.ports.vcs import History
    from cairn.core.registry import ProjectPlugin
    from cairn.freshness.diff.survey import SurveyedRepository


class UserFiles(Protocol):
    """Files in the user's state directory that are about this repository."""

    def names(self) -> list[str]: ...

    def leave(self) -> tuple[str, int]:
        """Takes them away; where approvals stay, which hold in every repository, and how many."""
        ...


class HasHistory(Protocol):
    """What git knows beyond `Vcs`."""

    @property
    def trees(self) -> "SurveyedRepository":
        """The same repository, for reading many files of commits."""
        ...

    def history(self) -> "History":
        """Commits, newest first. Reading them takes a while."""
        ...

    def is_ignored(self, path: str) -> bool:
        """Whether git ignores a path, whatever Cairn passes over by itself."""
        ...

    def work_tree_stamp(self) -> str | None:
        """Changes whenever a commit is added, a file differs, or git knows more history; None where git can't tell."""
        ...


class HasTraces(HasStoredFiles, Protocol):
    """What Cairn keeps and leaves, as it lies there."""

    @property
    def own_refs(self) -> "OwnRefs": ...

    @property
    def shared_state(self) -> "SharedState": ...

    def db_schema(self) -> int:
        """The number of the newest migration that this Cairn knows."""
        ...

    @property
    def user_files(self) -> UserFiles: ...


class HasSurroundings(Protocol):
    """What lies beside the workspace's own documents."""

    def files_at(self, folder: "Path") -> "Files":
        """The files of another folder."""
        ...

    def project_plugins(self) -> "list[ProjectPlugin]":
        """Plugins that came with the repository. They don't run."""
        ...


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
    HasPageSearch,
    HasQuestions,
    HasTokenizer,
    HasTelemetry,
    WorksInMemory,
    HasPrograms,
    HasSessionLogs,
    HasTranscripts,
    KnowsTracked,
    HasEmbedder,
    HasRevisions,
    HasKnowledge,
    HasActions,
    HasApprovals,
    HasScanRequest,
    HasGates,
    HasTurnMemory,
    HasHistory,
    HasTraces,
    HasSurroundings,
    HasStandings,
    HasEvidence,
    HasVoters,
    Protocol,
):
    """What operations over several features need of the application."""
