"""Building blocks of check digits: weights, Luhn, Verhoeff, ISO 7064, birthdays, and account numbers."""

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


_LENGTHS = {
    length: countries.split()
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL FK",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
}
LENGTH_OF: dict[str, int] = {country: length for length, countries in _LENGTHS.items() for country in countries}


def is_iban(text: str) -> bool:
    """With or without spaces."""
    number = "".join(text.split()).upper()
    return len(number) == LENGTH_OF.get(number[:2]) and remainder(number[4:] + number[:4]) == 1


def remainder(text: str) -> int:
    """Modulo 97, with A as 10 up to Z as 35."""
    return int("".join(str(int(char, 36)) for char in text)) % 97
