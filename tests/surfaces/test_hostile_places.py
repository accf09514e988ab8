"""Hostile places: a database, a disk, a terminal or a moment that is not as it should be. One sentence, the right exit
code, and nothing lost."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.errors import StoreLocked
from program import Ran, cairn, clean_env, command_line

READS = ("list", "check --no-scan", "graph", "export", "show a.md", "orphans")
"""Commands that look at the graph of the last scan."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.md").write_text("# A\n\n[b](b.md)\n")
    (root / "b.md").write_text("# B\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert cairn("init", cwd=root).code == 0
    return root


def database(root: Path) -> Path:
    return root / ".cairn/cairn.db"


def without_database(root: Path) -> Path:
    for file in (root / ".cairn").glob("cairn.db*"):
        file.unlink()
    return database(root)


def one_sentence(ran: Ran, code: int = 2, *words: str) -> None:
    """What a person who meets this should see."""
    assert ran.code == code, ran.err or ran.out
    assert ran.err.startswith("cairn: ")
    assert ran.err.count("\n") == 1, ran.err
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err


def nodes(root: Path) -> int:
    found = cairn("list", "--json", cwd=root)
    assert found.code == 0, found.out
    total = found.json()["total"]
    assert isinstance(total, int)
    return total


# --- the database -----------------------------------------------------------------------------------------------------


def newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()


def garbage(path: Path) -> None:
    without_database(path.parent.parent).write_bytes(b"this was never a database\n" * 400)


def cut_short(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = path.read_bytes()
    without_database(path.parent.parent).write_bytes(whole[: len(whole) // 3])


def torn(path: Path) -> None:
    """A page in the middle is overwritten."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = os.urandom(len(data) - 4096)
    without_database(path.parent.parent).write_bytes(bytes(data))


def folder(path: Path) -> None:
    without_database(path.parent.parent).mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(without_database(path.parent.parent))


BROKEN: list[tuple[Callable[[Path], None], tuple[str, ...]]] = [
    (newer, ("schema 999", "pip install -U cairn-kb")),
    (garbage, ("cairn db restore FILE", "cairn db reset --hard")),
    (cut_short, ("cairn db restore FILE",)),
    (torn, ("cairn db restore FILE",)),
    (folder, ("cairn.db",)),
    (fifo, ("cairn.db",)),
]


@pytest.mark.parametrize(("harm", "words"), BROKEN, ids=[b[0].__name__ for b in BROKEN])
def test_a_database_that_cannot_be_used_is_one_sentence_and_stays(
    workspace: Path, harm: Callable[[Path], None], words: tuple[str, ...]
):
    harm(database(workspace))
    before = database(workspace).read_bytes() if database(workspace).is_file() else None
    for command in ("scan", "list"):
        one_sentence(cairn(command, cwd=workspace, timeout=30), 2, *words)
    as_json = cairn("scan", "--json", cwd=workspace, timeout=30)
    assert (as_json.code, as_json.json()["ok"]) == (2, False)
    assert cairn("doctor", cwd=workspace, timeout=30).code == 1
    if before is not None:
        assert database(workspace).read_bytes() == before  # never deleted, never mended behind one's back


def test_a_lost_database_is_made_again(workspace: Path):
    without_database(workspace)
    one_sentence(cairn("list", cwd=workspace), 2, "cairn scan")
    assert cairn("scan", cwd=workspace).code == 0
    assert nodes(workspace) == 2


def test_a_locked_database_is_waited_for_and_then_said(workspace: Path):
    """The store's own patience is ten seconds; here it is told to have less."""
    holder = sqlite3.connect(database(workspace), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        store = open_sqlite(database(workspace), now_ms=0, timeout=0.05)
        assert len(list(store.nodes())) == 2  # reading goes on
        with pytest.raises(StoreLocked, match=r"Another process is writing to .* try again when it has finished"):
            store.scan().__enter__()
        store.close()
        assert nodes(workspace) == 2
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert cairn("scan", cwd=workspace).code == 0


def test_two_scans_at_once_both_end_well(workspace: Path):
    for number in range(300):
        (workspace / f"page-{number}.md").write_text(f"# {number}\n\n[a](a.md)\n")
    running = [
        subprocess.Popen(command_line("scan"), cwd=workspace, env=clean_env(), stdout=-1, stderr=-1) for _ in range(3)
    ]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err.decode()
    assert nodes(workspace) == 302


# --- the disk ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["/proc/nowhere/x.db", "/dev/null/x.db", "/nowhere/at/all/x.db"])
def test_a_place_that_cannot_be_written(workspace: Path, place: str):
    one_sentence(cairn("--db", place, "scan", cwd=workspace), 2, place.rpartition("/")[2])
    assert nodes(workspace) == 2


def test_a_workspace_folder_that_is_something_else(tmp_path: Path):
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / ".cairn").write_text("a file\n")
    one_sentence(cairn("init", cwd=tmp_path), 2, ".cairn")
    (tmp_path / ".cairn").unlink()
    (tmp_path / ".cairn").symlink_to("/proc/self")
    one_sentence(cairn("init", cwd=tmp_path), 2, ".cairn")
    assert (tmp_path / ".cairn").is_symlink()


def limited(size: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def run_limited(root: Path, size: int, *args: str) -> Ran:
    """As on a disk with so much room for a file."""
    done = subprocess.run(
        command_line(*args), cwd=root, env=clean_env(), capture_output=True, timeout=60, preexec_fn=limited(size)
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_disk_that_is_full_keeps_the_previous_graph(workspace: Path):
    for number in range(400):
        (workspace / f"page-{number}.md").write_text(f"# {number}\n\n" + "words and more words " * 50)
    one_sentence(run_limited(workspace, 100_000, "scan"), 2, "free some space")
    assert nodes(workspace) == 2
    assert cairn("doctor", cwd=workspace).code == 0
    assert cairn("scan", cwd=workspace).code == 0
    assert nodes(workspace) == 402


def test_no_room_for_the_first_file(tmp_path: Path):
    (tmp_path / "a.md").write_text("# A\n")
    ran = run_limited(tmp_path, 10, "init")
    one_sentence(ran, 2)
    assert cairn("init", cwd=tmp_path).code == 0


def test_no_room_for_the_output(workspace: Path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command_line("list", "--json"), cwd=workspace, env=clean_env(), stdout=full, stderr=-1, timeout=30
        )
    assert done.returncode == 2
    assert b"the output could not be written (No space left on device)" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_no_room_for_the_ledger(workspace: Path):
    """The scan is done and says that it could not be recorded."""
    ledger = workspace / ".cairn/ledger"
    for file in ledger.glob("*"):
        file.unlink()
    ledger.rmdir()
    ledger.write_text("not a folder")
    (workspace / "c.md").write_text("# C\n")
    ran = cairn("scan", cwd=workspace)
    assert ran.code == 0
    assert "could not be recorded" in ran.err
    assert nodes(workspace) == 3


# --- the moment -------------------------------------------------------------------------------------------------------


def many(root: Path) -> None:
    (root / "many").mkdir()
    for number in range(2_500):
        (root / f"many/{number}.md").write_text(f"# {number}\n\n[next]({number + 1}.md) and text\n")


def start_scan(root: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command_line("scan"), cwd=root, env=clean_env(), stdout=-3, stderr=-3, start_new_session=True
    )


def nobody_is_left(group: int) -> bool:
    """Workers of a scan end with it."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_kill_at_any_moment_leaves_the_previous_graph(workspace: Path):
    many(workspace)
    for delay in (0.1, 0.25, 0.4, 0.6, 0.8):
        process = start_scan(workspace)
        time.sleep(delay)
        process.kill()
        process.wait(timeout=30)
        assert nobody_is_left(process.pid)
        assert nodes(workspace) in (2, 2_502)
    assert cairn("doctor", cwd=workspace).code == 0
    assert cairn("scan", cwd=workspace).code == 1  # the last page leads nowhere
    assert nodes(workspace) == 2_502
    assert cairn("doctor", cwd=workspace).code == 0


def test_interrupt_in_the_middle(workspace: Path):
    many(workspace)
    for delay in (0.15, 0.4, 0.7):
        process = start_scan(workspace)
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody hears it
        # Before our own first line runs, Python ends by the signal itself, which a shell calls 130 too.
        assert process.wait(timeout=30) in (130, -signal.SIGINT, 1)
        assert nobody_is_left(process.pid)
        assert nodes(workspace) in (2, 2_502)
    assert cairn("scan", cwd=workspace).code == 1
    assert nodes(workspace) == 2_502


# --- the terminal -----------------------------------------------------------------------------------------------------

COMMANDS = (
    "--help",
    "--version",
    "help",
    "help scan",
    "version",
    "init",
    "scan",
    "scan --json",
    "scan compare-with saved.json",
    "check",
    "check --json",
    "check --sarif",
    "check --github",
    "list",
    "list --json",
    "show a.md",
    "graph",
    "graph --format html",
    "export",
    "orphans",
    "doctor",
    "doctor --json",
    "config list",
    "config get scan.strict",
    "plugins list",
    "completion bash",
    "db dump",
)


@pytest.fixture
def broken_workspace(workspace: Path) -> Path:
    """With something to say for every command."""
    (workspace / "a.md").write_text("# A\n\n" + "".join(f"[x](gone-{n}.md)\n" for n in range(50)))
    (workspace / "saved.json").write_text(json.dumps({"nodes": [], "links": [], "issues": []}))
    assert cairn("scan", cwd=workspace).code == 1
    return workspace


def test_a_pipe_that_is_closed_early(broken_workspace: Path):
    for command in COMMANDS:
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(
            command_line(*command.split()), cwd=broken_workspace, env=clean_env(), stdout=write, stderr=-1, timeout=30
        )
        os.close(write)
        assert done.returncode in (0, 1), command
        assert b"Traceback" not in done.stderr, command
        assert b"BrokenPipe" not in done.stderr, command


def test_no_stream_at_all(broken_workspace: Path):
    for streams in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        for command in ("scan", "check", "list"):
            line = f'exec "$0" -m cairn {command} {streams}'
            done = subprocess.run(
                ["sh", "-c", line, sys.executable],
                cwd=broken_workspace,
                env=clean_env(),
                capture_output=True,
                timeout=30,
            )
            assert done.returncode in (0, 1), (streams, command, done.stderr)
            assert b"Traceback" not in done.stderr
    assert nodes(broken_workspace) == 2


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "no_SUCH.locale"},
        {"TERM": "dumb", "COLUMNS": "1"},
        {"COLUMNS": "nonsense"},
    ],
    ids=str,
)
def test_any_locale(workspace: Path, env: dict[str, str]):
    (workspace / "日本語-ü.md").write_text("# Grüße → 日本\n\n[weg](fort-ü.md)\n")
    for command in ("scan", "check", "list"):
        done = subprocess.run(
            command_line(command), cwd=workspace, env=clean_env(**env), capture_output=True, timeout=30
        )
        assert done.returncode in (0, 1), done.stderr
        assert b"Traceback" not in done.stderr
    cairn("scan", cwd=workspace)
    assert nodes(workspace) == 3


def without(*names: str) -> dict[str, str]:
    return {key: value for key, value in clean_env().items() if key not in names}


def bare(root: Path, command: str, env: dict[str, str]) -> Ran:
    done = subprocess.run(command_line(*command.split()), cwd=root, env=env, capture_output=True, timeout=30)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_without_a_home_and_with_no_environment(workspace: Path):
    for env in (without("HOME"), without("HOME", "USER", "LOGNAME", "PATH"), {}, {**clean_env(), "HOME": "/dev/null"}):
        for command in ("scan", "check", "doctor", "config list"):
            assert bare(workspace, command, env).code == 0, (command, sorted(env)[:3])


def test_without_git_and_without_a_repository(workspace: Path, tmp_path: Path):
    for command in ("scan", "check", "doctor", "list"):
        assert cairn(command, cwd=workspace, PATH="/nowhere").code == 0
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.md").write_text("# A\n")
    made = cairn("init", cwd=plain)
    assert made.code == 0
    assert "not in a git repository" in made.err
    assert cairn("check", cwd=plain).code == 0


def test_a_git_that_does_not_work(workspace: Path, tmp_path: Path):
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'fatal: on fire' >&2\nexit 128\n")
    fake.chmod(0o755)
    for command in ("scan", "check", "doctor"):
        ran = cairn(command, cwd=workspace, PATH=f"{fake.parent}:/usr/bin:/bin")
        assert ran.code == (1 if command == "doctor" else 0), ran.err
        assert "Traceback" not in ran.err


def test_a_folder_that_was_deleted_under_ones_feet(workspace: Path):
    here = workspace / "gone"
    here.mkdir()
    script = 'rmdir "$1" && exec "$0" -m cairn $2'
    for command in ("scan", "list", "init", "doctor", "version"):
        here.mkdir(exist_ok=True)
        done = subprocess.run(
            ["sh", "-c", script, sys.executable, str(here), command],
            cwd=here,
            env={**clean_env(), "PYTHONSAFEPATH": "1"},
            capture_output=True,
            timeout=30,
        )
        err = done.stderr.decode()
        assert done.returncode in (0, 2), (command, err)
        assert "Traceback" not in err
        if done.returncode == 2:
            assert err.count("\n") == 1, err


def test_settings_that_are_none(workspace: Path):
    settings = workspace / ".cairn/settings.json"
    contents: list[Any] = [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{" * 100_000, b'{"scan": 3}', b'{"nonsense": 1}']
    for content in contents:
        settings.write_bytes(content)
        one_sentence(cairn("scan", cwd=workspace), 2, "settings.json")
    settings.unlink()
    settings.mkdir()
    one_sentence(cairn("scan", cwd=workspace), 2)


def test_every_reading_command_before_the_first_scan(workspace: Path):
    without_database(workspace)
    for command in READS:
        one_sentence(cairn(*command.split(), cwd=workspace), 2, "cairn scan")
    assert not database(workspace).exists()
