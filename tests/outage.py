"""Kills a database server at one of the program's moments. Runs inside the program under test."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from cairn.adapters.faults.moments import Moments


def strike(number: str, server: str) -> None:
    """Everything that the server started dies with it."""
    chosen, parent = int(number), int(server)
    counted = Moments.moment

    def moment(self: Moments, name: str, *, failing: bool = False) -> None:
        counted(self, name, failing=failing)
        if not self._busy and self._count == chosen:
            _kill(parent)

    Moments.moment = moment  # type: ignore[method-assign]


def _kill(parent: int) -> None:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    for pid in (parent, *map(int, children)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
