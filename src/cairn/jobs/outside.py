"""Keeps questions that quote text from outside of the repository from an agent that has tools."""

from typing import NamedTuple

from cairn.core.model.change import Taint
from cairn.core.ports.jobs import JobStore
from cairn.core.ports.runtime import Settings


class QueueForAgent(NamedTuple):
    """Questions that an agent at work may read, and those that it may not."""

    own: int
    kept: int

    @property
    def kept_sentence(self) -> str:
        """Empty when nothing is kept from it."""
        if not self.kept:
            return ""
        return (
            f"{self.kept:,} quote text from outside of the repository; they wait for `cairn judge`, which has no tools."
        )


def most_taint(settings: Settings) -> int | None:
    """An agent at work has tools, so what strangers wrote is not for it, unless the operator says so."""
    return None if settings.flag("judge.agent_outside") else Taint.MODEL


def queue_for_agent(store: JobStore, settings: Settings) -> QueueForAgent:
    every = sum(one.jobs for one in store.waiting())
    own = sum(one.jobs for one in store.waiting(most_taint(settings)))
    return QueueForAgent(own, every - own)
