"""Gives the kinds of the legend colours that can be told apart."""

import re
from collections.abc import Iterable, Mapping

_HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_FAR = 1000.0
_SPARE = (
    "#f59e0b", "#8b5cf6", "#10b981", "#db2777", "#0e7490", "#65a30d", "#9a3412", "#7aa2d8", "#4338ca", "#ef4444",
    "#06b6d4", "#f9a8d4", "#a3a800", "#b3a898", "#d946ef", "#94a3b8", "#d97706", "#166534", "#c084fc", "#64748b",
)  # fmt: skip
_ALIKE = 70.0
"""Distance below which two dots of a few pixels look the same."""


def distinct(wanted: Mapping[str, str]) -> dict[str, str]:
    """By label, the most important first: it has the colour it wants, and so have the others unless that is taken."""
    given: dict[str, str] = {}
    for label, colour in wanted.items():
        given[label] = colour if _nearest(colour, given.values()) >= _ALIKE else _other(list(given.values()))
    return given


def _other(taken: list[str]) -> str:
    """The spare colour that differs most; with more kinds than those, one by its number."""
    best = max(_SPARE, key=lambda spare: _nearest(spare, taken))
    return best if _nearest(best, taken) > 0 else f"#{0x152535 * len(taken) % 0x1000000:06x}"


def _nearest(colour: str, others: Iterable[str]) -> float:
    return min((distance(colour, other) for other in others), default=_FAR)


def distance(one: str, other: str) -> float:
    """How different two colours look, roughly: weighted by what eyes see (https://www.compuphase.com/cmetric.htm)."""
    if not (first := _HEX.fullmatch(one)) or not (second := _HEX.fullmatch(other)):
        return 0.0 if one == other else _FAR  # the kind of a plugin may have a colour with a name
    (r1, g1, b1), (r2, g2, b2) = _parts(first), _parts(second)
    red = (r1 + r2) / 2
    square = (2 + red / 256) * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + (2 + (255 - red) / 256) * (b1 - b2) ** 2
    return float(square**0.5)


def _parts(colour: re.Match[str]) -> tuple[int, int, int]:
    red, green, blue = (int(part, 16) for part in colour.groups())
    return red, green, blue
