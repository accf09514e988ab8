"""Running programs and saying how long they took, as ratios of one run on one machine."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    seconds: float
    megabytes: float
    """The most memory that the process held."""


def run(args: Sequence[str], cwd: Path) -> Run:
    """One process, its wall time and its peak memory. Ends badly: so does the bench."""
    started = time.perf_counter()
    process = subprocess.Popen(args, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
    assert process.stderr is not None
    complaint = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(args)} ended with {process.returncode}: {complaint.decode()}")
    scale = 1024 if sys.platform == "linux" else 1024 * 1024
    return Run(seconds, usage.ru_maxrss / scale)


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("CAIRN_", "PYTHON"))}


def best(times: int, work: Callable[[], float]) -> float:
    """The quickest of several: everything slower was disturbed by something else."""
    return min(work() for _ in range(times))


class Row(NamedTuple):
    work: str
    value: float
    unit: str
    bar: float | None
    """None where nothing was agreed on."""
    stretch: float | None
    detail: str
    at_least: bool = False
    """Whether more is better."""

    @property
    def verdict(self) -> str:
        if self.stretch is not None and self._reaches(self.stretch):
            return "stretch"
        if self.bar is None:
            return ""
        return "bar" if self._reaches(self.bar) else "MISSED"

    def _reaches(self, aim: float) -> bool:
        return self.value >= aim if self.at_least else self.value <= aim


def table(rows: Sequence[Row]) -> str:
    lines = [f"{'work':<44} {'measured':>12} {'bar':>8} {'stretch':>8}  {'reached':<8} detail"]
    for row in rows:
        bar, stretch = ("" if aim is None else f"{aim:g}" for aim in (row.bar, row.stretch))
        measured = f"{row.value:.2f} {row.unit}"
        lines.append(f"{row.work:<44} {measured:>12} {bar:>8} {stretch:>8}  {row.verdict:<8} {row.detail}")
    return "\n".join(lines)
