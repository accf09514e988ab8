"""Decides whether a number near its word, or of a telling form, is one that a state gave to a person."""

import re

from cairn.lib.scrub import check_digits
from cairn.lib.scrub.check_digits import Valid
from cairn.lib.scrub.rule import Category, Check

_GAPS = re.compile(r"[\s./()–-]+")
_DATE = re.compile(
    r"(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1[0-3]?\d(?!\d)|[0-3]?\d([-/.])[01]?\d\2(?:19|20)\d\d(?!\d)"
)
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_PART = re.compile(
    r"(?:part|item|sku|model|order|serial|catalog|invoice|ticket|case|batch|lot)s?(?:[ _-]?(?:no|nr|num|number|id))?[.:#]{0,2} ?[#\"']?$",
    re.IGNORECASE,
)
_COUNTED = ("0123456789", "1234567890", "9876543210")
_SHOWN = frozenset("123456789 987654321 12345678Z 00000000T AB123456C QQ123456C 078051120 219099999 457555462".split())
"""Numbers that descriptions of a format show."""


def compact(text: str) -> str:
    return _GAPS.sub("", text).upper()


def valid(*names: str, otherwise: Category | None = None, category: Category = "direct") -> Check:
    """A check by one of these functions of `check_digits`."""
    checks: list[Valid] = [getattr(check_digits, name) for name in names]

    def check(match: re.Match[str]) -> Category | None:
        text = match["secret"] if "secret" in match.re.groupindex else match[0]
        number = without_country(compact(text))
        if is_shown(number) or _DATE.match(text) or _ADDRESS.fullmatch(text) or _is_part(match):
            return None
        return category if any(_holds(one, number) for one in checks) else otherwise

    return check


def _is_part(match: re.Match[str]) -> bool:
    """Of something that is sold or tracked."""
    return _PART.search(match.string, max(0, match.start() - 24), match.start()) is not None


def _holds(check: Valid, number: str) -> bool:
    """A check is written for one form; a number of another form is none."""
    try:
        return check(number)
    except (ValueError, IndexError, KeyError):
        return False


def without_country(number: str) -> str:
    """`PT208565434` is written with its country."""
    return number[2:] if number[:2].isalpha() and len(number) > 10 and number[2:].isdigit() else number


_PAN = re.compile(r"\bpan\b", re.IGNORECASE)


def pan(match: re.Match[str]) -> Category | None:
    """India's; in small letters only near its name."""
    named = _PAN.search(match.string, max(0, match.start() - 40), match.start())
    if match[0] in ("ABCDE1234F", "AAAPL1234C") or not (named or match[0].isupper()):
        return None
    return "direct"


def is_shown(number: str) -> bool:
    """Typed where a number should stand: one digit again and again, or counted up."""
    digits = "".join(char for char in number if char.isdigit())
    counted = len(digits) >= 8 and any(digits in way * 2 for way in _COUNTED)
    few = 2 if len(digits) <= 6 else 3
    return number in _SHOWN or len(set(digits)) < few or counted
