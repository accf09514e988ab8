"""A workspace to rehearse in: reads are those of the real one, and whatever is written goes when it is closed."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from cairn.app.build import App
from cairn.core.paths import SNAPSHOTS
from cairn.core.ports.jobs import ExecutionFilter
from cairn.core.ports.ledger import Ledger, LedgerFile

if TYPE_CHECKING:
    from cairn.core.model.event import BadLine, Event
    from cairn.core.ports.ledger import LedgerBlock
    from cairn.core.ports.runtime import BlobInfo, Blobs


class Rehearsal(App):
    """The database is a copy, snapshots stay in memory, the ledger hears nothing."""

    def __init__(self, app: App) -> None:
        self.__dict__.update(app.__dict__)
        self._real = app
        self._folder = Path(mkdtemp(prefix="cairn-"))

    @property
    def store_location(self) -> Path | str:
        return self._folder / "cairn.db"

    @cached_property
    def store(self) -> Any:
        """Files are copied and not opened: even a look at a database can leave traces beside it."""
        real = self._real.store_location
        if isinstance(real, str):
            return self._remembering()
        for name in (real.name, f"{real.name}-wal"):
            if (file := real.with_name(name)).is_file():
                shutil.copyfile(file, self._folder / name.replace(real.name, "cairn.db"))
        return self.open_store()

    def _remembering(self) -> Any:
        store, known = self.open_store(), self._real.store.web
        store.web.keep_sources(known.sources(), known.texts())
        store.web.keep_links(known.links())
        store.web.keep_attempts(known.attempts())
        store.web.keep_audits(known.audits())
        for row in self._real.store.jobs.executions(ExecutionFilter()):
            store.jobs.add_execution(row)
        return store

    @cached_property
    def blobs(self) -> "Blobs":
        from cairn.adapters.blobs.files import FileBlobs

        return _Over(FileBlobs(self.root / SNAPSHOTS))

    @cached_property
    def ledger(self) -> Ledger:
        return _Deaf(self._real.ledger)

    def close(self) -> None:
        super().close()
        self._real.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class _Over:
    """New contents in memory, above those that are kept."""

    def __init__(self, below: "Blobs") -> None:
        self._below = below
        self._new: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        from hashlib import sha256

        key = f"sha256:{sha256(data).hexdigest()}"
        self._new[key] = data
        return key

    def get(self, key: str) -> bytes | None:
        return self._new.get(key) or self._below.get(key)

    def keys(self) -> list[str]:
        return sorted({*self._new, *self._below.keys()})

    def entries(self) -> "list[BlobInfo]":
        return self._below.entries()

    def drop(self, keys: list[str]) -> int:
        return sum(self._new.pop(key, None) is not None for key in keys)


class _Deaf:
    """Tells what is in the real ledger, and takes nothing in."""

    def __init__(self, real: Ledger) -> None:
        self._real = real

    def files(self, *, collected: bool = False) -> list[LedgerFile]:
        return self._real.files(collected=collected)

    def read(self, name: str, offset: int = 0) -> "Iterator[tuple[int, Event | BadLine]]":
        return self._real.read(name, offset)

    def blocks(self, name: str, offset: int = 0, *, inode: int | None = None) -> "Iterator[LedgerBlock]":
        return self._real.blocks(name, offset, inode=inode)

    def lines_at(self, places: Sequence[tuple[str, int]]) -> "Iterator[bytes]":
        return self._real.lines_at(places)

    def append(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str:
        return ""

    def append_all(self, events: Sequence[tuple[str, Mapping[str, Any]]], *, now_ms: int) -> list[str]:
        return [""] * len(events)

    def mention(self, kind: str, payload: Mapping[str, Any], *, now_ms: int) -> str | None:
        return None
