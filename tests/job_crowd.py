"""Many processes that claim from one queue at the same time, some of which are killed."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from asked_jobs import asked, taken
from cairn.core.ports.jobs import JobStore
from cairn.jobs.claim import reap
from job_claimer import opened

CLAIMER = Path(__file__).with_name("job_claimer.py")
AN_HOUR = 3_600_000


class Crowd(NamedTuple):
    claimed: Counter[str]
    """By job: how often."""
    killed: int
    returned: list[str]
    """Subjects of jobs that came back after their time."""
    lost: list[str]
    """Subjects of jobs that the killed ones held."""
    seconds: float


def crowd(database: str, *, jobs: int, claimers: int, killed: int) -> Crowd:
    """Every claimer lives in a process of its own; the killed ones die with a job in their hands."""
    store = opened(database)
    with store.jobs.writing():
        for number in range(jobs):
            asked(store.jobs, f"{number}.md")
    lives = [*[1 + number % 2 for number in range(killed)], *[0] * (claimers - killed)]
    running = [_started(database, life) for life in lives]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    began = time.monotonic()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    claimed: Counter[str] = Counter()
    for process in running:
        out, _ = process.communicate()
        claimed.update(out.split())
    seconds = time.monotonic() - began
    died = sum(process.returncode != 0 for process in running)
    later = int(time.time() * 1000) + AN_HOUR
    lost = [job.node_id for job in reap(store=store.jobs, now_ms=later)]
    returned = _returned(store.jobs, later)
    store.close()
    return Crowd(claimed, died, returned, lost, seconds)


def _started(database: str, life: int) -> "subprocess.Popen[str]":
    line = [sys.executable, str(CLAIMER), database, str(life)]
    return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _returned(store: JobStore, now_ms: int) -> list[str]:
    return [taken(store, at=now_ms).node_id for _ in range(store.counts()["queued"])]
