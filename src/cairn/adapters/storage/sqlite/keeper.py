"""Looking after an SQLite file, also one that cannot be opened."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from cairn.adapters.storage.sql.database import migrations, refuse_newer
from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.database import MIGRATIONS, problem, sentences
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.ports.store import SchemaStep, Shell
from cairn.errors import CannotWrite, StoreCorrupt, StoreLocked

_BESIDE = ("", "-wal", "-shm", "-journal")
"""The database, and what SQLite keeps next to it."""


class SqliteKeeper:
    suffix = ".db"

    def __init__(self, path: Path, *, now_ms: Callable[[], int], timeout: float = 2.0) -> None:
        self._path = path
        self._now_ms = now_ms
        self._timeout = timeout

    @property
    def label(self) -> str:
        return str(self._path)

    def exists(self) -> bool:
        return self._path.exists()

    def version(self) -> int:
        return _version(self._path) if self.exists() else 0

    def steps(self) -> Sequence[SchemaStep]:
        return [SchemaStep(m.version, m.name) for m in migrations(MIGRATIONS)]

    def open(self) -> SqlStore:
        return open_sqlite(self._path, now_ms=self._now_ms(), timeout=self._timeout)

    def inspect(self, backup: Path) -> int:
        try:
            version, ours, wrong = _inspected(backup)
        except sqlite3.DatabaseError as error:
            version, ours, wrong = 0, False, str(error)
        if wrong:
            raise StoreCorrupt(f"`{backup}` is damaged, or no database at all ({wrong}); choose another backup.")
        if not ours or version == 0:
            raise StoreCorrupt(f"`{backup}` is no backup of Cairn's; `cairn db backup` writes one.")
        refuse_newer(version, MIGRATIONS)
        return version

    def restore(self, backup: Path) -> str | None:
        """Beside first, then by renaming: whoever looks sees the old database or the new one."""
        fresh = self._path.with_name(f"{self._path.name}.restoring")
        with _files(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(backup, fresh)
                open_sqlite(fresh, now_ms=self._now_ms()).close()
                _to_one_file(fresh, self._timeout)
                before = self._set_aside()
                os.replace(fresh, self._path)
            finally:
                _remove(fresh)
        return before

    def _set_aside(self) -> str | None:
        """Give the database that is there a second name, under which it stays."""
        if not self.exists():
            return None
        kept = self._path.with_name(f"{self._path.name}.before-restore")
        self._quiet()
        _remove(kept)
        for more in _BESIDE[1:]:
            if os.path.exists(f"{self._path}{more}"):
                os.rename(f"{self._path}{more}", f"{kept}{more}")
        os.link(self._path, kept)
        return str(kept)

    def _quiet(self) -> None:
        """Everything into the one file, which nobody else has open; a damaged one is left as it is."""
        try:
            _to_one_file(self._path, self._timeout)
        except StoreLocked:
            raise StoreLocked(
                f"Another process has `{self._path}` open; end it (a server or a watch?), then try again."
            ) from None
        except (StoreCorrupt, CannotWrite):
            return

    def erase(self) -> list[str]:
        gone = self.parts()
        if self.exists():
            self._quiet()
        with _files(self._path):
            _remove(self._path)
        return gone

    def parts(self) -> list[str]:
        return [f"{self._path}{more}" for more in _BESIDE if os.path.lexists(f"{self._path}{more}")]

    def shell(self) -> Shell:
        return Shell(("sqlite3", str(self._path)), {})


def _inspected(path: Path) -> tuple[int, bool, str]:
    """(schema, whether it is one of ours, what is wrong with it)"""
    with closing(_read_only(path)) as connection:
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'config_schema_versions'").fetchone()
    return int(version), ours is not None, "" if said == "ok" else str(said)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0)


def _version(path: Path) -> int:
    with sentences(str(path)), closing(sqlite3.connect(path, timeout=0)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _to_one_file(path: Path, timeout: float) -> None:
    """Without the write-ahead log. That needs the file for itself, so it fails while anybody has it open."""
    with closing(sqlite3.connect(path, timeout=timeout)) as connection:
        try:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.Error as error:
            raise problem(error, str(path)) from error
    if mode != "delete":
        raise StoreLocked


def _remove(path: Path) -> None:
    for more in _BESIDE:
        Path(f"{path}{more}").unlink(missing_ok=True)


@contextmanager
def _files(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CannotWrite(f"`{path}` cannot be written: {why}.") from error
