"""Vectors of pages, in any database that speaks the shared queries."""

from collections.abc import Iterator, Sequence

from cairn.adapters.storage.sql.database import Database
from cairn.core.ports.search import PageToEmbed, VectorRow


class SqlVectors:
    def __init__(self, database: Database) -> None:
        self._db = database

    def missing(self, model: str, limit: int) -> list[PageToEmbed]:
        rows = self._db.rows("pages_without_vector", {"model": model, "limit": limit})
        return [PageToEmbed(path, title, about, bytes(body), bytes(front)) for path, title, about, body, front in rows]

    def count_missing(self, model: str) -> int:
        return int(next(iter(self._db.rows("count_pages_without_vector", {"model": model})))[0])

    def keep(self, model: str, rows: Sequence[VectorRow]) -> None:
        with self._db.writing():
            kept = list({row[:2]: (model, *row) for row in rows}.values())  # two pages may say the same
            self._db.add("cache_vectors", "model, body_hash, frontmatter_hash, vector", kept)

    def tidy(self, model: str) -> int:
        with self._db.writing():
            return self._db.run("drop_vectors", {"model": model})

    def all(self, model: str, limit: int) -> Iterator[tuple[str, bytes]]:
        rows = self._db.rows("vectors", {"model": model, "limit": limit})
        return ((path, bytes(vector)) for path, vector in rows)
