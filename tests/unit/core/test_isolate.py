"""Items that fail are collected by name; errors about the whole run pass."""

import pytest

from cairn.adapters.process.fork import fork_map
from cairn.core.isolate import collected, each, item
from cairn.core.repository.repository import may_give
from cairn.errors import UsageError


def _half(number: int) -> int:
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2


def test_the_others_are_done_and_the_bad_ones_are_named() -> None:
    with collected() as bad:
        assert list(each([2, 3, 4], _half, lambda number: f"number {number}")) == [1, 2]
    assert [(one.name, one.error) for one in bad] == [("number 3", "ValueError: 3 is odd")]


def test_without_anybody_who_collects_an_error_is_an_error() -> None:
    with pytest.raises(ValueError, match="3 is odd"):
        list(each([3], _half, str))


@pytest.mark.parametrize("error", [UsageError("no"), OSError("full"), KeyboardInterrupt()])
def test_an_error_about_the_whole_run_passes(error: BaseException) -> None:
    with collected() as bad, pytest.raises(type(error)), item("one"):
        raise error
    assert bad == []


def test_an_error_of_whoever_uses_the_results_passes() -> None:
    with collected() as bad, pytest.raises(ZeroDivisionError):
        for number in each([0], lambda number: number, str):
            assert 1 / number
    assert bad == []


def test_what_another_process_collects_comes_back() -> None:
    def work(number: int) -> list[int]:
        return list(each([number], _half, str))

    with collected() as bad:
        assert list(fork_map(2, work, [1, 2, 3, 4])) == [[], [1], [], [2]]
    assert sorted(one.name for one in bad) == ["1", "3"]


def test_an_anchor_of_many_parts_is_compared_in_linear_time() -> None:
    anchor = "-".join("ab" * 20)
    assert may_give(anchor, f"## {' '.join('ab' * 20)}\n")
    assert not may_give(f"{anchor}-c", f"## {'a b ' * 5_000}\n")
