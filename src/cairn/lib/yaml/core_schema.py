"""Resolves plain YAML scalars by the core schema, with numbers as js-yaml 4 reads them."""

import re
from math import inf, isfinite, nan
from typing import Final

NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
TRUE: Final = frozenset({"true", "True", "TRUE"})
FALSE: Final = frozenset({"false", "False", "FALSE"})

_INTEGER = re.compile(r"([-+]?)(?:0b([01_]+)|0x([\da-fA-F_]+)|0o([0-7_]+)|(0|[1-9][\d_]*))(?<!_)")
_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?(?<!_)")
_INFINITY = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_LEADING_ZERO = re.compile(r"[-+]?0\d")
_MOST_DIGITS = 1_024
"""A longer integer is beyond every double, whatever its base."""

odd_number = re.compile(r"[-+]?[\d.][\d._]*+(?:[eE][-+]?\d+)?").fullmatch
"""Whether a text may be a number that the fast parser leaves as text: `1_000`, `1e400`."""


def core_scalar(text: str) -> object:
    """The value of a plain scalar."""
    if text in NULLS:
        return None
    if text in TRUE or text in FALSE:
        return text in TRUE
    number = core_number(text)
    return text if number is None else number


def core_number(text: str) -> int | float | None:
    """The number that a text spells, or None. Integers are exact; a hash takes them as doubles, like JavaScript."""
    if not text or text[0] not in "+-.0123456789":
        return None
    if found := _INFINITY.fullmatch(text):
        return -inf if found[1] == "-" else inf
    if text in _NAN:
        return nan
    if found := _INTEGER.fullmatch(text):
        return _integer(found)
    if _FLOAT.fullmatch(text) and not _LEADING_ZERO.match(text):
        return float(text.replace("_", ""))
    return None


def _integer(found: re.Match[str]) -> int | float:
    sign, binary, hexadecimal, octal, decimal = found.groups()
    bases = ((binary, 2), (hexadecimal, 16), (octal, 8), (decimal, 10))
    digits, base = next((digits.replace("_", ""), base) for digits, base in bases if digits)
    if len(digits) > _MOST_DIGITS:
        return float(f"{sign}inf")
    return -int(digits, base) if sign == "-" else int(digits, base)


def key_text(value: object) -> str:
    """A scalar key as text, as JavaScript writes it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_text(value)
    return str(value)


def _float_text(value: float) -> str:
    if not isfinite(value):
        return "NaN" if value != value else "-Infinity" if value < 0 else "Infinity"
    return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
