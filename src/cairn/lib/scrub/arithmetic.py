"""Building blocks of check digits: weights, Luhn, Verhoeff, ISO 7064, and birthdays."""

from collections.abc import Iterable
from datetime import date


def weighed(digits: str, weights: Iterable[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(digits: str) -> bool:
    """Of cards and many more: every second digit from the right counts twice."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


_MIXED = "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258".split()
_TURNED = (
    "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 8765932104 9876543210"
)
_TURN = [[int(char) for char in row] for row in _TURNED.split()]


def verhoeff(digits: str) -> bool:
    """Permutations instead of weights: it also notices digits that changed places."""
    check = 0
    for place, char in enumerate(reversed(digits)):
        check = _TURN[check][int(_MIXED[place % 8][int(char)])]
    return check == 0


def mod_11_10(digits: str) -> bool:
    """ISO 7064, of Germany and Croatia."""
    check = 5
    for char in digits:
        check = ((check or 10) * 2 % 11 + int(char)) % 10
    return check == 1


def is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def short_date(digits: str, order: str = "ymd") -> bool:
    """Six digits; the century is open."""
    parts = {name: int(digits[at : at + 2]) for name, at in zip(order, (0, 2, 4), strict=True)}
    return any(is_date(century + parts["y"], parts["m"], parts["d"]) for century in (1900, 2000))


def long_date(digits: str) -> bool:
    return is_date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
