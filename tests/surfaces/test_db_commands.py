"""`cairn db` as a person uses it, on a file and on a server."""

import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.ports.graph import Orphan
from program import Ran, cairn, clean_env, command_line, fits_schema


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}\n")
    (tmp_path / "README.md").write_text("# Read me\n\n[other](other.md)\n")
    (tmp_path / "other.md").write_text("# Other\n")
    assert cairn("scan", cwd=tmp_path).code == 0
    keep(database(tmp_path), "kept.md")
    return tmp_path


def database(root: Path) -> Path:
    return root / ".cairn/cairn.db"


def keep(path: Path, name: str) -> None:
    store = open_sqlite(path, now_ms=0)
    with store.scan() as session:
        session.record_orphans([Orphan(name, 1, b"b", b"f", 0)])
    store.close()


def kept(path: Path) -> list[str]:
    store = open_sqlite(path, now_ms=0)
    try:
        return [orphan.path for orphan in store.orphans()]
    finally:
        store.close()


def nodes(path: Path) -> int:
    store = open_sqlite(path, now_ms=0)
    try:
        return store.counts()["nodes"]
    finally:
        store.close()


def db(*args: str, cwd: Path, **env: str) -> Ran:
    return cairn("db", *args, cwd=cwd, **env)


def no_leftovers(root: Path) -> bool:
    return not [name for name in os.listdir(root / ".cairn") if "partial" in name or "restoring" in name]


# --- backup and restore -------------------------------------------------------------------------------------------


def test_a_backup_is_named_by_the_time_and_can_be_restored(workspace: Path):
    ran = db("backup", cwd=workspace)
    assert ran.code == 0, ran.err
    file = Path(ran.out.strip())
    assert file.parent == workspace / ".cairn/backups"
    assert file.suffix == ".db"
    assert kept(file) == ["kept.md"]
    keep(database(workspace), "later.md")

    restored = db("restore", str(file), "--yes", cwd=workspace)
    assert restored.code == 0, restored.err
    assert kept(database(workspace)) == ["kept.md"]
    assert kept(workspace / ".cairn/cairn.db.before-restore") == ["kept.md", "later.md"]
    assert "run `cairn scan`" in restored.err
    assert cairn("scan", cwd=workspace).code == 0
    assert nodes(database(workspace)) == 2
    assert no_leftovers(workspace)


def test_two_backups_in_one_second_are_two_files(workspace: Path):
    files = {db("backup", cwd=workspace).out.strip() for _ in range(3)}
    assert len(files) == 3


def test_backup_and_restore_speak_json(workspace: Path, tmp_path: Path):
    ran = db("backup", "safe.db", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-backup")
    assert ran.json() == {"file": "safe.db", "bytes": (workspace / "safe.db").stat().st_size}
    ran = db("restore", "safe.db", "--yes", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-restore")
    assert ran.json()["before"] == str(workspace / ".cairn/cairn.db.before-restore")


def test_a_backup_never_overwrites(workspace: Path):
    (workspace / "safe.db").write_text("mine")
    ran = db("backup", "safe.db", cwd=workspace)
    assert (ran.code, ran.out) == (2, "")
    assert "exists already" in ran.err
    assert (workspace / "safe.db").read_text() == "mine"


def test_a_backup_to_a_place_that_cannot_be_written(workspace: Path):
    ran = db("backup", "README.md/safe.db", cwd=workspace)
    assert ran.code == 2
    assert "could not be written" in ran.err


def test_without_a_database_there_is_nothing_to_back_up(tmp_path: Path):
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}\n")
    for command in ("backup", "dump", "shell"):
        ran = db(command, cwd=tmp_path)
        assert ran.code == 5, command
        assert "cairn scan" in ran.err
    assert not database(tmp_path).exists()


def text_file(path: Path) -> None:
    path.write_text("no database\n" * 100)


def another_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (a TEXT)")
    connection.close()


def newer(path: Path) -> None:
    open_sqlite(path, now_ms=0).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def cut_off(path: Path) -> None:
    open_sqlite(path, now_ms=0).close()
    path.write_bytes(path.read_bytes()[:9000])


BAD = {
    "a text": (text_file, "no database at all"),
    "somebody else's database": (another_database, "no backup of Cairn's"),
    "one from the future": (newer, "schema 99"),
    "one that was cut off": (cut_off, "damaged"),
}


@pytest.mark.parametrize(("make", "why"), BAD.values(), ids=BAD.keys())
def test_a_file_that_is_no_sound_backup_changes_nothing(workspace: Path, make, why: str):
    make(workspace / "bad.db")
    ran = db("restore", "bad.db", "--yes", cwd=workspace)
    assert ran.code == 2
    assert why in ran.err
    assert kept(database(workspace)) == ["kept.md"]
    assert no_leftovers(workspace)


def test_a_backup_that_is_not_there(workspace: Path):
    ran = db("restore", "missing.db", "--yes", cwd=workspace)
    assert ran.code == 5
    assert "missing.db" in ran.err


def test_nothing_is_restored_without_a_yes(workspace: Path):
    file = db("backup", cwd=workspace).out.strip()
    ran = db("restore", file, cwd=workspace)
    assert ran.code == 1
    assert "--yes" in ran.err
    assert not (workspace / ".cairn/cairn.db.before-restore").exists()


def test_nothing_is_restored_while_somebody_has_the_database_open(workspace: Path):
    file = db("backup", cwd=workspace).out.strip()
    store = open_sqlite(database(workspace), now_ms=0)
    with store.scan() as session:
        session.set_meta({"busy": True})
        ran = db("restore", file, "--yes", cwd=workspace)
    store.close()
    assert ran.code == 2
    assert "Another process has" in ran.err
    assert not (workspace / ".cairn/cairn.db.before-restore").exists()
    assert no_leftovers(workspace)


def test_a_damaged_database_can_be_replaced_and_is_kept(workspace: Path):
    file = db("backup", cwd=workspace).out.strip()
    database(workspace).write_text("damaged " * 1000)
    assert cairn("list", cwd=workspace).code == 2
    ran = db("restore", file, "--yes", cwd=workspace)
    assert ran.code == 0, ran.err
    assert kept(database(workspace)) == ["kept.md"]
    assert (workspace / ".cairn/cairn.db.before-restore").read_text().startswith("damaged")


def test_a_backup_can_be_restored_where_there_was_nothing(workspace: Path, tmp_path: Path):
    file = db("backup", cwd=workspace).out.strip()
    assert db("reset", "--hard", "--yes", cwd=workspace).code == 0
    ran = db("restore", file, "--json", cwd=workspace)
    assert (ran.code, ran.json()["before"]) == (0, None)
    assert kept(database(workspace)) == ["kept.md"]


# --- reset --------------------------------------------------------------------------------------------------------


def test_reset_forgets_the_graph_only(workspace: Path):
    ran = db("reset", "--yes", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-reset")
    assert ran.code == 0
    assert (nodes(database(workspace)), kept(database(workspace))) == (0, ["kept.md"])


def test_reset_of_state_forgets_everything(workspace: Path):
    assert db("reset", "--state", "--yes", cwd=workspace).code == 0
    assert (nodes(database(workspace)), kept(database(workspace))) == (0, [])


@pytest.mark.parametrize("option", [(), ("--state",), ("--hard",)])
def test_reset_says_what_it_would_do(workspace: Path, option: tuple[str, ...]):
    ran = db("reset", *option, "--dry-run", cwd=workspace)
    assert ran.code == 0
    assert "would be" in ran.out
    asked = db("reset", *option, cwd=workspace)
    assert asked.code == 1
    assert "--yes" in asked.err
    assert (nodes(database(workspace)), kept(database(workspace))) == (2, ["kept.md"])


def test_a_hard_reset_works_on_a_damaged_database(workspace: Path):
    database(workspace).write_text("damaged " * 1000)
    (workspace / ".cairn/cairn.db-wal").write_text("damaged too")
    assert db("reset", "--yes", cwd=workspace).code == 2
    ran = db("reset", "--hard", "--yes", "--json", cwd=workspace)
    assert ran.code == 0, ran.err
    assert ran.json()["removed"][0] == str(database(workspace))
    assert not [name for name in os.listdir(workspace / ".cairn") if name.startswith("cairn.db")]
    assert cairn("scan", cwd=workspace).code == 0


def test_a_hard_reset_waits_for_nobody(workspace: Path):
    store = open_sqlite(database(workspace), now_ms=0)
    ran = db("reset", "--hard", "--yes", cwd=workspace)
    store.close()
    assert ran.code == 2
    assert "Another process has" in ran.err
    assert kept(database(workspace)) == ["kept.md"]


def test_a_reset_of_nothing_is_fine(tmp_path: Path):
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}\n")
    for option in ((), ("--state",), ("--hard",)):
        ran = db("reset", *option, "--json", cwd=tmp_path)
        assert (ran.code, ran.json()["changed"]) == (0, False)


def test_state_and_hard_are_one_too_many(workspace: Path):
    assert db("reset", "--state", "--hard", "--yes", cwd=workspace).code == 2


# --- dump, migrate, shell -----------------------------------------------------------------------------------------


def test_a_dump_puts_the_kept_state_back(workspace: Path):
    ran = db("dump", cwd=workspace)
    assert ran.code == 0
    assert "kept.md" in ran.out
    db("reset", "--state", "--yes", cwd=workspace)
    connection = sqlite3.connect(database(workspace))
    connection.executescript(ran.out)
    connection.close()
    assert kept(database(workspace)) == ["kept.md"]


def test_a_dump_speaks_json(workspace: Path):
    ran = db("dump", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-dump")
    assert "kept.md" in ran.json()["sql"]


def test_a_dump_whose_reader_goes_away_ends_quietly(workspace: Path):
    store = open_sqlite(database(workspace), now_ms=0)
    with store.scan() as session:
        session.record_orphans([Orphan(f"{n}.md", 1, b"b" * 32, b"f" * 32, 0) for n in range(20_000)])
    store.close()
    with subprocess.Popen(
        command_line("db", "dump"), cwd=workspace, env=clean_env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        said = running.stderr.read()
    assert b"Traceback" not in said
    assert running.returncode == 0


def test_migrate_says_what_is_pending_and_what_was_applied(workspace: Path):
    ran = db("migrate", cwd=workspace)
    assert (ran.code, ran.out) == (0, "nothing to do, the schema is 7\n")
    db("reset", "--hard", "--yes", cwd=workspace)
    ran = db("migrate", "--dry-run", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-migrate")
    assert ran.json()["pending"] == [
        {"version": 1, "name": "foundation"},
        {"version": 2, "name": "results"},
        {"version": 3, "name": "archive"},
        {"version": 4, "name": "narrow"},
        {"version": 5, "name": "jobs"},
        {"version": 6, "name": "questions"},
        {"version": 7, "name": "trust"},
    ]
    assert not database(workspace).exists()
    ran = db("migrate", "--json", cwd=workspace)
    fits_schema(ran.json(), "db-migrate")
    assert ran.json() == {
        "before": 0,
        "after": 7,
        "applied": [
            {"version": 1, "name": "foundation"},
            {"version": 2, "name": "results"},
            {"version": 3, "name": "archive"},
            {"version": 4, "name": "narrow"},
            {"version": 5, "name": "jobs"},
            {"version": 6, "name": "questions"},
            {"version": 7, "name": "trust"},
        ],
        "pending": [],
    }


def test_migrate_refuses_a_newer_database(workspace: Path):
    connection = sqlite3.connect(database(workspace))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    ran = db("migrate", cwd=workspace)
    assert ran.code == 2
    assert "schema 99" in ran.err


def test_shell_opens_the_program_of_the_database(workspace: Path, tmp_path: Path):
    tools = tmp_path / "tools"
    tools.mkdir()
    fake = tools / "sqlite3"
    fake.write_text('#!/bin/sh\necho "opened $1"\n')
    fake.chmod(0o755)
    ran = db("shell", cwd=workspace, PATH=f"{tools}:{os.environ['PATH']}")
    assert (ran.code, ran.out) == (0, f"opened {database(workspace)}\n")
    ran = db("shell", "--json", cwd=workspace, PATH=str(tools))
    fits_schema(ran.json(), "db-shell")
    assert ran.json() == {"command": ["sqlite3", str(database(workspace))]}


def test_shell_without_the_program_is_a_sentence(workspace: Path, tmp_path: Path):
    ran = db("shell", cwd=workspace, PATH=str(tmp_path))
    assert ran.code == 2
    assert "`sqlite3` is not installed" in ran.err


# --- on a server --------------------------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path, postgres_url: str) -> tuple[Path, dict[str, str]]:
    (tmp_path / ".cairn").mkdir()
    (tmp_path / ".cairn/settings.json").write_text("{}\n")
    (tmp_path / "README.md").write_text("# Read me\n")
    (tmp_path / "gone.md").write_text("# Gone\n\nSome words of its own.\n")
    env = {"CAIRN_DB": postgres_url.replace("postgres@", "postgres:s3cr3t@")}
    assert cairn("scan", cwd=tmp_path, **env).code == 0
    (tmp_path / "gone.md").unlink()
    assert cairn("scan", cwd=tmp_path, **env).code == 0
    return tmp_path, env


def orphans(root: Path, env: dict[str, str]) -> str:
    return db("dump", cwd=root, **env).out


def test_a_server_is_looked_after_in_the_same_way(served: tuple[Path, dict[str, str]]):
    root, env = served
    assert "gone.md" in orphans(root, env)
    made = db("backup", cwd=root, **env)
    assert made.code == 0, made.err
    file = Path(made.out.strip())
    assert file.suffix == ".sql"
    assert "gone.md" in file.read_text()

    assert db("reset", "--state", "--yes", cwd=root, **env).code == 0
    assert "gone.md" not in orphans(root, env)
    restored = db("restore", str(file), "--yes", "--json", cwd=root, **env)
    fits_schema(restored.json(), "db-restore")
    assert restored.code == 0
    assert Path(restored.json()["before"]).name.endswith(".before-restore.sql")
    assert "gone.md" in orphans(root, env)

    erased = db("reset", "--hard", "--yes", "--json", cwd=root, **env)
    assert erased.json()["removed"][0].startswith("schema cairn_")
    assert db("backup", cwd=root, **env).code == 5
    assert db("migrate", "--json", cwd=root, **env).json()["after"] == 7
    assert db("restore", "README.md", "--yes", cwd=root, **env).code == 2


def test_the_password_is_never_shown(served: tuple[Path, dict[str, str]], tmp_path: Path):
    root, env = served
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "psql").write_text('#!/bin/sh\necho "$1 and $PGPASSWORD"\n')
    (tools / "psql").chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    said = [
        db("shell", "--json", cwd=root, PATH=path, **env),
        db("reset", "--dry-run", cwd=root, **env),
        db("reset", "--hard", cwd=root, **env),
        db("dump", cwd=root, **env),
        db("shell", cwd=root, PATH=str(tmp_path), **env),
    ]
    assert not [ran for ran in said if "s3cr3t" in ran.out + ran.err]
    opened = db("shell", cwd=root, PATH=path, **env)
    assert "s3cr3t" not in opened.out.partition(" and ")[0]
    assert opened.out.endswith(" and s3cr3t\n"), "the program gets it by its environment"
