"""Gaps among a million signals: what looking at them costs, beside what reading them in cost.

usage: python bench/gaps.py [--signals N] [--postgres URL] [--json]

The signals are those of `bench/ledger.py`, spread over the window of 90 days. "Again" is all that lens I does: find out
that the ledger has nothing new, add up the window, put near topics together, compare with the entries, write findings.
"""

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import ledger as signals
from cairn.adapters.ledger.jsonl import JsonlLedger
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.app.build import choose_workers
from cairn.app.projections import index_all
from cairn.core.ports.ledger import Ledger
from cairn.core.ports.store import Store
from cairn.observe.covered_topics import CoveredTopics, RootAttempt, RootResolution
from cairn.observe.lens_coverage_gaps import lens_i
from measure import Row, best, table

WINDOW_MS = 89 * 86_400_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--signals", type=int, default=1_000_000)
    parser.add_argument("--postgres", metavar="URL", help="with this database, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder), given.signals, given.postgres)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path, number: int, postgres: str | None) -> list[Row]:
    signals.say(f"writing {number:,} signals")
    signals.STEP_MS = WINDOW_MS // number
    signals.make(folder / ".cairn/ledger", number)
    ledger = JsonlLedger(folder / ".cairn/ledger")
    found = looking("SQLite", ledger, number, lambda: open_sqlite(folder / ".cairn/cairn.db", now_ms=0))
    if postgres:
        from cairn.adapters.storage.postgres.store import open_postgres

        found += looking("PostgreSQL", ledger, number, lambda: open_postgres(postgres, workspace="bench", now_ms=0))
    return found


def looking(name: str, ledger: Ledger, number: int, opened: Callable[[], Store]) -> list[Row]:
    signals.say(f"indexing with {name}")
    store = opened()
    store.clear_index()
    first = signals.timed(lambda: signals.must_be(index_all(ledger, store, choose_workers), number))
    gaps = len(look(ledger, store))
    again = best(5, lambda: signals.timed(lambda: look(ledger, store)))
    store.close()
    detail = f"{again * 1000:.0f} ms for {gaps:,} gaps, first indexing {first:.1f} s"
    return [Row(f"gap lens again, {number:,} signals, {name}", again / first * 100, "%", 1, None, detail)]


def look(ledger: Ledger, store: Store) -> list[object]:
    index_all(ledger, store, choose_workers)
    now_ms = signals.START_MS + WINDOW_MS
    return list(lens_i(store.gaps, now_ms=now_ms, resolve=nowhere))


def nowhere() -> RootResolution:
    return RootResolution("knowledge", CoveredTopics(), (RootAttempt("auto-detect", "used", "knowledge"),))


if __name__ == "__main__":
    main()
