"""The job queue under load: claimers in processes of their own, some of which are killed with a job in their hands.

usage: python bench/jobs.py [--jobs N] [--claimers N] [--killed N]

On SQLite and on PostgreSQL. It fails unless every job was claimed once and every job of a killed claimer returned.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.fspath(Path(__file__).resolve().parent.parent / "tests"))

from job_crowd import crowd  # type: ignore[import-not-found]
from postgres_server import running_server  # type: ignore[import-not-found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--claimers", type=int, default=100)
    parser.add_argument("--killed", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running_server() as server:
        for name, database in (("SQLite", f"{folder}/cairn.db"), ("PostgreSQL", f"{server.url} /w/jobs")):
            seen = crowd(database, jobs=given.jobs, claimers=given.claimers, killed=given.killed)
            twice = sum(count > 1 for count in seen.claimed.values())
            print(
                f"{name}: {given.jobs:,} jobs, {given.claimers} claimers, {seen.killed} killed: "
                f"{len(seen.claimed):,} claimed, {twice} twice, {len(seen.returned)} of {len(seen.lost)} returned, "
                f"{given.jobs / seen.seconds:,.0f} jobs a second",
                flush=True,
            )
            assert len(seen.claimed) == given.jobs and not twice
            assert seen.killed == len(seen.lost) and sorted(seen.returned) == sorted(seen.lost)


if __name__ == "__main__":
    main()
