"""Folding what analyzers say about a link's confidence into one number, whatever order they spoke in."""

from collections.abc import Iterable
from typing import NamedTuple


class Op(NamedTuple):
    """One operation of one analyzer on one link."""

    extension: str
    """Qualified id: the fold goes in its order."""
    op: str
    value: float


def fold(base: float, ops: Iterable[Op]) -> float:
    """The last `set`, then the sum of the deltas, then the highest floor, then the lowest ceiling, then one clamp.

    Sorting by the whole operation makes the result independent of the order in which they came, also when one
    extension says two things.
    """
    ordered = sorted(ops)
    value = next((op.value for op in reversed(ordered) if op.op == "set"), base)
    value += sum(op.value for op in ordered if op.op == "delta")
    value = max([value, *(op.value for op in ordered if op.op == "floor")])
    value = min([value, *(op.value for op in ordered if op.op == "ceil")])
    return round(min(1.0, max(0.0, value)), 6)
