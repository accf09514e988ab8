"""The durable-notes row of the quality table: eight processes append, and each event is on disk before it is counted.

usage: python bench/notes.py [--seconds N] [--json]

Every process acknowledges what it appended by writing the ids to a file of its own; afterwards all of them must be in
the ledger, each once and every line whole. The floor is what the disk does for one process alone: write and fsync.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

from cairn import journal
from measure import Row, table

PROCESSES = 8
SUMMARY = "The importer needs UTF-8; files in latin-1 lose rows without a word, so it looks at the first kilobyte now."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder), given.seconds)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path, seconds: float) -> list[Row]:
    (folder / "app/.cairn").mkdir(parents=True)
    ledger = folder / "app/.cairn/ledger"
    alone = syncs_a_second(folder / "alone", seconds / 4)
    start = time.time() + 1.0
    writers = [
        multiprocessing.Process(target=write, args=(os.fspath(ledger), folder / f"said-{number}", start, seconds))
        for number in range(PROCESSES)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    promised = [line for path in folder.glob("said-*") for line in path.read_text().split()]
    must_be_there(ledger, promised)
    rate = len(promised) / seconds
    detail = f"{len(promised):,} events, none lost; one process that only syncs manages {alone:,.0f}/s"
    return [Row(f"durable notes, {PROCESSES} processes", rate, "/s", 500, 2_000, detail, at_least=True)]


def write(ledger: str, said: Path, start: float, seconds: float) -> None:
    """Append until the time is over; what ends later does not count."""
    ids = []
    time.sleep(max(0.0, start - time.time()))
    number = 0
    while time.time() < start + seconds:
        number += 1
        payload = {"turn_id": f"{os.getpid()}:{number}", "source": "cli", "agent": "bench", "summary": SUMMARY}
        event: dict[str, object] = {"type": "turn_completed", "payload": payload}
        event_id = journal.append(ledger, event, now_ms=time.time_ns() // 1_000_000)
        if time.time() < start + seconds:
            ids.append(event_id)
    said.write_text("\n".join(ids))


def must_be_there(ledger: Path, promised: list[str]) -> None:
    lines = [json.loads(line) for path in ledger.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    there = [line["id"] for line in lines]
    if len(set(there)) != len(there) or not set(promised) <= set(there):
        sys.exit("events were lost, or recorded twice")


def syncs_a_second(path: Path, seconds: float) -> float:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    started, number = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        os.write(fd, b"x" * 400)
        os.fsync(fd)
        number += 1
    os.close(fd)
    return number / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
