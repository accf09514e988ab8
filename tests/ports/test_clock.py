"""The clock port."""

import time

import pytest

from cairn.adapters.clock.memory import SettableClock
from cairn.adapters.clock.system import SystemClock
from cairn.core.ports.runtime import Clock


@pytest.mark.parametrize("clock", [SystemClock(), SettableClock()], ids=["system", "memory"])
def test_milliseconds_and_a_time_that_never_goes_back(clock: Clock) -> None:
    assert clock.now_ms() > 1_700_000_000_000
    first = clock.monotonic()
    assert clock.monotonic() >= first


def test_the_system_clock_is_the_machines() -> None:
    before = time.time_ns() // 1_000_000
    assert before <= SystemClock().now_ms() <= time.time_ns() // 1_000_000


def test_a_settable_clock_stands_still_until_told() -> None:
    clock = SettableClock(1_000)
    assert (clock.now_ms(), clock.now_ms()) == (1_000, 1_000)
    clock.advance(500)
    assert (clock.now_ms(), clock.monotonic()) == (1_500, 0.5)
    clock.set(10)
    assert (clock.now_ms(), clock.monotonic()) == (10, 0.5)
