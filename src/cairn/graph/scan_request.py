"""What a scan is asked, what it needs of the application, and what it answers."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from cairn.core.ports.application import (
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasRegistry,
    HasRoot,
    HasSettings,
    HasStore,
    HasWorkers,
    WorksInMemory,
)
from cairn.core.ports.runtime import Clock, Files, Here, Progress, WalkRequest, Workers
from cairn.core.ports.store import Store
from cairn.core.registry import ExtensionFailure


class ScanRequest(NamedTuple):
    """What to scan, and how. The defaults are a whole, incremental scan."""

    only: tuple[str, ...] = ()
    """Folders or files to look at; nodes elsewhere stay as they are."""
    force: tuple[str, ...] = ()
    """Paths to read again even if nothing changed."""
    verify: bool = False
    """Read every file, whatever its size, time and inode say."""
    rebuild: bool = False
    """Forget everything derived and begin anew."""
    roots: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    gitignore: bool = True
    strict: bool = False
    max_file_size: int = 1_048_576
    max_nodes: int | None = None
    reference_paths: tuple[str, ...] = ()
    allow_empty: bool = False
    """Believe it when no file at all is found where there were some."""
    dry_run: bool = False
    """Look, and leave everything as it was."""

    def walk(self, suffixes: tuple[str, ...]) -> WalkRequest:
        return WalkRequest(self.only or self.roots, suffixes, self.ignore, self.gitignore)


class ScanReport(NamedTuple):
    """What a scan did."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    unchanged: int
    relinked: int
    counts: Mapping[str, int]
    failures: tuple[ExtensionFailure, ...]
    files_walked: int
    duration_ms: int
    active_provider: str | None
    providers: tuple[str, ...]
    oversized: tuple[str, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether nothing changed at all."""
        return not (self.added or self.changed or self.removed or self.relinked)


class ScanPorts(NamedTuple):
    files: Files
    store: Store
    clock: Clock
    progress: Progress
    workers: Workers = Here()


def size_of(counts: Mapping[str, int], kinds: str = "") -> str:
    """`83 documents, 531 links, 78 URLs cited`; `kinds` comes behind the documents, in brackets."""
    documents = _counted(counts["documents"], "document") + (f" ({kinds})" if kinds else "")
    urls = f", {_counted(counts['urls'], 'URL')} cited" if counts["urls"] else ""
    return f"{documents}, {_counted(counts['links'], 'link')}{urls}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


class HasScanRequest(Protocol):
    def scan_request(self, **changes: Any) -> ScanRequest: ...


class GraphPorts(
    HasRoot,
    HasSettings,
    CanWriteSettings,
    HasClock,
    HasFiles,
    HasLedger,
    HasLedgerIndex,
    HasStore,
    HasRegistry,
    HasWorkers,
    WorksInMemory,
    Protocol,
):
    """What scanning needs of the application."""
