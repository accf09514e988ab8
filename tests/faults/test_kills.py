"""Every kind of work, killed, overtaken, and on a disk that fails: a rerun finishes the work, and does it once.

An ordinary run restarts the kinds that the contract names, and one of the others, from every state that a kill can
leave. Of the rest, which costs a run for each moment, it takes a part that differs from commit to commit; `make faults`
takes all."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from deaths import (
    Scene,
    chosen,
    dies_again_and_again,
    dies_everywhere,
    fails_everywhere,
    overlaps_everywhere,
    runs_out_of_room,
)
from scenes import NAMED_BY_THE_CONTRACT, OTHERS, SCENES, played
from server_deaths import loses_its_server_everywhere

pytestmark = pytest.mark.slow

PART = 3
"""Kinds of work for each kind of fault, in an ordinary run."""


def _some(fault: str, names: Iterable[str], most: int = PART) -> list[str]:
    every = list(names)
    return [every[number - 1] for number in chosen(len(every), most, of=fault)]


KILLED = [*NAMED_BY_THE_CONTRACT, *_some("kill", OTHERS, 1)]
OVERTAKEN = ["night", *_some("overlap", [name for name in SCENES if name != "night"], PART - 1)]


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    with played(request.param, tmp_path) as made:
        yield made


@pytest.mark.parametrize("scene", KILLED, indirect=True)
def test_killed_at_every_moment(scene: Scene, tmp_path: Path) -> None:
    dies_everywhere(scene, tmp_path)


@pytest.mark.parametrize("scene", _some("disk", SCENES), indirect=True)
def test_a_disk_that_fails_at_every_write(scene: Scene, tmp_path: Path) -> None:
    fails_everywhere(scene, tmp_path)


@pytest.mark.parametrize("scene", _some("room", SCENES), indirect=True)
def test_no_room_for_any_program(scene: Scene, tmp_path: Path) -> None:
    runs_out_of_room(scene, tmp_path)


@pytest.mark.parametrize("scene", OVERTAKEN, indirect=True)
def test_two_processes_at_once(scene: Scene, tmp_path: Path) -> None:
    overlaps_everywhere(scene, tmp_path)


@pytest.mark.parametrize("scene", _some("loop", SCENES), indirect=True)
def test_real_processes_killed_again_and_again(scene: Scene, tmp_path: Path) -> None:
    dies_again_and_again(scene, tmp_path)


@pytest.mark.parametrize("scene", ["second-scan"], indirect=True)
def test_postgres_killed_in_the_middle(scene: Scene, tmp_path: Path) -> None:
    loses_its_server_everywhere(scene, tmp_path)
