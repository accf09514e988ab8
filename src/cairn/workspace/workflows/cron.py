"""Is this a schedule as cron, and GitHub, understand it?"""

import re
from typing import Final, NamedTuple

from cairn.errors import UsageError


class _Field(NamedTuple):
    name: str
    lowest: int
    highest: int
    words: tuple[str, ...] = ()
    """Names for the numbers from the lowest on."""


_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 6, _DAYS),
)
_PART: Final = re.compile(r"(?:\*|(\w{1,3})(?:-(\w{1,3}))?)(?:/(\d{1,2}))?", re.ASCII)


def checked_schedule(text: str) -> str:
    """In its normal spelling; `UsageError` says which field is wrong."""
    fields = text.split()
    if len(fields) != len(_FIELDS):
        names = ", ".join(field.name for field in _FIELDS)
        raise UsageError(f"`{text}` is no schedule: it needs five fields ({names}), such as `0 9 * * *`.")
    for given, field in zip(fields, _FIELDS, strict=True):
        if not all(_fits(part, field) for part in given.split(",")):
            raise UsageError(
                f"`{given}` is no {field.name} of a schedule; write a number from {field.lowest} to {field.highest}, a "
                "range like 1-5, a step like */6, or *."
            )
    return " ".join(fields)


def _fits(part: str, field: _Field) -> bool:
    found = _PART.fullmatch(part)
    if found is None:
        return False
    first, last, step = found.groups()
    numbers = [_number(word, field) for word in (first, last) if word is not None]
    if any(number is None for number in numbers) or (step is not None and int(step) == 0):
        return False
    return len(numbers) < 2 or int(numbers[0] or 0) <= int(numbers[1] or 0)


def _number(word: str, field: _Field) -> int | None:
    if word.upper() in field.words:
        return field.lowest + field.words.index(word.upper())
    return int(word) if word.isdigit() and field.lowest <= int(word) <= field.highest else None
