"""SQLite as the shared store needs it."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from cairn.adapters.storage.sql.database import SHARED, Migration, compose, inserts, migrate, queries
from cairn.errors import CannotWrite, StoreCorrupt, StoreLocked, StoreProblem

if TYPE_CHECKING:
    from cairn.core.ports.search import TextQuery

MIGRATIONS = Path(__file__).parent / "migrations"
_FILES = (*SHARED, Path(__file__).parent / "queries.sql")
_LIST = re.compile(r"IN \[:(\w+)\]")
_STATEMENTS = 256
"""How many compiled statements a connection keeps; there are about a hundred named queries."""


@cache
def _text(name: str, focused: bool = False, where: str = "", order: str = "", limit: str = "") -> str:
    """A named query in SQLite's words: lists travel as one JSON parameter."""
    text = compose(queries(_FILES)[name], focused=focused, where=where, order=order, limit=limit)
    return _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", text)


_USUAL = "PRAGMA cache_size = -16384"
_ROOMY = "PRAGMA cache_size = -196608"
"""Kilobytes, and only as much as is used. A cold scan would write pages out and read them in again halfway; a question
to a large archive would fill what it gets with pages that it never looks at again."""


_AGAIN = 0.01
"""Seconds."""


class SqliteDatabase:
    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._focus: frozenset[int] | None = None

    @classmethod
    def open(cls, path: Path | str, *, now_ms: int, timeout: float) -> "SqliteDatabase":
        name = str(path)
        with sentences(name):
            connection = sqlite3.connect(name, timeout=timeout, isolation_level=None, cached_statements=_STATEMENTS)
            try:
                return cls.prepared(connection, name, now_ms=now_ms)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def prepared(cls, connection: sqlite3.Connection, name: str, *, now_ms: int) -> "SqliteDatabase":
        """Of the newest schema."""
        database = cls(connection, name)
        database._prepare(now_ms)
        return database

    def _prepare(self, now_ms: int) -> None:
        self._connection.execute("PRAGMA page_size = 8192")  # of a new file; rows of a kilobyte waste less of these
        self._write_ahead()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(_USUAL)
        self._connection.execute("PRAGMA temp_store = MEMORY")
        migrate(MIGRATIONS, self._version(), lambda migration: self._apply(migration, now_ms))

    def _write_ahead(self) -> None:
        """Waits by itself: SQLite gives up at once when two connections change the journal of a new file."""
        [milliseconds] = self._connection.execute("PRAGMA busy_timeout").fetchone()
        until = monotonic() + milliseconds / 1000
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
            sleep(_AGAIN)

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
        return self._execute(_text(query, focused), _packed(parameters)).rowcount

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
        try:
            yield from self._connection.execute(_text(query, focused, where, order, limit), _packed(parameters))
        except sqlite3.Error as error:
            raise problem(error, self._path) from error

    def each(self, query: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        self._execute_many(_text(query), parameters)

    def put(self, query: str, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        self.each(query, rows)

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], *, replace: bool = False) -> None:
        verb = "INSERT OR REPLACE" if replace else "INSERT"
        holes = ", ".join("?" * (columns.count(",") + 1))
        self._execute_many(f"{verb} INTO {table} ({columns}) VALUES ({holes})", rows)

    def add(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        holes = ", ".join("?" * (columns.count(",") + 1))
        self._execute_many(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({holes})", rows)

    def add_events(self, columns: str, rows: Sequence[Sequence[Any]]) -> int:
        before = self._connection.total_changes
        self.add("index_events", columns, rows)
        return self._connection.total_changes - before

    def delete_where(self, table: str, column: str, values: Sequence[Any]) -> None:
        text = f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))"
        self._execute(text, (json.dumps(values),))

    def empty(self, tables: Sequence[str]) -> None:
        for table in tables:
            self._execute(f"DELETE FROM {table}")

    def focus(self, ids: Iterable[int]) -> None:
        wanted = frozenset(ids)
        if wanted == self._focus:
            return
        self._execute("CREATE TEMP TABLE IF NOT EXISTS scan_focus (id INTEGER PRIMARY KEY)")
        self._execute("DELETE FROM scan_focus")
        self._execute_many("INSERT INTO scan_focus VALUES (?)", ((id,) for id in wanted))
        self._focus = wanted

    def put_texts(self, rows: Iterable[Sequence[Any]]) -> None:
        self.insert("scan_text", "rowid, name, title, summary, body", rows)

    def put_note_texts(self, texts: Iterable[Mapping[str, Any]]) -> None:
        self._execute_many("INSERT INTO index_note_text (rowid, title, body) VALUES (:id, :title, :body)", texts)

    def match(self, query: "TextQuery") -> str:
        from cairn.adapters.storage.sqlite.match import match_text

        return match_text(query)

    @contextmanager
    def writing(self) -> Iterator[None]:
        if self._inside():
            yield
            return
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            self._focus = None
            if self._inside():
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def roomy(self) -> Iterator[None]:
        self._execute(_ROOMY)
        self._execute("PRAGMA wal_autocheckpoint = 8192")  # pages that are written again and again are copied once
        try:
            yield
        finally:
            self._execute(_USUAL)
            self._execute("PRAGMA wal_autocheckpoint = 1000")

    def _inside(self) -> bool:
        return self._connection.in_transaction

    def _execute(self, text: str, parameters: Any = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(text, parameters)
        except sqlite3.Error as error:
            raise problem(error, self._path) from error

    def _execute_many(self, text: str, rows: Iterable[Any]) -> None:
        try:
            self._connection.executemany(text, rows)
        except sqlite3.Error as error:
            raise problem(error, self._path) from error

    # --- patterns ------------------------------------------------------------------------------------------------

    def glob(self, column: str, parameter: str) -> str:
        return f"{column} GLOB :{parameter}"

    def glob_value(self, pattern: str) -> str:
        return pattern

    # --- care ----------------------------------------------------------------------------------------------------

    def table(self, name: str) -> Iterator[Sequence[Any]]:
        yield from self._execute(f"SELECT * FROM {name}")

    def wipe(self) -> None:
        """A full-text index keeps words of rows that were deleted, until its parts are merged; then all pages are made
        anew, and the write-ahead log goes. That needs the file for itself."""
        self._execute("INSERT INTO index_note_text (index_note_text) VALUES ('optimize')")
        self._execute("PRAGMA temp_store = FILE")  # a copy of everything is made on the way
        try:
            self._execute("VACUUM")
            busy = self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            self._execute("PRAGMA temp_store = MEMORY")
        if busy:
            raise StoreLocked(f"Another process reads `{self._path}`; try again when it has finished.")

    def check(self) -> list[str]:
        rows = self._execute("PRAGMA quick_check(20)").fetchall()
        return [f"SQLite says: {row[0]}" for row in rows if row[0] != "ok"]

    def dump(self, tables: Sequence[str]) -> Iterator[str]:
        with self._reading():
            for table in tables:
                cursor = self._execute(f"SELECT * FROM {table} ORDER BY 1")
                columns = [column[0] for column in cursor.description]
                yield from inserts(table, columns, cursor, lambda value: f"X'{value.hex()}'")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Several queries that see the same moment."""
        self._execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def backup(self, target: str) -> None:
        """A database of its own with the kept zones; what comes from the files can be scanned again."""
        SqliteDatabase.open(target, now_ms=0, timeout=0).close()
        self._execute("ATTACH ? AS copy", (target,))
        try:
            with self.writing():
                for table in self._kept_tables():
                    self._execute(f"DELETE FROM copy.{table}")
                    self._execute(f"INSERT INTO copy.{table} SELECT * FROM main.{table}")
            self._execute("PRAGMA copy.journal_mode = DELETE")
        finally:
            self._execute("DETACH copy")

    def _kept_tables(self) -> list[str]:
        rows = self._execute(
            "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'scan%' "
            "AND name NOT LIKE 'index%' AND name NOT LIKE 'sqlite%' ORDER BY name"
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        self._connection.close()


def _packed(parameters: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not parameters:
        return {}
    return {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for k, v in parameters.items()}


def statements(script: str) -> Iterator[str]:
    """The statements of a migration, one by one, so that they run inside our own transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


@contextmanager
def sentences(path: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise problem(error, path) from error


def problem(error: sqlite3.Error, path: str) -> StoreProblem | CannotWrite:
    """What SQLite says, as a sentence that says what to do."""
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
