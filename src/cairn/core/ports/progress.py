"""Telling somebody how far long work has come."""

from typing import Protocol


class Progress(Protocol):
    def step(self, stage: str, done: int, total: int | None) -> None:
        """`stage` in words a person reads, such as `reading`; called often, so it must be cheap."""
        ...

    def event(self, kind: str, **data: object) -> None:
        """Something that happened, such as `scan.completed`."""
        ...


class Silent:
    """Says nothing; the default everywhere."""

    def step(self, stage: str, done: int, total: int | None) -> None:
        pass

    def event(self, kind: str, **data: object) -> None:
        pass
