"""No text hangs Cairn or makes it fail: every pattern is pumped, and every function of a text gets made-up texts.

`make test` pumps every pattern, and makes up texts for a bounded time, the same in each run; `make fuzz` goes on for
`FUZZ_SECONDS`, with other texts for each commit.
"""

import os
import re
import subprocess
import zlib
from pathlib import Path

import pytest
from tests.fuzz.patterns import Found, every, recorded
from tests.fuzz.pump import slow
from tests.fuzz.run import fuzz, growing
from tests.fuzz.workspaces import failing

SECONDS = float(os.environ.get("FUZZ_SECONDS", "20"))


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


def test_no_pattern_takes_more_than_linear_time() -> None:
    assert list(slow(every())) == []


@pytest.mark.parametrize(
    "pattern", [r"\s*=", r"\w+\s*:", r"^(.+?)[ \t]*$", r"(a|aa)+$", r"(?:.*/)?x", r"(?:y|abc\w*)!", r"\b\d[\d,]* x"]
)
def test_a_pattern_that_is_not_linear_is_found(pattern: str) -> None:
    assert [one.place for one in slow([Found("here", re.compile(pattern), "search")])] == ["here"]


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s++=", r"\b\w++=", r"^((?:.*[^ \t])?)[ \t]*$", r"a+"])
def test_a_linear_pattern_is_not_found(pattern: str) -> None:
    assert list(slow([Found("here", re.compile(pattern), "search")])) == []


def test_patterns_that_functions_build_are_seen() -> None:
    """Such as one with a name in it, which no constant holds."""
    places = {one.place.partition(":")[0] for one in recorded()}
    assert "cairn.lib.site.detect" in places


def test_patterns_that_functions_compose_are_seen() -> None:
    """Of functions that get more than a text, such as what a change removed."""
    places = {one.place for one in every()}
    assert {"cairn.freshness.diff.python_code._imported_from", "cairn.freshness.diff.occurrence._in_block"} <= places


def test_no_text_makes_a_function_fail_or_hang() -> None:
    assert fuzz(_turn(), SECONDS) == []


def test_no_function_takes_more_than_linear_time() -> None:
    assert growing(_turn(), SECONDS / 2) == []


def test_no_document_makes_a_check_fail_or_hang(tmp_path: Path) -> None:
    assert failing(_turn(), SECONDS / 2, tmp_path) == []
