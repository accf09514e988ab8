"""Readers: agents and models that answer one question at a time."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from cairn.core.model_budget import RunnerAnswer


class ReaderRequest(NamedTuple):
    prompt: str
    schema: Mapping[str, Any]
    """Of the answer, for readers that can be held to one."""
    timeout_seconds: float
    key: str = ""
    """Of the question: its name, its version and the hash of its material."""


class Reader(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str:
        """As far as it is known before the first answer."""
        ...

    @property
    def parallel(self) -> int:
        """How many questions may be asked at the same time."""
        ...

    @property
    def window(self) -> int | None:
        """How many tokens a prompt may have; None where that is not known."""
        ...

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        """`RunnerFailed` when there is no usable answer. Called from several threads."""
        ...

    def stop(self) -> None:
        """End what is still running, from another thread."""
        ...
