"""Asks the analyzers of the phase `read`: they look at code and history beside the documents.

Their results are computed when somebody reads them and are never stored with the scan, because they depend on files
that no scan reads. Apart from the other analyzers, since no scan needs this.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from cairn.core.model.issue import Issue
from cairn.core.ports.runtime import Progress, Silent
from cairn.core.registry import FAILING, ExtensionFailure, Registry, failure
from cairn.core.repository.repository import Repository


class ReadAnalyzer(Protocol):
    """Looks at a repository and reports what it can prove."""

    def evaluate(self, ctx: Repository) -> Iterable[Issue]: ...


class ReadResult(NamedTuple):
    issues: list[Issue]
    failures: list[ExtensionFailure]
    timings: list[tuple[str, float]]
    """Each analyzer with its seconds. The first one that needs history or code pays for reading it."""


def run_read_phase(
    registry: Registry, repository: Repository, progress: Progress | None, now: Callable[[], float]
) -> ReadResult:
    """An analyzer that fails is named, and takes nobody else's results with it."""
    result = ReadResult([], [], [])
    members = [loaded for loaded in registry.analyzers if loaded.manifest.phase == "read"]
    for number, loaded in enumerate(members, 1):
        (progress or Silent()).step(f"checking {loaded.id}", number, len(members))
        started = now()
        analyzer: ReadAnalyzer = loaded.extension  # type: ignore[assignment]
        try:
            result.issues.extend(analyzer.evaluate(repository))
        except FAILING as error:
            result.failures.append(failure(loaded, "", error))
        result.timings.append((loaded.id, now() - started))
    return result
