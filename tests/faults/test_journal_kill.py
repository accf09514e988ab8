"""Writers and readers of one ledger are killed at random moments: what was acknowledged is there, no line is torn, and
the index is what reading everything anew would give."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cairn import journal
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.app.projections import index_all

WRITER = """
import os, sys
from cairn.journal import append
ledger, name, rotate_at = sys.argv[1], sys.argv[2], int(sys.argv[3])
count = 0
while True:
    path = f"{name}-{count}" + "x" * (count * 37 % 3000)
    event = {"type": "orphan_forgotten", "payload": {"path": path}}
    acknowledged = append(ledger, event, now_ms=1767225600000 + count, rotate_at=rotate_at)
    os.write(1, (acknowledged + "\\n").encode())
    count += 1
"""

ROUNDS, WRITERS = 10, 4


def start(ledger: Path, name: str, rotate_at: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", WRITER, os.fspath(ledger), name, str(rotate_at)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def acknowledged(process: "subprocess.Popen[bytes]") -> list[str]:
    """What the writer printed; a last line that the kill cut short was not printed."""
    out, _ = process.communicate()
    return out.decode().split("\n")[:-1]


def events(ledger: Path) -> list[str]:
    """Ids of all lines of all files; every line must be whole."""
    found = []
    for path in sorted(ledger.glob("*.jsonl")):
        content = path.read_bytes()
        assert content.endswith(b"\n"), path.name
        found += [json.loads(line)["id"] for line in content.splitlines()]
    return found


@pytest.mark.parametrize("rotate_at", [journal.ROTATE_AT, 20_000], ids=["one-file", "rotating"])
def test_nothing_acknowledged_is_lost(tmp_path: Path, rotate_at: int) -> None:
    ledger = tmp_path / "app/.cairn/ledger"
    ledger.parent.mkdir(parents=True)
    dice, promised = random.Random(7), []
    for turn in range(ROUNDS):
        writers = [start(ledger, f"{turn}-{each}", rotate_at) for each in range(WRITERS)]
        time.sleep(0.08)
        for writer in dice.sample(writers, len(writers)):
            time.sleep(dice.random() * 0.05)
            os.kill(writer.pid, signal.SIGKILL)
        for writer in writers:
            promised += acknowledged(writer)
        event = {"type": "orphan_forgotten", "payload": {"path": "after"}}
        promised.append(journal.append(os.fspath(ledger), event, now_ms=1_767_225_600_000, rotate_at=rotate_at))
        there = events(ledger)
        assert set(promised) <= set(there)
    assert len(there) == len(set(there))
    assert len(promised) > ROUNDS


READER = """
import sys
from pathlib import Path
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.app.projections import index_all
ledger, store = JsonlLedger(Path(sys.argv[1])), open_sqlite(Path(sys.argv[2]), now_ms=0)
while True:
    index_all(ledger, store)
"""


def indexed(ledger: Path, database: Path) -> set[str]:
    store = open_sqlite(database, now_ms=0)
    index_all(JsonlLedger(ledger), store)
    found = {event.id for event in store.events()}
    store.close()
    return found


def test_eight_writers_and_a_reader(tmp_path: Path) -> None:
    """Seeded, and as long as it takes to kill everybody a few times."""
    ledger, database = tmp_path / "app/.cairn/ledger", tmp_path / "app/.cairn/cairn.db"
    ledger.parent.mkdir(parents=True)
    dice, promised = random.Random(11), []
    for turn in range(4):
        writers = [start(ledger, f"{turn}-{each}", 200_000) for each in range(8)]
        reader = subprocess.Popen([sys.executable, "-c", READER, os.fspath(ledger), os.fspath(database)])
        time.sleep(0.5)
        for process in dice.sample([*writers, reader], 9):
            time.sleep(dice.random() * 0.04)
            os.kill(process.pid, signal.SIGKILL)
        reader.wait()
        promised += [event for writer in writers for event in acknowledged(writer)]
        event = {"type": "orphan_forgotten", "payload": {"path": "after"}}
        promised.append(journal.append(os.fspath(ledger), event, now_ms=1_767_225_600_000))
        there = events(ledger)
        assert len(there) == len(set(there))
        assert set(promised) <= set(there) == indexed(ledger, database)
    assert indexed(ledger, tmp_path / "anew.db") == set(there)
    assert len(promised) > 100


@pytest.mark.parametrize("cut", [*range(0, 120, 7), 10_000])
def test_wherever_a_write_was_cut(tmp_path: Path, cut: int) -> None:
    """A kill in the middle of the one write call, as a slow disk would show it: any beginning of the line."""
    ledger = tmp_path / "app/.cairn/ledger"
    ledger.parent.mkdir(parents=True)

    def note(path: str) -> str:
        event = {"type": "orphan_forgotten", "payload": {"path": path}}
        return journal.append(os.fspath(ledger), event, now_ms=1_767_225_600_000)

    first, second = note("first"), note("second")
    (file,) = ledger.glob("*.jsonl")
    whole = file.read_bytes()
    start_of_second = whole.index(b"\n") + 1
    file.write_bytes(whole[: start_of_second + cut])
    third = note("third")
    complete = start_of_second + cut >= len(whole) - 1
    assert events(ledger) == ([first, second, third] if complete else [first, third])
    torn = Path(f"{file}.torn")
    assert (torn.read_bytes()[:-1] if torn.exists() else b"") == (b"" if complete else whole[start_of_second:][:cut])
