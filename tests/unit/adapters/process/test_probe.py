"""Work that may not come back is tried out by a child."""

import os

from cairn.adapters.process.probe import comes_back


def test_work_that_ends() -> None:
    assert comes_back(lambda: sum(range(1_000)))


def test_work_that_does_not_end() -> None:
    assert not comes_back(_for_ever, seconds=0.05)


def test_work_that_raises() -> None:
    assert not comes_back(lambda: 1 // 0)


def test_what_the_work_does_stays_there() -> None:
    seen: list[int] = []
    assert comes_back(lambda: seen.append(os.getpid()))
    assert seen == []


def _for_ever() -> None:
    while True:
        pass
