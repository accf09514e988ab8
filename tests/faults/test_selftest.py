"""The kill tests notice planted bugs: a harness that finds nothing could be one that looks at nothing."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from deaths import dies_everywhere, fails_everywhere, overlaps_everywhere
from plants import PLANTS
from scenes import played
from server_deaths import loses_its_server_everywhere

pytestmark = pytest.mark.slow


class Caught(NamedTuple):
    scene: str
    by: Callable[..., None]


CAUGHT_BY = {
    "stamps-first": Caught("curate-apply", dies_everywhere),
    "writes-in-place": Caught("curate-apply", dies_everywhere),
    "does-not-sync": Caught("note", dies_everywhere),
    "acknowledges-first": Caught("note", dies_everywhere),
    "sessions-in-place": Caught("capture", dies_everywhere),
    "does-not-mend": Caught("curate", dies_everywhere),
    "marks-first": Caught("drain", dies_everywhere),
    "says-it-twice": Caught("note", dies_everywhere),
    "merges-unrecorded": Caught("merge", dies_everywhere),
    "forgets-the-mark": Caught("forget", dies_everywhere),
    "takes-no-lock": Caught("curate-apply", overlaps_everywhere),
    "forge-takes-no-lock": Caught("request", overlaps_everywhere),
    "swallows-errors": Caught("note", fails_everywhere),
    "commits-each-statement": Caught("second-scan", loses_its_server_everywhere),
}


def test_every_plant_is_caught_by_something() -> None:
    assert CAUGHT_BY.keys() == PLANTS.keys()


def _planted() -> list[str]:
    """All of them in `make faults-selftest` and `make faults`; in an ordinary run those that take little time."""
    every = os.environ.get("FAULTS") in ("selftest", "all")
    return [name for name in PLANTS if every or CAUGHT_BY[name] == ("note", dies_everywhere)]


@pytest.mark.parametrize("plant", _planted())
def test_a_planted_bug_is_caught(plant: str, tmp_path: Path) -> None:
    name, find = CAUGHT_BY[plant]
    with played(name, tmp_path) as scene, pytest.raises(AssertionError, match=r"^at \d+ moments") as caught:
        find(scene, tmp_path, plant=plant)
    first, second, *_ = str(caught.value).splitlines()
    print(f"{plant}: caught {first} {second[:200]}")
