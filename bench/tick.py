"""How long a promotion tick takes, on both databases, against one `count(distinct) group by` over the ballots.

usage: python bench/tick.py [--ballots N] [--artefacts N]

The plan is included (counts, preselection, decisions in Python), git is not. *Settled* is a tick whose ballots were
counted when the ledger was indexed, as they are in a workspace; *counted anew* also counts every cohort again.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, os.fspath(Path(__file__).resolve().parent.parent / "tests"))

from cairn.adapters.storage.postgres.store import open_postgres
from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.model.knowledge import EntryStatus
from cairn.core.ports.trust import ArtefactRow, BallotRow
from cairn.trust.artefact import PageState, enrolled
from cairn.trust.evaluate import evaluate
from cairn.trust.presets import DAY_MS, PRESETS
from postgres_server import running_server  # type: ignore[import-not-found]

NOW = 400 * DAY_MS
STATUSES = (EntryStatus.ALPHA, EntryStatus.BETA, EntryStatus.STABLE)
TIMES = 3
BATCH = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ballots", type=int, default=1_000_000)
    parser.add_argument("--artefacts", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running_server() as server:
        measure("SQLite", open_sqlite(Path(folder, "cairn.db"), now_ms=0), given.artefacts, given.ballots)
        measure("PostgreSQL", open_postgres(server.url, workspace="/w/tick", now_ms=0), given.artefacts, given.ballots)


def measure(name: str, store: SqlStore, artefacts: int, ballots: int) -> None:
    rows = [artefact(number) for number in range(artefacts)]
    store.trust.apply(artefacts=rows)
    for batch in batches(rows, ballots):
        store.trust.apply(ballots=batch)
    begin = perf_counter()
    store.trust.settle()
    counting = perf_counter() - begin
    preset = PRESETS["hub"]
    floor = best(lambda: sum(1 for _ in store._db.rows("count_trust_voters")))
    moves = sum(1 for _ in evaluate(store.trust, preset, NOW))
    tick = best(lambda: sum(1 for _ in evaluate(store.trust, preset, NOW)))
    print(
        f"{name}: {ballots:,} ballots on {artefacts:,} artefacts, {moves:,} move: "
        f"floor {floor:.2f} s, settled {tick:.2f} s = {tick / floor:.2f} x (bar 2, stretch 1.3), "
        f"counted anew {tick + counting:.2f} s = {(tick + counting) / floor:.2f} x",
        flush=True,
    )
    store.close()


def best(work: Callable[[], int]) -> float:
    seconds = []
    for _ in range(TIMES):
        begin = perf_counter()
        work()
        seconds.append(perf_counter() - begin)
    return min(seconds)


def artefact(number: int) -> ArtefactRow:
    """Of every status, at some moment of its waiting time; a few have enough ballots to move."""
    page = PageState(f"{number:016x}", EntryStatus.ALPHA, "", f"{number:040x}")
    status, since = STATUSES[number % 3], NOW - (number % 30) * DAY_MS
    row = enrolled(f"knowledge/{number:06}.md", "entry", page, since, status=status, by="person")
    return row._replace(id=b"bench")


def batches(rows: list[ArtefactRow], ballots: int) -> Iterator[list[BallotRow]]:
    draw, made = Random(18), list[BallotRow]()
    for number in range(ballots):
        row, voter = rows[number % len(rows)], draw.getrandbits(61) + 1
        verdict = 0 if draw.random() < 0.8 else 1
        made.append(BallotRow(row.cohort, voter, 0, verdict, NOW - number % 80 * DAY_MS, b"ballot", ""))
        if len(made) == BATCH:
            yield made
            made = []
    yield made


if __name__ == "__main__":
    main()
