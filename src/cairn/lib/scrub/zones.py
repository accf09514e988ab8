"""Machine readable zones of passports and identity cards: their check digits say whether one is real."""

import re

from cairn.lib.scrub.rule import Category

Match = re.Match[str]

_WEIGHTS = (7, 3, 1)
_SHOWN = ("L898902C3", "D23145890", "C01X00T47", "C01X0006H", "L01X00T47")
"""Numbers that descriptions of the format show."""


def _check(field: str) -> str:
    values = (0 if char == "<" else int(char, 36) for char in field)
    return str(sum(value * _WEIGHTS[place % 3] for place, value in enumerate(values)) % 10)


def zone(match: Match) -> Category | None:
    """Of the number, the birthday and the day when it expires."""
    number = match["number"]
    fields = ((number, match["check"]), (match["born"][:6], match["born"][6]), (match["until"][:6], match["until"][6]))
    if match["nation"] == "UTO" or number.startswith(_SHOWN):
        return None
    return "direct" if all(_check(field) == digit.replace("<", "0") for field, digit in fields) else None


def names(match: Match) -> Category | None:
    """A line that has a country, or is filled up as only these lines are."""
    said = match["secret"]
    return "direct" if said.endswith("<<") or said[:2] in ("P<", "I<", "ID", "AC", "V<") else None


def number(match: Match) -> Category | None:
    """The first line of a card."""
    shown = match["number"].startswith(_SHOWN)
    return "direct" if not shown and _check(match["number"]) == match["check"].replace("<", "0") else None


def dates(match: Match) -> Category | None:
    """The second line of a card: the birthday and the day when it expires."""
    return "direct" if all(_check(match[day][:6]) == match[day][6] for day in ("born", "until")) else None
