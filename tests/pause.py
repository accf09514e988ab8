"""Stops the program at one of its moments, until it is told to go on. Runs inside the program under test."""

import os
import time
from pathlib import Path

from cairn.adapters.faults.moments import Moments

PAUSED, GO_ON = "paused", "go-on"
_STEP = 0.005
_LONGEST = 60.0


def pause(number: str, folder: str) -> None:
    """At the moment of that number, in this process."""
    process, chosen, place = os.getpid(), int(number), Path(folder)
    counted = Moments.moment

    def moment(self: Moments, name: str, *, failing: bool = False) -> None:
        if self._busy or os.getpid() != process:
            return
        counted(self, name, failing=failing)
        if self._count == chosen:
            self._busy = True
            try:
                _wait(place)
            finally:
                self._busy = False

    Moments.moment = moment  # type: ignore[method-assign]


def _wait(place: Path) -> None:
    (place / PAUSED).touch()
    until = time.monotonic() + _LONGEST
    while not (place / GO_ON).exists() and time.monotonic() < until:
        time.sleep(_STEP)
