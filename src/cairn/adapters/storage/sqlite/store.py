"""Opening a store on SQLite."""

from pathlib import Path

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.database import SqliteDatabase


def open_sqlite(path: Path | str, *, now_ms: int, timeout: float = 10.0) -> SqlStore:
    """A file, or `:memory:`. Made when missing, migrated when old, refused when newer or damaged."""
    return SqlStore(SqliteDatabase.open(path, now_ms=now_ms, timeout=timeout))
