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
from cairn.knowledge.base import KnowledgeBase


class HasKnowledge(Protocol):
    @property
    def knowledge(self) -> KnowledgeBase: ...


class KnowledgePorts(HasRoot, HasEnvironment, HasSettings, HasClock, HasFiles, HasVcs, HasScan, HasCorpora, Protocol):
    """What reading pages needs of the application."""
