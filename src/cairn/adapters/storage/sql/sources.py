"""What is remembered about sources on the web, in any database that speaks the shared queries."""

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.sources import AttemptRow, AuditRow, SourceRow, SourceTextRow, UrlCheckRow

_SOURCES = "key, " + ", ".join(SourceRow._fields)
_TEXTS = "key, " + ", ".join(SourceTextRow._fields)
_LINKS = "key, " + ", ".join(UrlCheckRow._fields)
_ATTEMPTS = "key, " + ", ".join(AttemptRow._fields)


class SqlSources:
    def __init__(self, database: Database) -> None:
        self._db = database

    def sources(self) -> list[SourceRow]:
        return [SourceRow(*row) for row in self._db.rows("sources")]

    def texts(self) -> list[SourceTextRow]:
        return [SourceTextRow(*row) for row in self._db.rows("source_texts")]

    def keep_sources(self, rows: Sequence[SourceRow], texts: Sequence[SourceTextRow] = ()) -> None:
        with self._db.writing():
            self._replace("drop_sources", "state_sources", _SOURCES, {row_key(r.url, r.anchor): r for r in rows})
            self._replace("drop_source_texts", "state_source_texts", _TEXTS, {_text_key(text): text for text in texts})

    def drop_texts(self, rows: Collection[SourceTextRow]) -> None:
        with self._db.writing():
            self._db.run("drop_source_texts", {"keys": [_text_key(row) for row in rows]})

    def links(self) -> list[UrlCheckRow]:
        return [UrlCheckRow(url, bool(ok), *rest) for url, ok, *rest in self._db.rows("links_checked")]

    def keep_links(self, rows: Sequence[UrlCheckRow]) -> None:
        with self._db.writing():
            kept = {row_key(row.url): (row.url, int(row.ok), *row[2:]) for row in rows}
            self._replace("drop_links_checked", "state_links", _LINKS, kept)

    def attempts(self) -> list[AttemptRow]:
        return [AttemptRow(*row) for row in self._db.rows("attempts")]

    def keep_attempts(self, rows: Sequence[AttemptRow]) -> None:
        with self._db.writing():
            self._replace("drop_attempts", "state_attempts", _ATTEMPTS, {row_key(row.path): row for row in rows})

    def forget_attempts(self, paths: Collection[str]) -> None:
        with self._db.writing():
            self._db.run("drop_attempts", {"keys": [row_key(path) for path in paths]})

    def audits(self) -> list[AuditRow]:
        return [AuditRow(*row) for row in self._db.rows("audits")]

    def keep_audits(self, rows: Sequence[AuditRow]) -> None:
        with self._db.writing():
            kept = {row.key: row[1:] for row in rows}
            self._replace("drop_audits", "state_audits", ", ".join(AuditRow._fields), kept)

    def forget_audits(self, keys: Collection[str]) -> None:
        with self._db.writing():
            self._db.run("drop_audits", {"keys": list(keys)})

    def _replace(self, drop: str, table: str, columns: str, rows: dict[str, Any]) -> None:
        """Of several rows with one key the last counts."""
        if rows:
            self._db.run(drop, {"keys": list(rows)})
            self._db.insert(table, columns, ((key, *row) for key, row in rows.items()))


def row_key(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _text_key(row: SourceTextRow) -> str:
    return row_key(row.url, row.anchor, str(row.canon), row.hash)
