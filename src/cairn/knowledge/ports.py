"""The ports of this room, as one protocol that the application fulfils."""

from typing import Protocol

from cairn.core.ports.application import (
    HasClock,
    HasCorpora,
    HasEnvironment,
    HasFiles,
    HasRoot,
    HasScan,
    HasSettings,
    HasVcs,
)
from cairn.knowledge.approval import Approvals, OwnCommits
from cairn.knowledge.base import KnowledgeBase


class HasKnowledge(Protocol):
    @property
    def knowledge(self) -> KnowledgeBase: ...


class HasApprovals(Protocol):
    @property
    def approvals(self) -> Approvals: ...

    @property
    def own_commits(self) -> OwnCommits: ...


class KnowledgePorts(
    HasRoot, HasEnvironment, HasSettings, HasClock, HasFiles, HasVcs, HasScan, HasCorpora, HasApprovals, Protocol
):
    """What reading pages needs of the application."""
