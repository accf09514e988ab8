"""Opens a store on SQLite: a file, memory, or a copy in memory where the file cannot be written."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.database import SqliteDatabase, sentences


def open_sqlite(path: Path | str, *, now_ms: int, timeout: float = 10.0) -> SqlStore:
    """A file, or `:memory:`. Made when missing, migrated when old, refused when newer or damaged."""
    return SqlStore(SqliteDatabase.open(path, now_ms=now_ms, timeout=timeout))


ROOM: Final = 4 * 1024 * 1024
"""Bytes. With less free space, writing what a scan found may fail halfway."""


def why_not_writable(path: Path) -> str:
    """Why nothing can be written there, as far as the file system tells; empty when it tells nothing."""
    place = path if path.exists() else next(folder for folder in path.parents if folder.exists())
    if not os.access(place, os.W_OK) or not os.access(place if place.is_dir() else place.parent, os.W_OK):
        return f"`{path}` cannot be written"
    space = os.statvfs(place)
    if space.f_bavail * space.f_frsize < ROOM:
        return f"the disk with `{path}` is full"
    return ""


def open_copy(path: Path, *, now_ms: int) -> SqlStore:
    """What the file has, in memory and of the newest schema; empty where there is no file."""
    with sentences(str(path)):
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            if path.exists():
                _copy(path, connection)
            return SqlStore(SqliteDatabase.prepared(connection, str(path), now_ms=now_ms))
        except BaseException:
            connection.close()
            raise


def _copy(path: Path, into: sqlite3.Connection) -> None:
    for number, address in enumerate(_addresses(path)):
        try:
            with closing(sqlite3.connect(address, uri=True)) as source:
                size = source.execute("PRAGMA page_size").fetchone()[0]
                into.execute(f"PRAGMA page_size = {size}")
                source.backup(into)
            return
        except sqlite3.OperationalError:
            if number:
                raise


def _addresses(path: Path) -> Iterator[str]:
    """First with the write-ahead log, which needs its files beside the database; then without."""
    for option in ("mode=ro", "immutable=1"):
        yield f"file:{quote(str(path))}?{option}"


def open_memory(*, now_ms: int = 0) -> SqlStore:
    return open_sqlite(":memory:", now_ms=now_ms)
