"""The ports of this room."""

from typing import Protocol

from cairn.jobs.action import JobAction


class HasActions(Protocol):
    def actions(self) -> dict[str, JobAction]:
        """Everything that can be asked as a job, by id."""
        ...
