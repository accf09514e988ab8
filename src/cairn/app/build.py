"""The application: one workspace with its settings, its store and its plugins."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cairn.adapters.clock.system import SystemClock
from cairn.adapters.files.local import LocalFiles
from cairn.app.adapters_of_root import AdaptersOfRoot
from cairn.app.trust_evidence import TrustEvidence
from cairn.config.load import by_git, load
from cairn.config.settings import LayeredSettings
from cairn.core.extension_points import Plugin
from cairn.core.model.knowledge import Corpus
from cairn.core.paths import DATABASE, LEDGER, SNAPSHOTS
from cairn.core.ports.ledger import Ledger
from cairn.core.ports.runtime import Clock, Files, Here, Tokenizer, Workers
from cairn.core.ports.store import Store
from cairn.core.ports.vcs import Vcs
from cairn.core.registry import ExtensionSwitches, PluginProblem, Registry, build_registry
from cairn.core.switches import read_switches
from cairn.errors import CairnError, CannotWrite, NotInitialised
from cairn.extensions import BUILT_INS
from cairn.graph.scan_request import ScanRequest
from cairn.knowledge.base import ALLOWLIST, KnowledgeBase

if TYPE_CHECKING:
    from cairn.adapters.faults.moments import Moments
    from cairn.capture.ledger_memory import LedgerMemory
    from cairn.changes.gate import KnownSources
    from cairn.core.ports.forge import Forge
    from cairn.core.ports.process import ShellResult
    from cairn.core.ports.runtime import Blobs, Telemetry
    from cairn.core.ports.search import Embedder
    from cairn.core.ports.sources import Fetcher
    from cairn.core.ports.turns import SessionLogs, Transcripts
    from cairn.jobs.action import JobAction

POSTGRES = ("postgresql://", "postgres://")
Port = TypeVar("Port")


class App(AdaptersOfRoot, TrustEvidence):
    """Everything is made when it is first asked for: most commands need little of it."""

    def __init__(
        self,
        root: Path,
        settings: LayeredSettings,
        *,
        env: Mapping[str, str],
        clock: Clock | None = None,
        store: Store | None = None,
        plugins: Sequence[Plugin] | None = None,
        built_ins: bool = True,
        installed: bool = True,
        in_memory: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(root, env, clock or SystemClock())
        self.settings = settings
        self._plugins = plugins
        self._built_ins = built_ins
        self._installed = installed
        self._in_memory = in_memory
        """Of a command that only reads. Called with the reason where the database cannot be written."""
        self.works_in_memory = False
        if store is not None:
            self.store = store
        if "CAIRN_FAULT" in env:
            self._moments  # noqa: B018 - counts from here on, also where no port is called

    def settings_at(self, read: Callable[[str], bytes | None]) -> LayeredSettings:
        """With the committed files of another revision."""
        from cairn.config.load import settings_at

        return settings_at(self.settings, read)

    def write_setting(self, name: str, text: str, *, local: bool = False) -> bool:
        """Sets a key in a settings file, in the text that a person would type; whether the file changed."""
        from cairn.changes.write import write_file
        from cairn.config.edit import set_value

        return set_value(self.root, name, text, local, write_file=write_file).changed

    @cached_property
    def files(self) -> Files:
        return self._counted("files", LocalFiles(self.root))

    @cached_property
    def vcs(self) -> Vcs:
        from cairn.adapters.vcs.git import Git

        return self._counted("vcs", Git(self.root))

    @cached_property
    def ledger(self) -> Ledger:
        from cairn.adapters.ledger.jsonl import JsonlLedger

        return self._counted("ledger", JsonlLedger(self.root / LEDGER))

    def db_schema(self) -> int:
        """The number of the newest migration that this Cairn knows."""
        from cairn.app.versions import db_schema

        return db_schema()

    @cached_property
    def forge(self) -> "Forge":
        """Where change requests live: in the repository itself, unless the operator says otherwise."""
        from cairn.app.choose_forge import forge_of

        return self._counted("forge", forge_of(self))

    def main_branch(self) -> str:
        """The main line, as git knows it; no forge is asked."""
        from cairn.adapters.forge.local.forge import LocalForge

        return LocalForge(self.root, base=self.settings.optional_text("change.base")).base_branch()

    @cached_property
    def tokenizer(self) -> Tokenizer | None:
        """None when the settings say that tokens are not to be counted."""
        if not self.settings.flag("scan.tokenize"):
            return None
        from cairn.adapters.tokens.bpe import bpe_tokens
        from cairn.lib.text.estimate_tokens import EstimatedTokens

        return bpe_tokens(self.settings.text("scan.tokenizer")) or EstimatedTokens()

    @cached_property
    def workers(self) -> Workers:
        return choose_workers(8)

    # --- faults --------------------------------------------------------------------------------------------------

    def _counted(self, name: str, port: Port) -> Port:
        """The port itself, unless somebody tests what a death at any call of it leaves."""
        if "CAIRN_FAULT" not in self.env:
            return port
        from cairn.adapters.faults.moments import counted

        return counted(name, port, self._moments)

    @cached_property
    def _moments(self) -> "Moments":
        from cairn.adapters.faults.moments import LOG, VARIABLE, armed

        return armed(self.env[VARIABLE], self.env.get(LOG))

    # --- store ---------------------------------------------------------------------------------------------------

    @property
    def store_location(self) -> Path | str:
        """A path of an SQLite file, or the address of a PostgreSQL database."""
        url = self.settings.optional_text("store.url")
        if url is None:
            return self.root / DATABASE
        return url if url.startswith(POSTGRES) else Path(url)

    def open_store(self) -> Store:
        location = self.store_location
        if isinstance(location, str):
            from cairn.adapters.storage.postgres.store import open_postgres

            return open_postgres(location, workspace=str(self.root.resolve()), now_ms=self.clock.now_ms())
        from cairn.adapters.storage.sqlite.store import open_sqlite

        if why := self._why_not_writable(location):
            return self._copied(location, why)
        try:
            return open_sqlite(location, now_ms=self.clock.now_ms())
        except CannotWrite as error:
            if self._in_memory is None or (location.exists() and not location.is_file()):
                raise
            return self._copied(location, error.message.partition(";")[0])

    def _why_not_writable(self, location: Path) -> str:
        if self._in_memory is None:
            return ""
        from cairn.adapters.storage.sqlite.store import why_not_writable

        return why_not_writable(location)

    def _copied(self, location: Path, why: str) -> Store:
        from cairn.adapters.storage.sqlite.store import open_copy

        copy = open_copy(location, now_ms=self.clock.now_ms())
        if self._in_memory is not None and not self.works_in_memory:
            self._in_memory(f"{why}; this run works in memory and stores nothing")
        self.works_in_memory = True
        return copy

    def move_to_memory(self, why: str) -> bool:
        """Goes on with a copy, where this command only reads and the database turned out to be unwritable."""
        location = self.store_location
        if self._in_memory is None or self.works_in_memory or not isinstance(location, Path):
            return False
        self.store.close()
        self.store = self._copied(location, why.partition(";")[0])
        return True

    @cached_property
    def store(self) -> Store:
        return self._counted("store", self.open_store())

    def index_ledger(self) -> int:
        """Reads what is new in the ledger into the store; how many events were new."""
        from cairn.app.projections import index_all

        return index_all(self.ledger, self.store, choose_workers)

    def scanned_store(self) -> Store:
        """The store, provided that there is a graph in it."""
        location = self.store_location
        missing = isinstance(location, Path) and not location.exists()
        if missing and not (isinstance(location, Path) and self._why_not_writable(location)):
            raise _not_scanned()
        if not self.store.meta():
            if not self.works_in_memory:
                raise _not_scanned()
            from cairn.graph.run_scan import run_scan

            run_scan(self, self.scan_request(), take_first=True, remember=False)
        return self.store

    def update_graph(self) -> str | None:
        """Scans what changed, and leaves no other trace. Why that was not possible, where it was not."""
        from cairn.graph.run_scan import run_scan

        try:
            run_scan(self, self.scan_request(), take_first=True, remember=False)
        except CairnError as error:
            return error.message
        return None

    def close(self) -> None:
        if "store" in self.__dict__:
            self.store.close()
        if self.__dict__.get("telemetry") is not None:
            self.__dict__["telemetry"].close()

    # --- turns ---------------------------------------------------------------------------------------------------

    @cached_property
    def turn_memory(self) -> "LedgerMemory":
        """What turns said before."""
        from cairn.capture.ledger_memory import LedgerMemory

        return LedgerMemory(self)

    @cached_property
    def telemetry(self) -> "Telemetry | None":
        """None unless the operator wants it."""
        kind = self.settings.text("capture.telemetry")
        if kind == "off":
            return None
        from cairn.adapters.telemetry.otel import open_telemetry
        from cairn.version import __version__

        return open_telemetry(kind, self.env, version=__version__)

    # --- sessions ------------------------------------------------------------------------------------------------

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of these local files that git tracks."""
        return by_git(self.root)(paths)

    def session_logs(self) -> "SessionLogs":
        """In `.cairn`, or with the logs of an older knowledge base, where there is one."""
        from cairn.adapters.sessions.files import FileSessions
        from cairn.core.session_log import session_folder

        return FileSessions(self.root, session_folder(self))

    @cached_property
    def transcripts(self) -> "Transcripts":
        from cairn.adapters.transcripts.of_hosts import HostTranscripts

        return HostTranscripts(self.env, self.root)

    # --- programs ------------------------------------------------------------------------------------------------

    def run_shell(
        self, line: str, *, stdin: bytes, cwd: str, env: Mapping[str, str], seconds: float = 15.0
    ) -> "ShellResult":
        from cairn.adapters.process.shell import run_shell

        return run_shell(line, stdin=stdin, cwd=cwd, env=env, seconds=seconds)

    def tell_program(self, command: str, text: str, *, env: Mapping[str, str]) -> str:
        """Gives a program text on its standard input. Empty when it ended well, else why not."""
        from cairn.adapters.process.told import tell_program

        return tell_program(command, text, env=env, folder=self.root)

    # --- the web -------------------------------------------------------------------------------------------------

    @cached_property
    def fetcher(self) -> "Fetcher":
        """Guarded, and with what the operator's environment allows beyond that."""
        from cairn.app.web_fetcher import web_fetcher

        return web_fetcher(self.env)

    # --- models --------------------------------------------------------------------------------------------------

    def embedder(self, *, seconds: float = 60.0) -> "Embedder | None":
        """None when the operator wants none, which is usual. A program has so long for one answer."""
        from cairn.app.choose_embedder import choose_embedder

        return choose_embedder(self.settings, env=self.env, folder=self.root, seconds=seconds)

    @cached_property
    def blobs(self) -> "Blobs":
        from cairn.adapters.blobs.files import FileBlobs

        return self._counted("blobs", FileBlobs(self.root / SNAPSHOTS))

    # --- gates ---------------------------------------------------------------------------------------------------

    @property
    def gates(self) -> tuple[str, ...]:
        from cairn.app.gates import GATES

        return GATES

    def known_sources(self) -> "KnownSources":
        """As they are known now: what gates may ask about sources."""
        from cairn.freshness.gates.source_gates import StoredSources

        return StoredSources(self)

    # --- knowledge -----------------------------------------------------------------------------------------------

    @cached_property
    def corpora(self) -> tuple[Corpus, ...]:
        """As the settings say; where they say nothing, as the files show."""
        from cairn.core.paths import COMMITTED
        from cairn.knowledge.corpora import configured, detected, must_be_folders, with_first_pages, with_forms

        found = configured(self.settings)
        must_be_folders(found, lambda folder: (self.root / folder).is_file())
        found = found or detected(self.files, self.scan_request().walk(()))
        if (self.root / COMMITTED).exists():
            found = with_first_pages(found, self.files.exists)
        return with_forms(found, self.files.exists)

    @cached_property
    def knowledge(self) -> KnowledgeBase:
        """The corpora that are there, and the list of hosts that may be cited."""
        from cairn.knowledge.corpora import text_of

        there = tuple(corpus for corpus in self.corpora if not corpus.root or self.files.exists(corpus.root))
        own = text_of(self.files, ALLOWLIST) if there and self.files.exists(ALLOWLIST) else ""
        return KnowledgeBase(there, self._listed(own) if there else "")

    def _listed(self, own: str) -> str:
        """Most workspaces have a list of their own or want none; nothing is imported for those."""
        setting = self.settings.text("freshness.allowlist")
        if setting == "file":
            return own
        from cairn.knowledge.allowlist import text_in_use

        return text_in_use(setting, own)

    # --- plugins -------------------------------------------------------------------------------------------------

    @cached_property
    def registry(self) -> Registry:
        with redirect_stdout(sys.stderr):  # what a plugin prints when it is imported is no data of ours
            plugins, problems = self._known_plugins()
            registry = build_registry(
                plugins, load=import_module, switches=self._switches(), knowledge=lambda: self.knowledge
            )
        return Registry(registry.plugins, registry.extensions, (*problems, *registry.problems), tuple(registry.idle))

    def _known_plugins(self) -> tuple[Sequence[Plugin], list[PluginProblem]]:
        if self._plugins is not None:
            return self._plugins, []
        from cairn.adapters.plugins.installed import entry_points, load_installed

        built_in: list[Plugin] = [import_module(name).PLUGIN for name in BUILT_INS] if self._built_ins else []
        installed, problems = load_installed(entry_points()) if self._installed else ([], [])
        return [*built_in, *installed], problems

    def _switches(self) -> ExtensionSwitches:
        chosen: dict[str, Any] = self.settings.mapping("plugins")

        def extension_of(plugin: str, extension: str) -> dict[str, Any]:
            found: dict[str, Any] = chosen.get(plugin, {}).get("extensions", {}).get(extension, {})
            return found

        def enabled(plugin: str, extension: str, default: bool) -> bool:
            own = extension_of(plugin, extension).get("enabled")
            wanted = chosen.get(plugin, {}).get("enabled") if own is None else own
            return default if wanted is None else bool(wanted)

        def settings(plugin: str, extension: str) -> Mapping[str, Any]:
            found: Mapping[str, Any] = extension_of(plugin, extension).get("settings", {})
            return found

        return ExtensionSwitches(enabled, settings, read_switches(self.env).disabled_kinds)

    # --- jobs ----------------------------------------------------------------------------------------------------

    def actions(self) -> "dict[str, JobAction]":
        from cairn.app.questions import load_questions
        from cairn.jobs.action import all_actions

        return all_actions(self.registry, load_questions())

    def waiting_line(self, only: Sequence[str] = ()) -> str:
        from cairn.app.questions import waiting_line

        return waiting_line(self, only)

    def similar_pages(self, wordings: Sequence[str], kinds: Sequence[str], most: int) -> list[str]:
        from cairn.retrieve.similar_pages import similar_pages

        return similar_pages(self, wordings, kinds, most)

    def waiting_counts(self) -> dict[str, int]:
        from cairn.app.questions import waiting

        return {one.action_id: one.jobs for one in waiting(self)}

    def read_waiting(self, most: int) -> int:
        from cairn.app.judging import read_waiting

        return read_waiting(self, most)

    # --- scan ----------------------------------------------------------------------------------------------------

    def scan_request(self, **changes: Any) -> ScanRequest:
        """As the settings say, with what the caller wants otherwise."""
        from cairn.knowledge.corpora import made_documents

        settings = self.settings
        wanted: dict[str, Any] = {
            "roots": settings.texts("scan.roots"),
            "ignore": (*settings.texts("scan.ignore"), *made_documents(settings)),
            "gitignore": settings.flag("scan.gitignore"),
            "strict": settings.flag("scan.strict"),
            "max_file_size": settings.integer("scan.max_file_size_bytes"),
            "max_nodes": settings.optional_integer("scan.max_nodes"),
            "reference_paths": settings.texts("scan.reference_paths"),
        }
        return ScanRequest(**{**wanted, **changes})


def _not_scanned() -> NotInitialised:
    return NotInitialised("Nothing was scanned yet; run `cairn scan` first.")


def choose_workers(most: int = 4) -> Workers:
    """As many as there are cores, where a process can be copied safely: elsewhere than on Linux it cannot."""
    import os

    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if cores < 2:
        return Here()
    from cairn.adapters.process.workers import ForkWorkers

    return ForkWorkers(min(cores, most))


def build_app(
    root: Path,
    *,
    settings: LayeredSettings | None = None,
    env: Mapping[str, str],
    flags: Mapping[str, object] | None = None,
    clock: Clock | None = None,
    plugins: Sequence[Plugin] | None = None,
    tracked: Callable[[Sequence[str]], Sequence[str]] | None = None,
    db: str | None = None,
    built_ins: bool = True,
    installed: bool = True,
    in_memory: Callable[[str], None] | None = None,
) -> App:
    """An application for the workspace at `root`. Tests pass their own clock and plugins through the same door."""
    if settings is None:
        given = {**(flags or {}), **({"store.url": db} if db else {})}
        settings = load(root, env=env, flags=given, tracked=tracked or by_git(root))
    return App(
        root,
        settings,
        env=env,
        clock=clock,
        plugins=plugins,
        built_ins=built_ins,
        installed=installed,
        in_memory=in_memory,
    )
