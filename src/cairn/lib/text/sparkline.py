"""Draws numbers as one line of block characters."""

from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int]) -> str:
    """A day without a turn is a dot, so that it cannot be taken for a day with few."""
    most = max(values, default=0)
    return "".join(_BLOCKS[(value * (len(_BLOCKS) - 1)) // most] if value else "·" for value in values)
