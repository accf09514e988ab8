"""Watching, with a clock and a sleep that the test moves."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.files.local import LocalFiles
from cairn.core.ports.files import WalkRequest
from cairn.graph.watch import Beat, beats


class Sleeper:
    """Runs the next of some steps each time that somebody sleeps."""

    def __init__(self, clock: SettableClock, *steps: Callable[[], object]) -> None:
        self.clock = clock
        self.steps = list(steps)
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(int(seconds * 1000))
        if self.steps:
            self.steps.pop(0)()
        assert len(self.slept) < 100, "it never noticed"


def run(root: Path, *steps: Callable[[], object]) -> tuple[Iterator[Beat], Sleeper]:
    clock = SettableClock()
    sleeper = Sleeper(clock, *steps)
    return beats(LocalFiles(root), WalkRequest(), clock=clock, sleep=sleeper, debounce=0.5), sleeper


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text("one")
    return path


@pytest.mark.parametrize("change", ["edit", "add", "remove", "rename"])
def test_each_kind_of_change_is_a_beat(page: Path, change: str):
    steps = {
        "edit": lambda: page.write_text("two!"),
        "add": lambda: (page.parent / "b.md").write_text("x"),
        "remove": page.unlink,
        "rename": lambda: page.rename(page.with_name("c.md")),
    }
    found, sleeper = run(page.parent, lambda: None, steps[change])
    assert next(found) == Beat(1)
    assert sleeper.slept == [0.25, 0.25, 0.5]


def test_it_waits_until_the_files_have_come_to_rest(page: Path):
    busy = [lambda n=n: page.write_text("x" * n) for n in range(5, 9)]
    found, sleeper = run(page.parent, *busy)
    assert next(found) == Beat(1)
    assert sleeper.slept == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_it_does_not_wait_forever(page: Path):
    found, sleeper = run(page.parent, *[lambda n=n: page.write_text("x" * n) for n in range(5, 60)])
    assert [beat.number for beat in islice(found, 2)] == [1, 2]
    assert sleeper.slept.count(0.5) == 40


def test_a_file_of_another_kind_is_no_change(page: Path):
    found, sleeper = run(
        page.parent, lambda: (page.parent / "x.txt").write_text("x"), lambda: None, lambda: page.write_text("two!")
    )
    next(found)
    assert sleeper.slept == [0.25, 0.25, 0.25, 0.5]
