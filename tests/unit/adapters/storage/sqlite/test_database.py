"""What only a file on a disk can do to a store: be locked, damaged, newer, full, or in the wrong place."""

import sqlite3
from pathlib import Path

import pytest

from cairn.adapters.storage.sqlite.database import MIGRATIONS, statements
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.errors import CairnError, CannotWrite, StoreCorrupt, StoreLocked, StoreNewer
from workbench import Bench

SCHEMA = MIGRATIONS.parent / "schema.sql"
PAGE = 8192


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with something in it."""
    path = tmp_path / "cairn.db"
    store = open_sqlite(path, now_ms=0)
    bench = Bench(tmp_path / "work", store)
    for number in range(50):
        bench.write(f"{number}.md", f"# {number}\n\n[next]({number + 1}.md) " + f"word{number} " * 50)
    bench.scan()
    store.close()
    return path


def test_a_locked_database_is_said_to_be_locked(database: Path) -> None:
    other = sqlite3.connect(database)
    other.execute("BEGIN IMMEDIATE")
    store = open_sqlite(database, now_ms=0, timeout=0.05)
    with pytest.raises(StoreLocked, match="Another process is writing"), store.scan():
        pass
    assert store.counts()["nodes"] == 50, "reading goes on"
    other.close()
    store.close()


def test_a_newer_database_is_refused_untouched(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = database.read_bytes()
    with pytest.raises(StoreNewer, match="schema 99"):
        open_sqlite(database, now_ms=0)
    assert database.read_bytes() == before


def damaged(database: Path) -> None:
    data = bytearray(database.read_bytes())
    for at in range(PAGE, len(data), PAGE):
        data[at : at + 600] = b"\xff" * 600
    database.write_bytes(data)


def truncated(database: Path) -> None:
    database.write_bytes(database.read_bytes()[:5000])


def no_database(database: Path) -> None:
    database.write_text("# A page, not a database\n" * 200)


def half_a_header(database: Path) -> None:
    database.write_bytes(database.read_bytes()[:60])


@pytest.mark.parametrize("spoil", [damaged, truncated, no_database, half_a_header])
def test_a_database_that_is_not_sound_is_refused_and_left_alone(database: Path, spoil) -> None:
    spoil(database)
    before = database.read_bytes()
    with pytest.raises(StoreCorrupt, match="cairn db restore FILE"):
        store = open_sqlite(database, now_ms=0)
        try:
            store.counts()
            list(store.links())
            list(store.nodes())
        finally:
            store.close()
    assert database.read_bytes()[:60] == before[:60]


def test_check_finds_what_reading_may_miss(database: Path) -> None:
    store = open_sqlite(database, now_ms=0)
    assert store.check() == []
    page = store._db._connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'scan_names_by_node'"
    ).fetchone()[0]
    store.close()
    data = bytearray(database.read_bytes())
    data[(page - 1) * PAGE + 200 : page * PAGE] = bytes(PAGE - 200)
    database.write_bytes(data)
    store = open_sqlite(database, now_ms=0)
    assert store.check()
    assert all(sentence.startswith("SQLite says: ") for sentence in store.check())
    store.close()


NO_PLACE = {
    "a folder that is a file": lambda tmp: (tmp / "file").write_text("") or tmp / "file" / "cairn.db",
    "a folder that is not there": lambda tmp: tmp / "missing" / "cairn.db",
    "a folder itself": lambda tmp: tmp,
    "a place where nobody may write": lambda tmp: Path("/proc/self/cairn.db"),
}


@pytest.mark.parametrize("place", NO_PLACE.values(), ids=NO_PLACE.keys())
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place) -> None:
    path = place(tmp_path)
    with pytest.raises(CannotWrite) as told:
        open_sqlite(path, now_ms=0)
    assert str(path) in told.value.message


def test_a_full_disk_leaves_the_graph_before(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "cairn.db", now_ms=0)
    bench = Bench(tmp_path / "work", store)
    bench.write("a.md", "# A\n")
    bench.scan()
    pages = store._db._connection.execute("PRAGMA page_count").fetchone()[0]
    store._db._connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    for number in range(100):
        bench.write(f"{number}.md", f"# {number}\n" + f"word{number} " * 300)
    with pytest.raises(CannotWrite, match="free some space"):
        bench.scan()
    assert [node.path for node in store.nodes()] == ["a.md"]
    store._db._connection.execute("PRAGMA max_page_count = 1073741823")
    assert len(bench.scan().added) == 100
    store.close()


def test_every_refusal_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("not a database, " * 100)
    with pytest.raises(CairnError) as told:
        open_sqlite(tmp_path / "x.db", now_ms=0)
    assert told.value.exit_code == 2
    assert told.value.message.endswith(".")


# --- the schema ---------------------------------------------------------------------------------------------------


def test_the_schema_is_the_sum_of_the_migrations(update_schema) -> None:
    store = open_sqlite(":memory:", now_ms=0)
    rows = store._db._execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'scan_text_%' "
        "AND name NOT LIKE 'index_note_text_%' ORDER BY type DESC, name"
    )
    update_schema(SCHEMA, "".join(f"{sql};\n" for (sql,) in rows))


def test_a_migration_that_fails_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cairn.db"
    folder = tmp_path / "migrations"
    folder.mkdir()
    for file in MIGRATIONS.glob("*.sql"):
        (folder / file.name).write_text(file.read_text())
    (folder / "0002_bad.sql").write_text("CREATE TABLE state_new (a TEXT);\nCREATE TABLE state_new (a TEXT);\n")
    monkeypatch.setattr("cairn.adapters.storage.sqlite.database.MIGRATIONS", folder)
    with pytest.raises(CairnError):
        open_sqlite(path, now_ms=0)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'state_new'").fetchone() == (0,)
    connection.close()


def test_statements_are_cut_at_their_ends() -> None:
    script = "-- why; because\nCREATE TABLE a (\n  b TEXT DEFAULT ';'\n);\nINSERT INTO a VALUES (';');\n"
    assert [statement.split()[-1] for statement in statements(script)] == [");", "(';');"]


def test_the_time_of_a_migration_is_kept(tmp_path: Path) -> None:
    store = open_sqlite(tmp_path / "cairn.db", now_ms=1234)
    rows = store._db._execute("SELECT version, name, applied_at_ms FROM config_schema_versions").fetchall()
    names = ["foundation", "results", "archive", "narrow", "jobs", "questions", "trust"]
    assert rows == [(version, name, 1234) for version, name in enumerate(names, 1)]
    store.close()


def test_an_index_of_an_older_schema_is_made_anew(tmp_path: Path) -> None:
    """Its events had copies of what the ledger says; nothing is carried over, and everything is read again."""
    from cairn.adapters.ledger.memory import MemoryLedger
    from cairn.app.projections import index_all

    path, ledger = tmp_path / "old.db", MemoryLedger()
    ledger.append("turn_skipped", {"turn_id": "t1", "skip_reason": "no-new-information"}, now_ms=5)
    old = sqlite3.connect(path)
    for step in sorted(MIGRATIONS.glob("000[12]_*.sql")):
        old.executescript(step.read_text())
    (file,) = ledger.files()
    old.execute("INSERT INTO index_ledger_files VALUES (?, ?, 0)", (file.key, file.size))
    old.execute("INSERT INTO index_events VALUES ('e', 'turn_skipped', 5, 'w', ?, 0, '{}')", (file.key,))
    old.execute("PRAGMA user_version = 2")
    old.commit()
    old.close()
    store = open_sqlite(path, now_ms=0)
    assert (store.ledger_offsets(), list(store.events())) == ({}, [])
    assert index_all(ledger, store) == 1
    assert list(store.turns.turn_rows(["t1"])) == ["t1"]
    store.close()
