"""An issue: what an analyzer found, where, and how to mend it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Severity(StrEnum):
    """How much an issue matters; the order of the members is from worst to least."""

    ERROR = "error"
    """Something is broken; `check` ends with 1."""
    WARN = "warn"
    """Something is probably wrong."""
    INFO = "info"
    """Worth knowing."""


class Fix(NamedTuple):
    summary: str
    autofixable: bool = False


class Issue(NamedTuple):
    analyzer: str
    """Short id, kebab case."""
    severity: Severity
    nodes: tuple[str, ...]
    """Paths, the first one is where the issue is shown; at least one."""
    message: str
    line: int | None = None
    """Line of the file named first."""
    detail: str | None = None
    fix: Fix | None = None
    data: Mapping[str, Any] | None = None

    @property
    def path(self) -> str:
        return self.nodes[0]
