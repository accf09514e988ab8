"""What only a server can do: be away, refuse a password, forbid something, or hold a newer schema."""

import sys
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from cairn.adapters.storage.postgres.database import MIGRATIONS, label, lock_number, parse, problem, schema_name
from cairn.adapters.storage.postgres.store import open_postgres
from cairn.errors import CairnError, CannotWrite, MissingExtra, StoreCorrupt, StoreLocked, StoreNewer, StoreProblem

SCHEMA = MIGRATIONS.parent / "schema.sql"
SECRET = "s3cr3t"


@pytest.fixture
def workspace() -> str:
    return f"/home/me/{uuid.uuid4()}"


@pytest.fixture
def admin(postgres_url: str) -> Iterator[Any]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection


def test_a_workspace_has_a_schema_of_its_own(postgres_url: str, workspace: str, admin: Any) -> None:
    first = open_postgres(postgres_url, workspace=workspace, now_ms=7)
    second = open_postgres(postgres_url, workspace=f"{workspace}-2", now_ms=7)
    first.index_events("main", 10, [])
    assert (first.ledger_offsets(), second.ledger_offsets()) == ({"main": 10}, {})
    query = "SELECT count(*) FROM information_schema.schemata WHERE schema_name = %s"
    for name in (workspace, f"{workspace}-2"):
        assert admin.execute(query, (schema_name(name),)).fetchone() == (1,)
    first.close()
    second.close()


def test_a_second_opening_finds_what_is_there(postgres_url: str, workspace: str) -> None:
    store = open_postgres(postgres_url, workspace=workspace, now_ms=7)
    store.index_events("main", 10, [])
    store.close()
    store = open_postgres(postgres_url, workspace=workspace, now_ms=8)
    assert store.ledger_offsets() == {"main": 10}
    assert list(store._db._execute("SELECT version, applied_at_ms FROM config_schema_versions")) == [
        (1, 7),
        (2, 7),
        (3, 7),
        (4, 7),
        (5, 7),
        (6, 7),
        (7, 7),
    ]
    store.close()


def test_a_newer_schema_is_refused(postgres_url: str, workspace: str, admin: Any) -> None:
    open_postgres(postgres_url, workspace=workspace, now_ms=0).close()
    admin.execute(f'INSERT INTO "{schema_name(workspace)}".config_schema_versions VALUES (99, %s, 0)', ("new",))
    with pytest.raises(StoreNewer, match="schema 99"):
        open_postgres(postgres_url, workspace=workspace, now_ms=0)


def test_a_missing_table_is_found_by_check(postgres_url: str, workspace: str, admin: Any) -> None:
    store = open_postgres(postgres_url, workspace=workspace, now_ms=0)
    admin.execute(f'DROP TABLE "{schema_name(workspace)}".scan_issues')
    assert ["scan_issues" in sentence for sentence in store.check()] == [True]
    store.close()


# --- getting in ---------------------------------------------------------------------------------------------------


def place(url: str) -> str:
    return url.partition("host=")[2]


ADDRESSES = {
    "nothing listens": (f"postgresql://me:{SECRET}@127.0.0.1:1/db", "nothing listens there"),
    "no such socket": (f"postgresql://me:{SECRET}@/db?host=/nowhere", "nothing listens there"),
    "not an address": (f"postgresql://me:{SECRET}@[/db", "is not an address"),
    "not a port": (f"postgresql://me:{SECRET}@127.0.0.1:port/db", "Cannot connect"),
    "an unknown option": (f"postgresql://me:{SECRET}@host/db?{SECRET}=1", "is not an address"),
    "an @ in the password": (f"postgresql://me:{SECRET}@{SECRET}@127.0.0.1:1/db", "with %40 for an @"),
}


@pytest.mark.parametrize(("url", "why"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_a_server_that_is_not_there_is_a_sentence_without_the_password(url: str, why: str, workspace: str) -> None:
    with pytest.raises(StoreProblem) as told:
        open_postgres(url, workspace=workspace, now_ms=0)
    assert why in told.value.message
    assert SECRET not in told.value.message
    assert told.value.__cause__ is None, "the driver's own words may hold the password"


def test_a_wrong_password_is_said(postgres_url: str, workspace: str, admin: Any) -> None:
    admin.execute("DROP ROLE IF EXISTS guarded")
    admin.execute(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")
    url = f"postgresql://guarded:wrong-{SECRET}@/postgres?host={place(postgres_url)}"
    with pytest.raises(StoreProblem, match="does not accept this user with this password") as told:
        open_postgres(url, workspace=workspace, now_ms=0)
    assert SECRET not in told.value.message
    bare = f"postgresql://guarded@/postgres?host={place(postgres_url)}"
    with pytest.raises(StoreProblem, match="password"):
        open_postgres(bare, workspace=workspace, now_ms=0)


def test_a_user_or_database_that_is_not_there_is_said(postgres_url: str, workspace: str) -> None:
    folder = place(postgres_url)
    with pytest.raises(StoreProblem, match="no such user"):
        open_postgres(f"postgresql://nobody@/postgres?host={folder}", workspace=workspace, now_ms=0)
    with pytest.raises(StoreProblem, match="no such database"):
        open_postgres(f"postgresql://postgres@/missing?host={folder}", workspace=workspace, now_ms=0)


def test_a_user_who_may_not_create_is_told_what_to_ask_for(postgres_url: str, workspace: str, admin: Any) -> None:
    admin.execute("DROP ROLE IF EXISTS poor")
    admin.execute("CREATE ROLE poor LOGIN")
    url = f"postgresql://poor@/postgres?host={place(postgres_url)}"
    with pytest.raises(CannotWrite, match="ask for CREATE on the database"):
        open_postgres(url, workspace=workspace, now_ms=0)


def test_a_database_that_is_not_unicode_is_refused(postgres_url: str, workspace: str, admin: Any) -> None:
    admin.execute("DROP DATABASE IF EXISTS latin")
    admin.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    url = f"postgresql://postgres@/latin?host={place(postgres_url)}"
    with pytest.raises(StoreProblem, match="LATIN1"):
        open_postgres(url, workspace=workspace, now_ms=0)


def test_a_missing_driver_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch, workspace: str) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r'pip install "cairn-kb\[postgres\]"'):
        open_postgres("postgresql://x/y", workspace=workspace, now_ms=0)


def test_a_connection_that_breaks_off_is_a_sentence(postgres_url: str, workspace: str, admin: Any) -> None:
    store = open_postgres(postgres_url, workspace=workspace, now_ms=0)
    with pytest.raises(StoreProblem, match="broke off"), store.scan() as session:
        session.set_meta({"a": 1})
        pid = store._db._connection.info.backend_pid
        admin.execute("SELECT pg_terminate_backend(%s)", (pid,))
        for _ in range(3):
            session.set_meta({"b": 1})
    store.close()
    store = open_postgres(postgres_url, workspace=workspace, now_ms=0)
    assert store.meta() == {}
    store.close()


class Said(psycopg.Error):
    def __init__(self, state: str) -> None:
        super().__init__("the server's words")
        self.sqlstate = state


STATES = {
    "55P03": StoreLocked,
    "40P01": StoreLocked,
    "53100": CannotWrite,
    "53200": CannotWrite,
    "25006": CannotWrite,
    "42501": CannotWrite,
    "XX001": StoreCorrupt,
    "XX002": StoreCorrupt,
    "42P01": StoreProblem,
}


@pytest.mark.parametrize(("state", "kind"), STATES.items())
def test_what_the_server_says_is_a_sentence(state: str, kind: type[CairnError]) -> None:
    told = problem(Said(state), "postgresql://host/db")
    assert type(told) is kind
    assert told.message.endswith(".")


# --- the schema ---------------------------------------------------------------------------------------------------

COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(l.collname, ''), a.attnotnull,
    a.attidentity::text, coalesce(pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' ORDER BY c.relname COLLATE "C", a.attnum
"""
INDEXES = 'SELECT indexdef FROM pg_indexes WHERE schemaname = %s ORDER BY indexname COLLATE "C"'


def test_the_schema_is_the_sum_of_the_migrations(
    postgres_url: str, workspace: str, admin: Any, update_schema: Any
) -> None:
    open_postgres(postgres_url, workspace=workspace, now_ms=0).close()
    schema = schema_name(workspace)
    lines = [f"{' '.join(str(part) for part in row if part != '')}\n" for row in admin.execute(COLUMNS, (schema,))]
    lines += [f"{row[0].replace(schema + '.', '')}\n" for row in admin.execute(INDEXES, (schema,))]
    update_schema(SCHEMA, "".join(lines))


def test_every_text_compares_by_code_point(postgres_url: str, workspace: str, admin: Any) -> None:
    open_postgres(postgres_url, workspace=workspace, now_ms=0).close()
    rows = admin.execute(COLUMNS, (schema_name(workspace),)).fetchall()
    texts = [row for row in rows if row[2] == "text"]
    assert len(texts) > 30
    assert {row[3] for row in texts} == {"C"}


SHADOWS = ("scan_text_", "index_note_text_")
"""What SQLite keeps of a full-text index beside the index itself."""


def test_both_databases_have_the_same_tables_and_columns(postgres_url: str, workspace: str) -> None:
    from cairn.adapters.storage.sqlite.store import open_memory

    here, there = open_postgres(postgres_url, workspace=workspace, now_ms=0), open_memory()
    names = [row[0] for row in here._db.rows("tables")]
    for name in names:
        if name not in ("scan_text", "index_note_text"):
            assert sorted(columns(here, name)) == sorted(columns(there, name)), name
    assert set(names) == {name for name in tables_of_sqlite(there) if not name.startswith(SHADOWS)}
    here.close()
    there.close()


def tables_of_sqlite(store: Any) -> list[str]:
    return [row[0] for row in store._db._execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def columns(store: Any, table: str) -> list[str]:
    return [column[0] for column in store._db._execute(f"SELECT * FROM {table} LIMIT 0").description]


LABELS = {
    "postgresql://me:secret@db.example:5433/kb": "postgresql://me@db.example:5433/kb",
    "postgres://db.example/kb?password=secret&user=me": "postgresql://me@db.example/kb",
    "postgresql:///kb": "postgresql://localhost/kb",
    "postgresql://me:se%40cret@h/kb?sslmode=require": "postgresql://me@h/kb",
}


@pytest.mark.parametrize(("url", "shown"), LABELS.items())
def test_a_label_has_no_password(url: str, shown: str) -> None:
    assert label(parse(url)) == shown


@pytest.mark.parametrize(
    ("workspace", "start"),
    [
        ("/home/me/My Repo", "cairn_my_repo_"),
        ("/home/me/repo/", "cairn_repo_"),
        ("/home/me/日本", "cairn_workspace_"),
        ("/x/" + "long-name-" * 20, "cairn_long_name_long_name_"),
        ('/x/"; DROP SCHEMA public; --', "cairn_drop_schema_public_"),
    ],
)
def test_a_schema_is_named_after_its_workspace(workspace: str, start: str) -> None:
    name = schema_name(workspace)
    assert name.startswith(start)
    assert len(name) <= 63
    assert name.replace("_", "").isalnum()


def test_two_workspaces_of_one_name_stay_apart() -> None:
    assert schema_name("/a/repo") != schema_name("/b/repo")
    assert lock_number(schema_name("/a/repo")) != lock_number(schema_name("/b/repo"))
    assert -(2**63) <= lock_number("x") < 2**63
