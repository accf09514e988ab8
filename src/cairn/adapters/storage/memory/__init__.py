"""The store in memory: for tests, for trying a thing out, and for plugin authors.

It is SQLite without a file. A second implementation over dictionaries would have to repeat every query, and would be
the one that nobody runs; this one behaves like the real thing because it is.
"""

from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite


def open_memory(*, now_ms: int = 0) -> SqlStore:
    return open_sqlite(":memory:", now_ms=now_ms)
