"""SQLite as the shared store needs it."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from cairn.adapters.storage.sql.migrate import Migration, migrate
from cairn.adapters.storage.sql.queries import compose
from cairn.errors import CannotWrite, StoreCorrupt, StoreLocked, StoreProblem

MIGRATIONS = Path(__file__).parent / "migrations"
_LIST = re.compile(r"IN \[:(\w+)\]")


@cache
def _sqlite(query: str) -> str:
    """Lists travel as one JSON parameter."""
    return _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", query)


class SqliteDatabase:
    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._focus: frozenset[int] | None = None

    @classmethod
    def open(cls, path: Path | str, *, now_ms: int, timeout: float) -> "SqliteDatabase":
        name = str(path)
        with _sentences(name):
            connection = sqlite3.connect(name, timeout=timeout, isolation_level=None)
            database = cls(connection, name)
            try:
                database._prepare(now_ms)
            except BaseException:
                connection.close()
                raise
        return database

    def _prepare(self, now_ms: int) -> None:
        version = self._version()
        if version == 0:
            # Page size first: it can't be changed once there is anything.
            self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA cache_size = -32768")
        self._connection.execute("PRAGMA temp_store = MEMORY")
        migrate(MIGRATIONS, version, lambda migration: self._apply(migration, now_ms))

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _apply(self, migration: Migration, now_ms: int) -> None:
        with self.writing():
            if self._version() >= migration.version:
                return  # another process was faster
            for statement in statements(migration.sql):
                self._connection.execute(statement)
            row = {"version": migration.version, "name": migration.name, "applied_at_ms": now_ms}
            self.run("add_schema_version", row)
            self._connection.execute(f"PRAGMA user_version = {migration.version}")

    # --- queries -------------------------------------------------------------------------------------------------

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, *, focused: bool = False) -> int:
        with _sentences(self._path):
            return self._connection.execute(_sqlite(compose(query, focused)), _packed(parameters)).rowcount

    def rows(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        focused: bool = False,
        where: str = "",
        order: str = "",
        limit: str = "",
    ) -> Iterator[Sequence[Any]]:
        text = _sqlite(compose(query, focused, where, order, limit))
        with _sentences(self._path):
            yield from self._connection.execute(text, _packed(parameters))

    def each(self, query: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        with _sentences(self._path):
            self._connection.executemany(_sqlite(compose(query)), parameters)

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], *, replace: bool = False) -> None:
        verb = "INSERT OR REPLACE" if replace else "INSERT"
        holes = ", ".join("?" * (columns.count(",") + 1))
        with _sentences(self._path):
            self._connection.executemany(f"{verb} INTO {table} ({columns}) VALUES ({holes})", rows)

    def delete_where(self, table: str, column: str, values: Sequence[Any]) -> None:
        with _sentences(self._path):
            self._connection.execute(
                f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))", (json.dumps(values),)
            )

    def empty(self, tables: Sequence[str]) -> None:
        with _sentences(self._path):
            for table in tables:
                self._connection.execute(f"DELETE FROM {table}")

    def focus(self, ids: Iterable[int]) -> None:
        wanted = frozenset(ids)
        if wanted == self._focus:
            return
        with _sentences(self._path):
            self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS scan_focus (id INTEGER PRIMARY KEY)")
            self._connection.execute("DELETE FROM scan_focus")
            self._connection.executemany("INSERT INTO scan_focus VALUES (?)", ((id,) for id in wanted))
        self._focus = wanted

    @contextmanager
    def writing(self) -> Iterator[None]:
        with _sentences(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with _sentences(self._path):
                self._connection.execute("COMMIT")
        except BaseException:
            self._focus = None
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    # --- full text -----------------------------------------------------------------------------------------------

    def put_texts(self, rows: Iterable[Sequence[Any]]) -> None:
        self.insert("scan_text", "rowid, name, title, summary, body", rows)

    def clear_texts(self) -> None:
        with _sentences(self._path):
            self._connection.execute("INSERT INTO scan_text (scan_text) VALUES ('delete-all')")

    def last_text_id(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(text_id), 0) FROM scan_nodes").fetchone()[0])

    def text_counts(self) -> tuple[int, int]:
        """Rows of the index that no node points at any more are the difference."""
        total = self._connection.execute("SELECT count(*) FROM scan_text_docsize").fetchone()[0]
        current = self._connection.execute("SELECT count(text_id) FROM scan_nodes").fetchone()[0]
        return int(total), int(current)

    # --- care ----------------------------------------------------------------------------------------------------

    def glob(self, column: str, parameter: str) -> str:
        return f"{column} GLOB :{parameter}"

    def check(self) -> list[str]:
        with _sentences(self._path):
            rows = self._connection.execute("PRAGMA quick_check(20)").fetchall()
        return [f"SQLite says: {row[0]}" for row in rows if row[0] != "ok"]

    def dump(self, tables: Sequence[str]) -> Iterator[str]:
        for table in tables:
            cursor = self._connection.execute(f"SELECT * FROM {table} ORDER BY 1")
            columns = ", ".join(f'"{column[0]}"' for column in cursor.description)
            for row in cursor:
                yield f"INSERT INTO {table} ({columns}) VALUES ({', '.join(map(_literal, row))});\n"

    def backup(self, target: str) -> None:
        with _sentences(target):
            copy = sqlite3.connect(target)
            try:
                self._connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def close(self) -> None:
        self._connection.close()


def _packed(parameters: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not parameters:
        return {}
    return {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for k, v in parameters.items()}


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


def statements(script: str) -> Iterator[str]:
    """The statements of a migration, one by one, so that they run inside our own transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


@contextmanager
def _sentences(path: str) -> Iterator[None]:
    """What SQLite says, as a sentence that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _problem(error, path) from error


def _problem(error: sqlite3.Error, path: str) -> StoreProblem | CannotWrite:
    text = str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(f"Another process is writing to `{path}`; try again when it has finished.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreCorrupt(
            f"`{path}` is not a sound database ({text}); restore a backup with `cairn db restore FILE`, "
            "or begin anew with `cairn db reset --hard`."
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return CannotWrite(f"`{path}` cannot be opened for writing ({text}); check the permissions of its folder.")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return CannotWrite(f"`{path}` could not be written ({text}); free some space, then run the command again.")
    return StoreProblem(f"The database `{path}` could not be used: {text}. `cairn doctor` says more.")
