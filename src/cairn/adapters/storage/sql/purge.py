"""Rows that hold something, in any of their texts; and a database without a trace of what was deleted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.adapters.storage.sql.database import Database
from cairn.adapters.storage.sql.session import CACHED, DERIVED, INDEXED, KEPT
from cairn.core.ports.ledger import Holds

_PLUGIN_VALUES: Final = "state_plugin_values"
_KEYS: Final = {
    "state_renames": "id",
    "state_orphans": "path",
    "state_favorites": "path",
    "state_sources": "key",
    "state_source_texts": "key",
    "state_links": "key",
    "state_attempts": "key",
    "state_audits": "key",
    "state_findings": "id",
    "state_jobs": "id",
    "state_job_contents": "content_hash",
    "state_executions": "id",
}
"""Of the tables that are kept: the first column, by which a row is deleted."""


class SqlPurge:
    def __init__(self, database: Database) -> None:
        self._db = database

    def holding(self, holds: Holds) -> Mapping[str, int]:
        counts = {table: sum(1 for _ in self._held(table, holds)) for table in _ALL}
        return {table: count for table, count in counts.items() if count}

    def outdated_texts(self) -> int:
        rows, live = next(iter(self._db.rows("text_counts")))
        return max(0, int(rows) - int(live))

    def total(self) -> int:
        return sum(1 for table in _ALL for _ in self._db.table(table))

    def drop(self, holds: Holds) -> int:
        gone = 0
        with self._db.writing():
            for table in KEPT:
                rows = list(self._held(table, holds))
                gone += len(rows)
                if table == _PLUGIN_VALUES:
                    names = ("plugin", "path", "key")
                    self._db.each("drop_plugin_value", [dict(zip(names, row, strict=False)) for row in rows])
                elif rows:
                    self._db.delete_where(table, _KEYS[table], [row[0] for row in rows])
        return gone

    def wipe(self) -> None:
        self._db.wipe()

    def _held(self, table: str, holds: Holds) -> Iterator[Sequence[Any]]:
        return (row for row in self._db.table(table) if holds(b"\n".join(_bytes(value) for value in row)))


_ALL: Final = (*DERIVED, *CACHED, *INDEXED, *KEPT)


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    return b"" if value is None else str(value).encode("utf-8", "surrogatepass")
