"""A workspace for a replay: repository, store, ledger and web live in memory, and no disk and no network is used."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.forge.memory import MemoryForge
from cairn.app.build import App
from cairn.config.load import load
from cairn.core.ports.runtime import FileWalk, FoundFile, Here, NameEndings, ReadFailed, WalkRequest
from cairn.core.ports.vcs import Change, Commit
from cairn.errors import UsageError
from cairn.freshness.replay.world import PlayedWeb

if TYPE_CHECKING:
    from cairn.core.ports.ledger import Ledger
    from cairn.core.ports.runtime import Blobs

CORPUS = "knowledge"
_SETTINGS = {f"corpora.{CORPUS}.root": CORPUS, f"corpora.{CORPUS}.layout": "entries", "scan.tokenize": False}
_NOWHERE = Path("/a workspace in memory")
_NAMES = ("main", "refs/heads/main", "HEAD")


class PlayedTree:
    """The base branch of a forge in memory, seen as files and as history. Nobody has edits of their own in it."""

    def __init__(self, forge: MemoryForge, clock: SettableClock) -> None:
        self._forge, self._clock = forge, clock
        self._history: list[Commit] = []
        self._inodes: dict[tuple[str, bytes], int] = {}

    # --- history ---------------------------------------------------------------------------------------------------

    def note(self) -> None:
        """Remember when the branch came to be what it is; whoever moves it calls this."""
        if not self._history or self._history[0].id != self._forge.tip:
            self._history.insert(0, Commit(self._forge.tip, self._clock.now_ms()))

    def root(self) -> str | None:
        return str(_NOWHERE)

    def tracked(self, paths: Sequence[str]) -> tuple[str, ...]:
        return ()

    def resolve(self, rev: str) -> str:
        if rev in _NAMES:
            return self._forge.tip
        if rev not in self._forge.commits:
            raise UsageError(f"There is no revision `{rev}` in this repository.", revision=rev)
        return rev

    def start(self, rev: str) -> str:
        return self.resolve(rev)

    def common(self, one: str, other: str) -> str:
        return other

    def files(self, rev: str) -> tuple[str, ...]:
        return tuple(sorted(self._forge.files(rev)))

    def changed(self, old: str, new: str | None = None) -> tuple[Change, ...]:
        before, after = self._forge.files(old), self._forge.files(new)
        gone = [Change("removed", path) for path in before.keys() - after.keys()]
        came = [Change("added", path) for path in after.keys() - before.keys()]
        other = [Change("changed", p) for p in before.keys() & after.keys() if before[p] != after[p]]
        return tuple(sorted([*gone, *came, *other], key=lambda change: change.path))

    def show(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        known = {rev: self._forge.files(self.resolve(rev)) for rev in {rev for rev, _ in wanted}}
        return [known[rev].get(path) for rev, path in wanted]

    def grep(self, rev: str | None, words: Sequence[str]) -> list[tuple[str, str]]:
        files = self._forge.files(rev and self.resolve(rev)).items()
        lines = ((path, line) for path, data in files for line in data.decode("utf-8", "replace").split("\n"))
        return [(path, line) for path, line in lines if any(word in line for word in words)]

    def versions(self, path: str, *, limit: int = 50) -> tuple[Commit, ...]:
        contents = [self._forge.files(commit.id).get(path) for commit in self._history] + [None]
        pairs = zip(self._history, contents, contents[1:], strict=False)
        return tuple(commit for commit, now, before in pairs if now != before)[:limit]

    # --- files -----------------------------------------------------------------------------------------------------

    def walk(self, request: WalkRequest) -> FileWalk:
        files, ending = self._forge.files(), NameEndings.of(request.suffixes)
        found = [self._found(path, files[path]) for path in sorted(files) if ending.fits(path.lower())]
        return FileWalk(found, ())

    def read(self, path: str) -> tuple[bytes, FoundFile]:
        data = self._forge.files().get(path)
        if data is None:
            raise ReadFailed("file-vanished", f"{path} is gone.")
        return data, self._found(path, data)

    def exists(self, path: str) -> bool:
        return any(known == path or known.startswith(f"{path}/") for known in self._forge.files())

    def ignored(self, path: str, request: WalkRequest) -> bool:
        return False

    def _found(self, path: str, data: bytes) -> FoundFile:
        """Another content is another file; the same one again is the file that it was."""
        inode = self._inodes.setdefault((path, data), len(self._inodes) + 1)
        return FoundFile(path, len(data), inode, inode)


class PlayedApp(App):
    """The application with everything outside of it replaced; what it does is what it always does."""

    def __init__(self, files: Mapping[str, bytes], web: PlayedWeb, clock: SettableClock, **settings: object) -> None:
        given = load(_NOWHERE, env={}, flags={**_SETTINGS, **settings}, tracked=lambda _: ())
        super().__init__(_NOWHERE, given, env={}, clock=clock, installed=False)
        self.repository = MemoryForge(files)
        self.tree = PlayedTree(self.repository, clock)
        self.tree.note()
        self.web = web
        self.time = clock

    @property
    def store_location(self) -> Path | str:
        return "memory"

    def open_store(self) -> Any:
        from cairn.adapters.storage.sqlite.store import open_memory

        return open_memory(now_ms=self.clock.now_ms())

    @cached_property
    def files(self) -> Any:
        return self.tree

    @cached_property
    def vcs(self) -> Any:
        return self.tree

    @cached_property
    def forge(self) -> Any:
        return self.repository

    @cached_property
    def fetcher(self) -> PlayedWeb:
        return self.web

    @cached_property
    def ledger(self) -> "Ledger":
        from cairn.adapters.ledger.memory import MemoryLedger

        return MemoryLedger()

    @cached_property
    def blobs(self) -> "Blobs":
        from cairn.adapters.blobs.memory import MemoryBlobs

        return MemoryBlobs(self.time)

    @cached_property
    def workers(self) -> Any:
        return Here()


def open_played(files: Mapping[str, bytes], web: PlayedWeb, start_ms: int) -> PlayedApp:
    return PlayedApp(files, web, SettableClock(start_ms))
