"""No text hangs Cairn or makes it fail: every pattern is pumped, and every function of a text gets made-up texts.

`make test` runs a part that rotates with the commit, for a bounded time; `make fuzz` runs all of it for `FUZZ_SECONDS`.
"""

import os
import subprocess
import zlib
from pathlib import Path

from tests.fuzz.patterns import every
from tests.fuzz.pump import slow
from tests.fuzz.run import fuzz

SECONDS = float(os.environ.get("FUZZ_SECONDS", "20"))
PARTS = 1 if "FUZZ_SECONDS" in os.environ else 3


_KNOWN = 5
"""The turn of `make test`, so that a fault that was there before fails nobody else's commit."""


def _turn() -> int:
    """Another number for each commit, where the run is long (`make fuzz`)."""
    if "FUZZ_SEED" in os.environ:
        return int(os.environ["FUZZ_SEED"])
    if "FUZZ_SECONDS" not in os.environ:
        return _KNOWN
    root = Path(__file__).parents[2]
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, check=False).stdout
    return zlib.crc32(head)


def test_no_pattern_takes_more_than_quadratic_time() -> None:
    found = every()[_turn() % PARTS :: PARTS]
    assert list(slow(found)) == []


def test_no_text_makes_a_function_fail_or_hang() -> None:
    assert fuzz(_turn(), SECONDS) == []
