"""The gap-lens row of the quality table: a million signals into the index, and again.

usage: python bench/ledger.py [--events N] [--postgres URL] [--json]

The floor is taken in the same run: `json.loads` of the same lines, and a bare insert of the same rows into a table with
a key and nothing else.
"""

import argparse
import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cairn import journal
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.app.build import choose_workers
from cairn.app.projections import index_all
from cairn.core.ledger_index import event_rows
from cairn.core.ports.ledger import Ledger
from cairn.core.ports.store import Store
from measure import Row, best, table

WORKTREES, TOPICS, PROJECTS = 5, 997, 50
START_MS, STEP_MS = 1_767_225_600_000, 700
LINES_A_FILE = 150_000
"""About what fits until a file is rotated."""
TABLE = (
    'CREATE TABLE bare (id TEXT PRIMARY KEY, type TEXT, at_ms INTEGER, worktree TEXT, file TEXT, "offset" INTEGER, '
    "payload TEXT) WITHOUT ROWID"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--postgres", metavar="URL", help="index into this database, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder), given.events, given.postgres)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path, number: int, postgres: str | None) -> list[Row]:
    say(f"writing {number:,} signals")
    make(folder / ".cairn/ledger", number)
    ledger = JsonlLedger(folder / ".cairn/ledger")
    floor = best(2, lambda: parse(ledger)) + best(2, lambda: bare_insert(ledger, folder / "bare.db"))
    found = indexing("SQLite", ledger, number, floor, lambda: open_sqlite(folder / ".cairn/cairn.db", now_ms=0))
    if postgres:
        from cairn.adapters.storage.postgres.store import open_postgres

        found += indexing(
            "PostgreSQL", ledger, number, floor, lambda: open_postgres(postgres, workspace="bench", now_ms=0)
        )
    return found


def indexing(name: str, ledger: Ledger, number: int, floor: float, opened: Callable[[], Store]) -> list[Row]:
    say(f"indexing with {name}")
    store = opened()
    first = best(2, lambda: first_time(ledger, store, number))
    again = best(5, lambda: timed(lambda: must_be(index_all(ledger, store, choose_workers), 0)))
    store.close()
    detail = f"{first:.1f} s, floor {floor:.1f} s, {first / number * 1e6:.1f} µs an event"
    return [
        Row(f"first indexing of {number:,} signals, {name}", first / floor, "x", 1.5, None, detail),
        Row(f"the same again, {name}", again / first * 100, "%", 1, None, f"{again * 1000:.2f} ms"),
    ]


def first_time(ledger: Ledger, store: Store, number: int) -> float:
    store.clear_index()
    return timed(lambda: must_be(index_all(ledger, store, choose_workers), number))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def must_be(found: int, expected: int) -> None:
    if found != expected:
        sys.exit(f"{found:,} events were indexed, not {expected:,}")


# --- the ledger -----------------------------------------------------------------------------------------------------


def make(folder: Path, number: int) -> None:
    folder.mkdir(parents=True)
    for start in range(0, number, LINES_A_FILE):
        lines = list(signals(range(start, min(number, start + LINES_A_FILE))))
        (folder / f"app-{start // LINES_A_FILE:012x}.jsonl").write_bytes(b"".join(lines))


def signals(numbers: range) -> Iterator[bytes]:
    for number in numbers:
        payload = {
            "task_id": None,
            "branch": "main",
            "topic": f"topic-{number * 7919 % TOPICS}",
            "source": "agent_search",
            "project_id": f"{number * 31 % PROJECTS:064x}",
            "step_name": "plan",
            "agent_excerpt": "I looked for how the limits are raised and found nothing about it in these pages.",
            "session": f"s{number // 40}",
        }
        event: dict[str, object] = {"type": "knowledge_gap_signal", "payload": payload}
        now_ms = START_MS + number * STEP_MS
        yield journal.make_line(event, worktree=f"app-{number % WORKTREES:012x}", now_ms=now_ms)[1]


# --- the floor ------------------------------------------------------------------------------------------------------


def parse(ledger: JsonlLedger) -> float:
    def work() -> None:
        for file in ledger.files():
            with ledger.path_of(file.name).open("rb") as stream:
                for line in stream:
                    json.loads(line)

    return timed(work)


def bare_insert(ledger: Ledger, path: Path) -> float:
    """Only the inserts are timed; the rows are made before, a block at a time."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(TABLE)
    seconds = sum(timed(lambda rows=rows: _insert(connection, rows)) for rows in batches(ledger))  # type: ignore[misc]
    connection.close()
    shutil.rmtree(path, ignore_errors=True)
    return seconds


def _insert(connection: sqlite3.Connection, rows: list[Any]) -> None:
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute("COMMIT")


def batches(ledger: Ledger) -> Iterator[list[tuple[Any, ...]]]:
    for file in ledger.files():
        for block in ledger.blocks(file.name):
            yield [tuple(row) for row in event_rows(file.key, block)]


if __name__ == "__main__":
    main()
