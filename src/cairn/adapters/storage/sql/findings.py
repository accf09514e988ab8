"""Findings of the last audits, in any database that speaks the shared queries."""

from collections.abc import Collection, Sequence

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.observe import FindingRow

_COLUMNS = ", ".join(FindingRow._fields)


class SqlFindings:
    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> list[FindingRow]:
        return [FindingRow(*row) for row in self._db.rows("findings")]

    def replace(self, lenses: Collection[str], rows: Sequence[FindingRow]) -> None:
        with self._db.writing():
            self._db.run("drop_findings", {"lenses": list(lenses), "ids": [row.id for row in rows]})
            self._db.insert("state_findings", _COLUMNS, rows)
