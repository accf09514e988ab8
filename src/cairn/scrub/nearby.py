"""The words around a number, and the rules that they lead to."""

import re
from collections.abc import Iterable
from itertools import pairwise

from cairn.scrub.plan import Plan

BEFORE, AFTER = 90, 48
"""Characters around a number in which a word counts. Labels stand before it, often on the line above."""
TABLE = 2_000
"""Characters above a number in which the head of its table may stand."""
_OF_ID = frozenset("no nr nos num number numbers nummer nommer numero número card code kaart karte doc".split())
_WORD = re.compile(r"[^\W\d_]{2,32}")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
_ABBREVIATED = re.compile(r"(?<=\b[^\W\d_])\.(?=[^\W\d_]\b)")
"""The dots of `N.I.F.`"""


def rules_near(text: str, start: int, end: int, plan: Plan) -> Iterable[int]:
    found = dict.fromkeys(plan.all_numbers)
    around = f"{_header(text, start)} {text[max(0, start - BEFORE) : start]} {_line(text, end)}"
    for word in words_of(around):
        for order in plan.near.get(word, ()):
            found[order] = None
        if word.startswith(plan.near_stems):
            found.update(dict.fromkeys(order for stem, order in plan.stems if word.startswith(stem)))
    if not around.isascii():
        around = around.lower()
        for word in plan.near_unspaced:
            if word in around:
                found.update(dict.fromkeys(plan.near[word]))
    return found


def words_of(text: str) -> list[str]:
    """In lower case; `nationalId` is two of them, and `idnumber` is whatever number an id has."""
    words = _WORD.findall(_HUMP.sub(" ", _ABBREVIATED.sub("", text)).lower())
    if any(one == "id" and other in _OF_ID for one, other in pairwise(words)):
        words.append("idnumber")
    return words


def _header(text: str, start: int) -> str:
    """The first line of the table that the number stands in, if it stands in one."""
    line = text.rfind("\n", max(0, start - TABLE), start) + 1
    sign = next((sign for sign in "|;\t," if sign in text[line : line + 400].partition("\n")[0]), "")
    if not sign or not line:
        return ""
    top = text.rfind("\n\n", max(0, start - TABLE), start) + 2
    top = max(top, start - TABLE, 0) if top > 1 else max(0, start - TABLE)
    first = text[top:line].partition("\n")[0]
    return first if sign in first and len(first) < 400 else ""


def _line(text: str, end: int) -> str:
    """What follows on the same line."""
    after = text[end : end + AFTER]
    return after.partition("\n")[0]
