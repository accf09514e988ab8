"""A process that claims jobs until none is left, answers each, and prints its id; or that dies with one in its hands.

usage: python tests/job_claimer.py DATABASE LIVES

DATABASE is a file, or the address of a PostgreSQL database and the name of the workspace, separated by a blank.
LIVES is the number of the job with which it kills itself; 0 for never.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence

from cairn.adapters.storage.postgres.store import open_postgres
from cairn.adapters.storage.sql.store import SqlStore
from cairn.adapters.storage.sqlite.store import open_sqlite
from cairn.core.ports.jobs import JobClaim
from cairn.jobs.claim import claim
from cairn.jobs.finish import JobEnd, finish

PATIENCE = 60.0
"""Seconds that one waits for a hundred others."""


def opened(database: str) -> SqlStore:
    url, _, workspace = database.partition(" ")
    if workspace:
        return open_postgres(url, workspace=workspace, now_ms=0, timeout=PATIENCE)
    return open_sqlite(url, now_ms=0, timeout=PATIENCE)


def main(arguments: Sequence[str]) -> None:
    store, lives = opened(arguments[0]).jobs, int(arguments[1])
    os.write(1, b"ready\n")
    sys.stdin.readline()  # so that all of them begin together
    run = f"r-ext-20260420-160000-{os.getpid() & 0xFFFF:04x}"
    while True:
        now_ms = int(time.time() * 1000)
        found = claim(JobClaim("skill", run, now_ms), store=store)
        if found is None:
            return
        os.write(1, f"{found.job.id}\n".encode())
        lives -= 1
        if lives == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        finish(found.job, JobEnd("completed", report={}), store=store, now_ms=now_ms)


if __name__ == "__main__":
    main(sys.argv[1:])
