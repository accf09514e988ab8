"""Numbers of people drawn by lot, by the form and the check digit of their country."""

import re
from functools import cache
from random import Random

from cairn.lib.scrub import check_digits
from cairn.lib.scrub.nearby import _holds, is_shown
from cairn.lib.scrub.rules.people import _ATOM, StateNumber


def drawn(state: StateNumber, draw: Random) -> str:
    """A number of the first form with a right check digit. A birthday comes more often than by chance."""
    for _ in range(60_000):
        number = "".join(_character(atom, draw) for atom in _atoms(state.form.split("||")[0]))
        number = _with_birthday(number, draw)
        checks = [getattr(check_digits, name) for name in state.by.split()]
        fits = re.fullmatch(state.form.split("||")[0], number)
        if fits and len(set(number)) > 3 and not is_shown(number) and any(_holds(check, number) for check in checks):
            return number
    raise AssertionError(state)


@cache
def _atoms(form: str) -> list[str]:
    return [atom for atom, least, _, maybe in _ATOM.findall(form) for _ in range(0 if maybe else int(least or 1))]


def _character(atom: str, draw: Random) -> str:
    return draw.choice(_fitting(atom))


@cache
def _fitting(atom: str) -> list[str]:
    return [char for char in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" if re.fullmatch(atom, char)]


def _with_birthday(number: str, draw: Random) -> str:
    """Where a number has six digits in a row, sometimes a day of a month stands there."""
    found = re.search(r"\d{6,}", number)
    if found is None or draw.random() < 0.4:
        return number
    at = found.start() + draw.choice([0, 1, 2, 4, 6])
    return (
        number[:at] + f"0{draw.randint(1, 9)}0{draw.randint(1, 9)}" + number[at + 4 :]
        if at + 4 <= len(number)
        else number
    )
