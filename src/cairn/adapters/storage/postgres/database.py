"""PostgreSQL as the shared store needs it."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from cairn.adapters.storage.postgres.glob import glob_regex
from cairn.adapters.storage.postgres.words import text_parameters
from cairn.adapters.storage.sql.database import SHARED, Migration, compose, inserts, migrate, migrations, queries
from cairn.errors import CannotWrite, EnvironmentProblem, StoreCorrupt, StoreLocked, StoreProblem

if TYPE_CHECKING:
    from cairn.core.ports.search import TextQuery

_LOCKED = ("55P03", "40P01", "40001")
_FULL = ("53100", "53200", "53400")
_DAMAGED = ("XX001", "XX002")

_CONNECTING = (
    ("password authentication failed", "the server does not accept this user with this password; check store.url"),
    ("no password supplied", "the server wants a password; write it into store.url or into ~/.pgpass"),
    ("no pg_hba.conf entry", "the server does not let this user in from here; its pg_hba.conf decides"),
    ("too many", "the server has too many connections; try again later"),
    ("starting up", "the server is still starting; try again in a moment"),
    ("role ", "the server knows no such user; check store.url"),
    ("database ", "the server has no such database; make it with `createdb`, or check store.url"),
    ("could not translate host name", "the name of its host is unknown; check store.url"),
    ("failed to resolve host", "the name of its host is unknown; check store.url"),
    ("timeout", "it did not answer in time; check the address and the network"),
    ("refused", "nothing listens there; start the server, or check host and port"),
    ("No such file", "nothing listens there; start the server, or check the folder of its socket"),
    ("SSL", "it could not agree on encryption; check sslmode in store.url"),
)


def cannot_connect(error: psycopg.Error, label: str) -> StoreProblem:
    """The driver's own words may hold a part of the password, when it has an @ in it: they are only looked at."""
    text = str(error)
    for words, why in _CONNECTING:
        if words in text:
            return StoreProblem(f"Cannot use {label}: {why}.")
    return StoreProblem(f"Cannot connect to {label}; check the address, and that the server runs.")


def problem(error: psycopg.Error, label: str) -> EnvironmentProblem:
    state = error.sqlstate or ""
    text = (error.diag.message_primary or str(error)).strip()
    if state in _LOCKED:
        return StoreLocked(f"Another process is writing to {label}; try again when it has finished.")
    if state in _FULL:
        return CannotWrite(f"{label} has no room left ({text}); free some space there, then run the command again.")
    if state == "25006":
        return CannotWrite(f"{label} is read-only ({text}); name the primary server in store.url.")
    if state == "42501":
        return CannotWrite(
            f"{label} does not allow this ({text}); ask for CREATE on the database, or for another user."
        )
    if state in _DAMAGED:
        return StoreCorrupt(f"{label} is damaged ({text}); restore a backup of the server.")
    if isinstance(error, psycopg.OperationalError) and (not state or state.startswith(("08", "57P"))):
        return StoreProblem(f"The connection to {label} broke off; run the command again when the server is back.")
    return StoreProblem(f"The database {label} could not be used: {text}. `cairn doctor` says more.")


_SLUG = 32


_WRONG = (
    "store.url is not an address of PostgreSQL; write it as postgresql://user:password@host:5432/database, "
    "with %40 for an @ in the password."
)


def parse(url: str) -> dict[str, Any]:
    """What an address says, by libpq's names; the password is among it, so the result is never shown."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = dict(conninfo_to_dict(url))
    except ProgrammingError:
        # The driver's own message repeats the address with the password in it, so it ends here.
        raise StoreProblem(_WRONG) from None
    if "@" in str(parts.get("host", "")):  # the rest of a password with an @ in it
        raise StoreProblem(_WRONG)
    return parts


def label(parts: dict[str, Any]) -> str:
    """`postgresql://user@host:5432/database`, without the password."""
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"


def schema_name(workspace: str) -> str:
    """Readable first, then a hash, so that two workspaces of one name stay apart."""
    slug = re.sub(r"[^a-z0-9]+", "_", workspace.rstrip("/").rpartition("/")[2].lower()).strip("_")
    return f"cairn_{slug[:_SLUG] or 'workspace'}_{hashlib.sha256(workspace.encode()).hexdigest()[:10]}"


def lock_number(schema: str) -> int:
    """What writers of a workspace agree to lock: 64 bits made from its schema's name."""
    return int.from_bytes(hashlib.sha256(schema.encode()).digest()[:8], "big", signed=True)


MIGRATIONS = Path(__file__).parent / "migrations"
_FILES = (*SHARED, Path(__file__).parent / "queries.sql")
_LIST = re.compile(r"IN \[:(\w+)\]")
_PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")

_MADE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
BACKUP_HEAD = "-- Cairn's kept state for PostgreSQL, schema "

_KEYS = {
    "scan_nodes": ("id",),
    "scan_contributions": ("node_id", "extension", "key"),
    "scan_enrichments": ("node_id", "extractor"),
    "scan_virtuals": ("node_id", "path"),
}
"""By which columns a row makes way for another, in the tables where that happens; numbers end in `id`."""

_MANY = 10_000
"""Notes."""

_WORTH_STAGING = 200
"""Rows."""

Connection = psycopg.Connection[tuple[Any, ...]]


@cache
def _text(name: str, focused: bool = False, where: str = "", order: str = "", limit: str = "") -> str:
    """A named query in psycopg's words: a list is an array, a parameter is `%(name)s`."""
    text = compose(queries(_FILES)[name], focused=focused, where=where, order=order, limit=limit)
    return _PARAMETER.sub(r"%(\1)s", _LIST.sub(r"= ANY(:\1)", text.replace("%", "%%")))


class PostgresDatabase:
    def __init__(self, connection: Connection, schema: str, label: str, timeout: float) -> None:
        self._connection = connection
        self._schema = schema
        self._label = label
        self._timeout_ms = max(1, int(timeout * 1000))
        self._focus: frozenset[int] | None = None

    @classmethod
    def open(cls, url: str, *, workspace: str, now_ms: int, timeout: float) -> "PostgresDatabase":
        database = cls.connect(url, workspace=workspace, timeout=timeout)
        try:
            database._prepare(now_ms)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def connect(cls, url: str, *, workspace: str, timeout: float) -> "PostgresDatabase":
        """A connection as it is, without a look at what is there."""
        parts = parse(url)
        shown = label(parts)
        settings = {"application_name": "cairn", "connect_timeout": "10", **parts, "client_encoding": "utf8"}
        try:
            connection = psycopg.connect(**settings, autocommit=True)
        except psycopg.Error as error:
            raise cannot_connect(error, shown) from None
        return cls(connection, schema_name(workspace), shown, timeout)

    def _prepare(self, now_ms: int) -> None:
        encoding = self._connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StoreProblem(f"{self._label} is encoded as {encoding}; Cairn needs a database in UTF8.")
        self._execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self._schema)))
        migrate(MIGRATIONS, self.version(), lambda migration: self._apply(migration, now_ms))

    def version(self) -> int:
        """Of the schema; 0 when there is none."""
        name = f'"{self._schema}".config_schema_versions'
        if self._one("SELECT to_regclass(%s)", (name,))[0] is None:
            return 0
        return int(self._one(f"SELECT coalesce(max(version), 0) FROM {name}")[0])

    def _apply(self, migration: Migration, now_ms: int) -> None:
        with self.writing():
            self._execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self._schema)))
            if self.version() >= migration.version:
                return  # another process was faster
            self._execute(migration.sql)
            row = {"version": migration.version, "name": migration.name, "applied_at_ms": now_ms}
            self.run("add_schema_version", row)

    # --- queries -------------------------------------------------------------------------------------------------

    def run(self, query: str, parameters: Mapping[str, Any] | None = None, *, focused: bool = False) -> int:
        return self._execute(_text(query, focused), _clean_all(parameters)).rowcount

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
        yield from self._execute(_text(query, focused, where, order, limit), _clean_all(parameters))

    def each(self, query: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        with self._sentences():
            self._connection.cursor().executemany(_text(query), (_clean_all(given) for given in parameters))

    def put(self, query: str, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Many by way of a table of their own, from which `<query>_staged` puts them."""
        if len(rows) < _WORTH_STAGING:
            self.each(query, rows)
            return
        self._stage(table, ", ".join(rows[0]), (tuple(row.values()) for row in rows))
        self.run(f"{query}_staged")

    def insert(self, table: str, columns: str, rows: Iterable[Sequence[Any]], *, replace: bool = False) -> None:
        if replace:
            rows = self._make_way(table, columns, rows)
        with self._sentences(), self._connection.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row([_clean(value) for value in row])

    def _make_way(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
        """Delete the rows that have the same keys; of several new ones the last counts."""
        names = columns.split(", ")
        places = [names.index(name) for name in _KEYS[table]]
        wanted = {tuple(_clean(row[place]) for place in places): row for row in rows}
        if wanted:
            lists = {name: list(values) for name, values in zip(_KEYS[table], zip(*wanted, strict=True), strict=True)}
            arrays = ", ".join(f"%({name})s::{'bigint' if name.endswith('id') else 'text'}[]" for name in lists)
            keys = ", ".join(lists)
            self._execute(f"DELETE FROM {table} WHERE ({keys}) IN (SELECT * FROM unnest({arrays}))", lists)
        return wanted.values()

    def add(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        """By way of a table of their own, because COPY knows no exceptions."""
        self._stage(table, columns, rows)
        self._execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM added_{table} ON CONFLICT DO NOTHING")

    def _stage(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        self._execute(f"CREATE TEMP TABLE IF NOT EXISTS added_{table} (LIKE {table}) ON COMMIT DELETE ROWS")
        self._execute(f"TRUNCATE added_{table}")
        self.insert(f"added_{table}", columns, rows)

    def add_events(self, columns: str, rows: Sequence[Sequence[Any]]) -> int:
        """Mostly there is nothing else of the time that they are about."""
        fresh = sorted({row[:3]: row for row in reversed(rows)}.values())
        since, until = min(row[1] for row in rows), max(row[1] for row in rows)
        if not any(
            self.rows("events_between", {"types": list({row[0] for row in rows}), "since": since, "until": until})
        ):
            self.insert("index_events", columns, fresh)
            return len(fresh)
        self._stage("index_events", columns, fresh)
        return self.run("add_staged_events")

    def delete_where(self, table: str, column: str, values: Sequence[Any]) -> None:
        self._execute(f"DELETE FROM {table} WHERE {column} = ANY(%s)", (list(values),))

    def empty(self, tables: Sequence[str]) -> None:
        """By DELETE: TRUNCATE would make readers wait for the end of the scan."""
        for table in tables:
            self._execute(f"DELETE FROM {table}")

    def focus(self, ids: Iterable[int]) -> None:
        wanted = frozenset(ids)
        if wanted == self._focus:
            return
        self._execute("CREATE TEMP TABLE IF NOT EXISTS scan_focus (id BIGINT PRIMARY KEY)")
        self._execute("TRUNCATE scan_focus")
        self.insert("scan_focus", "id", ((id,) for id in wanted))
        self._focus = wanted

    def put_texts(self, rows: Iterable[Any]) -> None:
        self.each("put_text", text_parameters(rows))

    def put_note_texts(self, texts: Iterable[Mapping[str, Any]]) -> None:
        """With many the index of words is made anew: that takes less time, and it gets smaller."""
        self._execute("CREATE TEMP TABLE IF NOT EXISTS added_texts (id BIGINT, title TEXT, body TEXT)")
        self._execute("TRUNCATE added_texts")
        source, batches = iter(texts), 0
        while batch := list(islice(source, _MANY)):  # more of them are only read when nothing is being copied
            self.insert("added_texts", "id, title, body", (tuple(text.values()) for text in batch))
            batches += 1
        if batches > 1:
            self._execute("DROP INDEX index_note_text_by_word")
        self.run("put_note_texts")
        if batches > 1:
            self._execute("CREATE INDEX index_note_text_by_word ON index_note_text USING gin (words)")
        self._execute("TRUNCATE added_texts")

    def match(self, query: "TextQuery") -> str:
        from cairn.adapters.storage.postgres.match import match_text

        return match_text(query)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer a workspace: it holds a lock that belongs to the schema until the transaction ends."""
        if self._connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            yield
            return
        self._execute("BEGIN")
        try:
            self._execute(f"SET LOCAL lock_timeout = {self._timeout_ms}")
            self._execute("SELECT pg_advisory_xact_lock(%s)", (lock_number(self._schema),))
            yield
            self._execute("COMMIT")
        except BaseException:
            self._focus = None
            self._roll_back()
            raise

    def roomy(self) -> AbstractContextManager[None]:
        return nullcontext()  # the server has its own memory

    def _roll_back(self) -> None:
        with suppress(psycopg.Error):  # a connection that broke off has nothing left to roll back
            self._connection.rollback()

    def _execute(self, text: Any, parameters: Any = None) -> psycopg.Cursor[tuple[Any, ...]]:
        with self._sentences():
            return self._connection.execute(text, parameters)

    def _one(self, text: str, parameters: Any = None) -> tuple[Any, ...]:
        row = self._execute(text, parameters).fetchone()
        assert row is not None
        return row

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise problem(error, self._label) from error

    # --- patterns ------------------------------------------------------------------------------------------------

    def glob(self, column: str, parameter: str) -> str:
        return f"{column} ~ :{parameter}"

    def glob_value(self, pattern: str) -> str:
        return glob_regex(pattern)

    # --- care ----------------------------------------------------------------------------------------------------

    def table(self, name: str) -> Iterator[Sequence[Any]]:
        yield from self._execute(f"SELECT * FROM {name}")

    def wipe(self) -> None:
        """What the server keeps beside its tables, its own log and backups, is the server's."""
        self._execute(f"SET lock_timeout = {self._timeout_ms}")
        for row in list(self.rows("tables")):
            self._execute(f"VACUUM (FULL) {row[0]}")

    def check(self) -> list[str]:
        """The server looks after its pages; what can happen here is that somebody took a table away."""
        made = {name for m in migrations(MIGRATIONS) for name in _MADE.findall(m.sql)}
        there = {row[0] for row in self.rows("tables")}
        return [f"{self._label} lacks the table {name} in {self._schema}." for name in sorted(made - there)]

    def dump(self, tables: Sequence[str]) -> Iterator[str]:
        with self._reading():
            for table in tables:
                cursor = self._execute(f"SELECT * FROM {table} ORDER BY 1")
                columns = [column.name for column in cursor.description or ()]
                yield from inserts(table, columns, cursor, lambda value: f"'\\x{value.hex()}'")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Several queries that see the same moment."""
        self._execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield
        finally:
            self._roll_back()

    def backup(self, target: str) -> None:
        """SQL of the kept zones; what comes from the files can be scanned again."""
        kept = [row[0] for row in self.rows("tables") if not row[0].startswith(("scan_", "index_", "config_schema"))]
        with open(target, "x", encoding="utf-8") as file:
            file.write(f"{BACKUP_HEAD}{self.version()}\n")
            file.writelines(self.dump(kept))

    def replace_kept(self, tables: Sequence[str], script: str) -> None:
        """Put what a backup says in the place of what is kept."""
        with self.writing():
            self.empty(tables)
            self._execute(script)

    def drop_schema(self) -> None:
        with self.writing():
            self._execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(self._schema)))

    def close(self) -> None:
        self._connection.close()


def _clean(value: Any) -> Any:
    """PostgreSQL's texts hold everything but the character zero."""
    return value.replace("\0", "\ufffd") if type(value) is str and "\0" in value else value


def _clean_all(parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: _clean_list(value) for key, value in parameters.items()} if parameters else {}


def _clean_list(value: Any) -> Any:
    return [_clean(item) for item in value] if type(value) is list else _clean(value)
