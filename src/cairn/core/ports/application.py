"""The parts of an application that an operation may ask for, one protocol each.

A room combines those that it needs in its `ports.py`. The application fulfils all of them, and makes each part when it
is first asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cairn.core.model.knowledge import Corpus
    from cairn.core.ports.forge import Forge
    from cairn.core.ports.ledger import Ledger, LedgerFiles
    from cairn.core.ports.process import ShellResult
    from cairn.core.ports.runtime import (
        Blobs,
        Clock,
        Files,
        Locks,
        Settings,
        StoredFiles,
        Telemetry,
        Tokenizer,
        Workers,
    )
    from cairn.core.ports.search import Embedder
    from cairn.core.ports.sources import Fetcher
    from cairn.core.ports.store import Store
    from cairn.core.ports.turns import SessionLogs, Transcripts
    from cairn.core.ports.vcs import Merges, Vcs
    from cairn.core.registry import Registry
    from cairn.lib.code.model import Probe


class HasRoot(Protocol):
    @property
    def root(self) -> Path: ...


class HasEnvironment(Protocol):
    @property
    def env(self) -> Mapping[str, str]: ...


class HasSettings(Protocol):
    @property
    def settings(self) -> "Settings": ...


class HasRevisions(Protocol):
    """Settings with the committed files of another revision."""

    def settings_at(self, read: Callable[[str], bytes | None]) -> "Settings": ...


class CanWriteSettings(Protocol):
    def write_setting(self, name: str, text: str, *, local: bool = False) -> bool:
        """Sets a key in a settings file, in the text that a person would type; whether the file changed."""
        ...


class KnowsTracked(Protocol):
    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of these local files that git tracks."""
        ...


class HasSessionLogs(Protocol):
    def session_logs(self) -> "SessionLogs":
        """In `.cairn`, or with the logs of an older knowledge base, where there is one."""
        ...


class HasTranscripts(Protocol):
    @property
    def transcripts(self) -> "Transcripts": ...


class HasPrograms(Protocol):
    """Programs outside of Cairn: those of agent hosts, and those that the operator named."""

    def run_shell(
        self, line: str, *, stdin: bytes, cwd: str, env: Mapping[str, str], seconds: float = 15.0
    ) -> "ShellResult": ...

    def tell_program(self, command: str, text: str, *, env: Mapping[str, str]) -> str:
        """Gives a program text on its standard input. Empty when it ended well, else why not."""
        ...


class HasEmbedder(Protocol):
    def embedder(self, *, seconds: float = 60.0) -> "Embedder | None":
        """None when the operator wants none, which is usual. A program has so long for one answer."""
        ...


class HasClock(Protocol):
    @property
    def clock(self) -> "Clock": ...


class HasFiles(Protocol):
    @property
    def files(self) -> "Files": ...

    def files_at(self, folder: Path) -> "Files":
        """The files of another folder."""
        ...


class HasVcs(Protocol):
    @property
    def vcs(self) -> "Vcs": ...


class HasMerges(Protocol):
    @property
    def merges(self) -> "Merges": ...


class HasLedger(Protocol):
    @property
    def ledger(self) -> "Ledger": ...


class HasStoredFiles(Protocol):
    """What Cairn stores, as it lies there."""

    @property
    def stored_files(self) -> "StoredFiles": ...

    @property
    def ledger_files(self) -> "LedgerFiles": ...


class HasLocks(Protocol):
    @property
    def locks(self) -> "Locks":
        """Of the workspace: one who captures a session, one who curates."""
        ...

    @property
    def repository_locks(self) -> "Locks":
        """Of all work trees together: they share the place where requests live."""
        ...


class HasLedgerIndex(Protocol):
    def index_ledger(self) -> int:
        """Reads what is new in the ledger into the store; how many events were new."""
        ...


class HasStore(Protocol):
    @property
    def store(self) -> "Store": ...


class HasStoreLocation(Protocol):
    @property
    def store_location(self) -> Path | str: ...


class HasScan(Protocol):
    def scanned_store(self) -> "Store": ...

    def update_graph(self) -> str | None:
        """Scans what changed, and leaves no other trace. Why that was not possible, where it was not: whoever asks for
        knowledge shall not go without because somebody else writes."""
        ...


class HasPageSearch(Protocol):
    def similar_pages(self, wordings: Sequence[str], kinds: Sequence[str], most: int) -> list[str]:
        """Paths of pages of these kinds, the best first: as `cairn search` ranks them for a text in one wording or
        several, with synonyms and words of other languages."""
        ...


class HasQuestions(Protocol):
    def waiting_line(self, only: Sequence[str] = ()) -> str:
        """What is waiting to be read, in words; empty for nothing."""
        ...

    def waiting_counts(self) -> dict[str, int]:
        """The same by question."""
        ...

    def read_waiting(self, most: int) -> int:
        """Has so many questions answered at most, and uses the answers; returns how many were answered."""
        ...


class HasRegistry(Protocol):
    @property
    def registry(self) -> "Registry": ...


class HasCorpora(Protocol):
    @property
    def corpora(self) -> "tuple[Corpus, ...]": ...


class HasForge(Protocol):
    @property
    def forge(self) -> "Forge": ...

    def main_branch(self) -> str:
        """The main line, as git knows it; no forge is asked."""
        ...


class HasFetcher(Protocol):
    @property
    def fetcher(self) -> "Fetcher": ...


class HasBlobs(Protocol):
    @property
    def blobs(self) -> "Blobs": ...


class HasWorkers(Protocol):
    @property
    def workers(self) -> "Workers": ...


class HasProbe(Protocol):
    @property
    def probe(self) -> "Probe": ...


class HasTokenizer(Protocol):
    @property
    def tokenizer(self) -> "Tokenizer | None": ...


class HasTelemetry(Protocol):
    @property
    def telemetry(self) -> "Telemetry | None": ...


class CanBeClosed(Protocol):
    def close(self) -> None: ...


class WorksInMemory(Protocol):
    """A command that only reads goes on in memory where the database can't be written."""

    @property
    def works_in_memory(self) -> bool: ...

    def move_to_memory(self, why: str) -> bool: ...


class CorePorts(HasRoot, HasClock, HasLedger, Protocol):
    """What recording an event needs of the application."""
