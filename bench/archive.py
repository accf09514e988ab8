"""The archive row of the quality table: what commands cost beside an archive of a million events.

usage: python bench/archive.py [--events N] [--sessions N] [--postgres] [--times N] [--json]

Each command runs as a process of its own, by turns in a workspace with the archive and in the same workspace with an
empty one; the quickest run of each counts. The first indexing is compared with `json.loads` of the same lines plus a
bare insert of the rows that the index ends up with, into tables of an SQLite file that have a key and nothing else. The
words of notes are added by the first search; that is a row of its own, and what it stores is counted.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cairn import journal
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.app.build import choose_workers
from cairn.app.projections import index_all
from cairn.core.model.session import SessionLog
from cairn.core.ports.store import Store
from cairn.core.session_log import PLACEHOLDER, PROPOSAL, head_bytes, log_name
from cairn.worktree import make_identity
from measure import Row, Run, environment, run, table

T = TypeVar("T")
DAY_MS = 86_400_000
DAYS = 180
"""How far back the archive reaches."""
LINES_A_FILE = 150_000
GROUP = 10
"""Events of three turns, with what was asked and read on the way."""
TOPICS = 997
WORDS = (
    "importer latin encoding retry queue timeout cache index schema migration token session ledger worker batch limit "
    "branch merge conflict release deploy rollback config secret header cookie proxy socket thread lock page"
).split()


class Target(NamedTuple):
    work: str
    args: tuple[str, ...]
    times: float
    megabytes: float | None = 100


TARGETS = (
    Target("note", ("note", "The importer needs UTF-8; latin-1 files lose rows, see commit 4be9b0a."), 2),
    Target("status", ("status",), 5),
    Target("turns list", ("turns", "list"), 5),
    Target("gaps", ("gaps",), 5),
    Target("search", ("search", "how does the importer retry after a timeout"), 5),
    Target("session list", ("session", "list"), 5),
    Target("context", ("context",), 5),
    Target("doctor", ("doctor",), 20, None),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--sessions", type=int, default=None, help="default: one for each 200 events")
    parser.add_argument("--times", type=int, default=3, help="runs of each command")
    parser.add_argument("--postgres", action="store_true", help="with a PostgreSQL server of its own")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    sessions = given.events // 200 if given.sessions is None else given.sessions
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cairn-bench-")))
        server = stack.enter_context(_server()).url if given.postgres else None
        rows = measure(folder, given.events, sessions, given.times, server)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def _server() -> Any:
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from postgres_server import running_server  # type: ignore[import-not-found]

    return running_server()


def measure(folder: Path, events: int, sessions: int, times: int, server: str | None) -> list[Row]:
    say(f"writing {events:,} events and {sessions:,} sessions")
    empty, full = make_workspace(folder / "empty", server), make_workspace(folder / "full", server)
    # In processes of their own: a child's peak memory counts what its parent holds while it is started.
    aside(fill, full, events, sessions)
    rows: list[Row] = aside(first_index, full, events, times, server, folder / "bare.db")
    for workspace in (empty, full):
        run(command("scan"), workspace)
    for target in TARGETS:
        say(f"cairn {target.work}")
        rows += compare(target, empty, full, times)
    return rows


def compare(target: Target, empty: Path, full: Path, times: int) -> list[Row]:
    bare, ours = [], []
    for _ in range(times):
        bare.append(run(command(*target.args), empty))
        ours.append(run(command(*target.args), full))
    quick, slow = min(bare), min(ours)
    detail = f"{slow.seconds:.2f} s, {slow.megabytes:.0f} MB; empty {quick.seconds:.2f} s, {quick.megabytes:.0f} MB"
    rows = [Row(target.work, slow.seconds / quick.seconds, "× empty", target.times, None, detail)]
    if target.megabytes is not None:
        rows.append(Row(f"{target.work}, memory", _most(ours), "MB", target.megabytes, None, ""))
    return rows


def _most(runs: Sequence[Run]) -> float:
    return max(one.megabytes for one in runs)


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "cairn", *args]


# --- the first index ------------------------------------------------------------------------------------------------


def first_index(workspace: Path, events: int, times: int, server: str | None, scratch: Path) -> list[Row]:
    ledger, first, parsing, inserting = JsonlLedger(workspace / ".cairn/ledger"), [], [], []
    before, used = 0, 0.0
    for number in range(times):
        say(f"first index {number + 1}")
        drop_store(workspace, server)
        open_store(workspace, server).close()
        before = stored_bytes(workspace, server)
        used = -processor_seconds()
        first.append(index(ledger, workspace, events, server))
        used += processor_seconds()
        say("floor")
        parsing.append(parse(ledger))
        inserting.append(bare_insert(workspace, server, scratch))
    floor = min(parsing) + min(inserting)
    words = add_words(workspace, server)
    each = (stored_bytes(workspace, server) - before) / events
    detail = f"{min(first):.1f} s, processor {used:.1f} s; "
    detail += f"json.loads {min(parsing):.1f} s, bare insert {min(inserting):.1f} s"
    return [
        Row("first index", min(first) / floor, "× floor", 1.5, None, detail),
        Row("words of notes, first search", words / floor, "× floor", None, None, f"{words:.1f} s"),
        Row("stored, words included", each, "B/event", 400, None, f"{each * events / 1e6:.0f} MB"),
    ]


def processor_seconds() -> float:
    """Of this process and of those that it started and that have ended; a server's are not in it."""
    return sum(os.times()[:4])


def index(ledger: JsonlLedger, workspace: Path, events: int, server: str | None) -> float:
    store = open_store(workspace, server)
    started = time.perf_counter()
    found = index_all(ledger, store, choose_workers)
    seconds = time.perf_counter() - started
    store.close()
    if found != events:
        sys.exit(f"{found:,} events were indexed, not {events:,}")
    return seconds


def add_words(workspace: Path, server: str | None) -> float:
    store = open_store(workspace, server)
    started = time.perf_counter()
    store.turns.add_words()
    seconds = time.perf_counter() - started
    store.close()
    return seconds


def parse(ledger: JsonlLedger) -> float:
    started = time.perf_counter()
    for file in ledger.files():
        with ledger.path_of(file.name).open("rb") as stream:
            for line in stream:
                json.loads(line)
    return time.perf_counter() - started


def bare_insert(workspace: Path, server: str | None, scratch: Path) -> float:
    """All rows of all tables of the index, into tables of one column more that is their key."""
    connection = sqlite3.connect(scratch, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    seconds = sum(_copy(connection, name, rows) for name, rows in tables(workspace, server))
    connection.close()
    for path in (scratch, scratch.with_name(f"{scratch.name}-wal"), scratch.with_name(f"{scratch.name}-shm")):
        path.unlink(missing_ok=True)
    return seconds


def _copy(connection: sqlite3.Connection, name: str, rows: Iterator[list[Any]]) -> float:
    seconds, number = 0.0, 0
    for batch in rows:
        width = len(batch[0])
        if not number:
            columns = ", ".join(f"c{place}" for place in range(width))
            connection.execute(f"CREATE TABLE {name} (n INTEGER PRIMARY KEY, {columns})")
        numbered = [(number + place, *row) for place, row in enumerate(batch)]
        started = time.perf_counter()
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * (width + 1))})", numbered)
        connection.execute("COMMIT")
        seconds += time.perf_counter() - started
        number += len(batch)
    return seconds


INDEXED = "index_events index_facts index_turns index_notes index_gap_days index_gap_excerpts index_readings".split()
"""What the first index fills; the words of notes have a row of their own."""


def tables(workspace: Path, server: str | None) -> Iterator[tuple[str, Iterator[list[Any]]]]:
    if server is not None:
        import psycopg

        with psycopg.connect(server) as connection:
            schema = schema_of(workspace)
            for name in INDEXED:
                yield name, _batches(connection.execute(f'SELECT * FROM "{schema}".{name}'))
        return
    source = sqlite3.connect(workspace / ".cairn/cairn.db")
    for name in INDEXED:
        yield name, _batches(source.execute(f"SELECT * FROM {name}"))
    source.close()


def _batches(cursor: Any) -> Iterator[list[Any]]:
    while batch := cursor.fetchmany(10_000):
        yield batch


def stored_bytes(workspace: Path, server: str | None) -> int:
    if server is None:
        return sum(path.stat().st_size for path in (workspace / ".cairn").glob("cairn.db*"))
    import psycopg

    with psycopg.connect(server) as connection:
        query = "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n"
        query += " ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = %s"
        found = connection.execute(query, (schema_of(workspace),)).fetchone()
        return int(found[0]) if found else 0


def schema_of(workspace: Path) -> str:
    from cairn.adapters.storage.postgres.database import schema_name

    return schema_name(str(workspace.resolve()))


def drop_store(workspace: Path, server: str | None) -> None:
    if server is None:
        for path in (workspace / ".cairn").glob("cairn.db*"):
            path.unlink()
        return
    import psycopg

    with psycopg.connect(server) as connection:
        connection.execute(f'DROP SCHEMA IF EXISTS "{schema_of(workspace)}" CASCADE')


def open_store(workspace: Path, server: str | None) -> Store:
    if server is None:
        from cairn.adapters.storage.sqlite.store import open_sqlite

        return open_sqlite(workspace / ".cairn/cairn.db", now_ms=0)
    from cairn.adapters.storage.postgres.store import open_postgres

    return open_postgres(server, workspace=str(workspace.resolve()), now_ms=0)


# --- the archive ----------------------------------------------------------------------------------------------------


def make_workspace(root: Path, server: str | None) -> Path:
    (root / ".cairn").mkdir(parents=True)
    local = {} if server is None else {"store": {"url": server}}
    (root / ".cairn/settings.local.json").write_text(json.dumps(local))
    (root / ".cairn/settings.json").write_text('{"active_provider": "claude"}\n')
    (root / "docs").mkdir()
    for number, word in enumerate(WORDS):
        text = f"# The {word}\n\n{sentence(number)} See [the {WORDS[number - 1]}]({WORDS[number - 1]}.md).\n"
        (root / f"docs/{word}.md").write_text(text)
    for args in (
        ("init", "-q"),
        ("add", "docs"),
        ("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a"),
    ):
        subprocess.run(["git", *args], cwd=root, check=True, env=environment(), stdout=subprocess.DEVNULL)
    return root


def fill(root: Path, events: int, sessions: int) -> None:
    folder = root / ".cairn/ledger"
    now_ms = time.time_ns() // 1_000_000
    begin = now_ms - DAYS * DAY_MS
    step = DAYS * DAY_MS / max(1, events)
    folder.mkdir()
    worktree = journal.worktree_name(make_identity(str(folder), journal.iso_utc(begin)))
    made = made_events(events, max(1, sessions))
    for start in range(0, events, LINES_A_FILE):
        numbers = range(start, min(events, start + LINES_A_FILE))
        lines = [journal.make_line(next(made), worktree=worktree, now_ms=int(begin + n * step)) for n in numbers]
        last = numbers[-1] == events - 1
        name = worktree if last else f"{worktree}.{lines[0][0]}"
        (folder / f"{name}.jsonl").write_bytes(b"".join(line for _, line in lines))
    write_sessions(root / ".cairn/sessions", sessions, begin, now_ms)


def made_events(events: int, sessions: int) -> Iterator[dict[str, object]]:
    groups = -(-events // GROUP)
    for group in range(groups):
        for kind, payload in turns_of(group, f"session-{group * sessions // groups}"):
            yield {"type": kind, "payload": payload}


def turns_of(group: int, session: str) -> Iterator[tuple[str, dict[str, object]]]:
    facts: dict[str, object] = {"source": "claude", "agent": "claude", "session": session, "host": "claude"}
    for number in range(group * 3, group * 3 + 3):
        turn = {"turn_id": f"claude:{session}:u{number}", **facts, "turn_number": number}
        where = {
            "transcript": f"~/.claude/projects/app/{session}.jsonl",
            "start": number * 900,
            "end": number * 900 + 880,
        }
        yield "turn_eligible", {**turn, **where, "hash": f"crc32:{number:08x}", "tools": ["Bash", "Read"]}
        if number % 3 == 2:
            yield "turn_skipped", {**turn, "skip_reason": "no-new-information"}
        else:
            yield "turn_completed", {**turn, **note(number)}
    asked: dict[str, object] = {"surface": "cli", "session": session}
    yield "search_asked", {**asked, "question": sentence(group), "fits": True, "hits": 3, "paths": [page(group)]}
    yield (
        "search_asked",
        {**asked, "question": sentence(group + 7), "fits": True, "hits": 1, "paths": [page(group + 7)]},
    )
    yield "page_read", {**asked, "path": page(group), "revision": f"{group:040x}"}
    topic = f"topic-{group * 7919 % TOPICS}"
    yield "knowledge_gap_signal", {"topic": topic, "source": "agent_search", "session": session, "branch": "main"}


def note(number: int) -> dict[str, object]:
    return {
        "title": sentence(number)[:60],
        "summary": f"{sentence(number)} {sentence(number * 31 + 5)}",
        "evidence": [f"commit:{number:07x}"],
        "tags": [WORDS[number % len(WORDS)]],
        "type": "lesson",
        "score": 60,
        "fingerprint": f"{number:016x}",
        "result": "inserted",
        "revision": 1,
    }


def page(number: int) -> str:
    return f"docs/{WORDS[number % len(WORDS)]}.md"


def sentence(number: int) -> str:
    size = len(WORDS)
    one, two, three = number % size, number // size % size, number // size // size % size
    return f"The {WORDS[one]} waits for the {WORDS[two]} when the {WORDS[three]} is {number} seconds late."


def write_sessions(folder: Path, sessions: int, begin: int, now_ms: int) -> None:
    folder.mkdir()
    for number in range(sessions):
        at = journal.iso_utc(now_ms - (now_ms - begin) * (sessions - number) // sessions // 3)
        text = f"### user\n\n{sentence(number)}\n\n### agent\n\n{sentence(number + 1)}\n".encode()
        log = SessionLog(
            f"session-{number}", "claude", "stop", at, "", proposal_status="done", transcript_bytes=len(text)
        )
        path = folder / log_name(at, log.session_id)
        path.write_bytes(head_bytes(log) + text + PROPOSAL + PLACEHOLDER)


def aside(work: Callable[..., T], *args: Any) -> T:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
