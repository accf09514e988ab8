"""Which lines a change takes out and which it puts in: the fewest that turn one text into the other."""

from collections.abc import Sequence
from typing import NamedTuple

MOST = 1500
"""Differences that are followed exactly. Beyond that a page was written anew, and roughly will do."""


class LineChange(NamedTuple):
    removed: tuple[int, ...]
    """Lines of the old text, from 0."""
    added: tuple[int, ...]
    """Lines of the new one."""


def changed_lines(old: str, new: str) -> LineChange:
    """By `\\n` alone; a text that ends with one has an empty line at its end, as many lines as `split` gives."""
    before, after = old.split("\n"), new.split("\n")
    head = _same(before, after)
    tail = _same(before[head:][::-1], after[head:][::-1])
    left, right = before[head : len(before) - tail], after[head : len(after) - tail]
    removed, added = _between(left, right)
    return LineChange(tuple(head + at for at in removed), tuple(head + at for at in added))


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both start with."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return at
    return min(len(one), len(other))


def _between(left: Sequence[str], right: Sequence[str]) -> tuple[list[int], list[int]]:
    if not left or not right:
        return list(range(len(left))), list(range(len(right)))
    trace = _trace(left, right)
    return _roughly(left, right) if trace is None else _walked_back(trace, len(left), len(right))


def _trace(left: Sequence[str], right: Sequence[str]) -> list[dict[int, int]] | None:
    """Myers' greedy search: for each number of differences, how far each diagonal reaches; None when there are more
    than `MOST`."""
    reached = {1: 0}
    trace: list[dict[int, int]] = []
    for cost in range(min(len(left) + len(right), MOST) + 1):
        trace.append(dict(reached))
        for diagonal in range(-cost, cost + 1, 2):
            x = _step(reached, diagonal, cost)
            y = x - diagonal
            while x < len(left) and y < len(right) and left[x] == right[y]:
                x, y = x + 1, y + 1
            reached[diagonal] = x
            if x >= len(left) and y >= len(right):
                return trace
    return None


def _step(reached: dict[int, int], diagonal: int, cost: int) -> int:
    """Down (a line comes in) or right (one goes), whichever gets further."""
    down = diagonal == -cost or (diagonal != cost and reached[diagonal - 1] < reached[diagonal + 1])
    return reached[diagonal + 1] if down else reached[diagonal - 1] + 1


def _walked_back(trace: list[dict[int, int]], x: int, y: int) -> tuple[list[int], list[int]]:
    removed: list[int] = []
    added: list[int] = []
    for cost in range(len(trace) - 1, 0, -1):
        reached, diagonal = trace[cost], x - y
        down = diagonal == -cost or (diagonal != cost and reached[diagonal - 1] < reached[diagonal + 1])
        before = diagonal + 1 if down else diagonal - 1
        x = reached[before]
        y = x - before
        if down:
            added.append(y)
        else:
            removed.append(x)
    return removed[::-1], added[::-1]


def _roughly(left: Sequence[str], right: Sequence[str]) -> tuple[list[int], list[int]]:
    """Lines that the other side does not have as often, wherever they stand."""
    return _missing_in(left, right), _missing_in(right, left)


def _missing_in(lines: Sequence[str], other: Sequence[str]) -> list[int]:
    from collections import Counter

    there = Counter(other)
    missing = []
    for at, line in enumerate(lines):
        if there[line]:
            there[line] -= 1
        else:
            missing.append(at)
    return missing
