"""Draws how often decisions are wrong as the share of vandals grows, as SVG."""

from collections.abc import Callable, Iterator
from typing import Final

from cairn.trust.simulate import TARGET, SimulationResult, Sweep

_WIDTH: Final = 640
_HEIGHT: Final = 320
_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 24, 24, 56
_MOST: Final = 0.05
"""The top of the picture; what is worse is cut off."""
_LINES: Final[tuple[tuple[str, str, Callable[[SimulationResult], float]], ...]] = (
    ("wrong promotions", "#b3261e", lambda one: one.promotion_rate),
    ("wrong rollbacks", "#1a5fb4", lambda one: one.rollback_rate),
)


def svg(found: Sweep, title: str) -> str:
    shares = [one.vandals for one in found.results]
    most = max(shares) or 1.0
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
            'font-size="12">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            f'<text x="{_LEFT}" y="16" font-weight="bold">{title}</text>',
            *_axes(shares, most),
            *(line for place in range(len(_LINES)) for line in _line(found, most, place)),
            "</svg>\n",
        ]
    )


def _x(share: float, most: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * share / most, 1)


def _y(rate: float) -> float:
    return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * min(rate, _MOST) / _MOST, 1)


def _axes(shares: list[float], most: float) -> Iterator[str]:
    right, low = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for percent in range(6):
        y = _y(percent / 100)
        yield f'<path d="M{_LEFT} {y}H{right}" stroke="#dddddd"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>'
    target = _y(TARGET)
    yield f'<path d="M{_LEFT} {target}H{right}" stroke="#2e7d32" stroke-dasharray="4 4"/>'
    for share in shares:
        yield f'<text x="{_x(share, most)}" y="{low + 18}" text-anchor="middle">{share:.0%}</text>'
    middle = (_LEFT + right) / 2
    yield f'<text x="{middle}" y="{low + 38}" text-anchor="middle">share of vandals among the voters</text>'


def _line(found: Sweep, most: float, place: int) -> Iterator[str]:
    name, colour, rate = _LINES[place]
    points = [f"{_x(one.vandals, most)} {_y(rate(one))}" for one in found.results]
    yield f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
    yield f'<text x="{_LEFT + 12}" y="{_TOP + 18 + 16 * place}" fill="{colour}">{name}</text>'
