"""The words around a number, and the rules that they lead to."""

import re
from collections.abc import Iterable

from cairn.scrub.plan import Plan

BEFORE, AFTER = 90, 48
"""Characters around a number in which a word counts. Labels stand before it, often on the line above."""
_WORD = re.compile(r"[^\W\d_]{2,32}")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
_ABBREVIATED = re.compile(r"(?<=\b[^\W\d_])\.(?=[^\W\d_]\b)")
"""The dots of `N.I.F.`"""


def rules_near(text: str, start: int, end: int, plan: Plan) -> Iterable[int]:
    found = dict.fromkeys(plan.all_numbers)
    around = f"{text[max(0, start - BEFORE) : start]} {_line(text, end)}"
    for word in words_of(around):
        for order in plan.near.get(word, ()):
            found[order] = None
        if word.startswith(plan.near_stems):
            found.update(dict.fromkeys(order for stem, order in plan.stems if word.startswith(stem)))
    if not around.isascii():
        for word in plan.near_unspaced:
            if word in around:
                found.update(dict.fromkeys(plan.near[word]))
    return found


def words_of(text: str) -> list[str]:
    """In lower case; `nationalId` is two of them."""
    return _WORD.findall(_HUMP.sub(" ", _ABBREVIATED.sub("", text)).lower())


def _line(text: str, end: int) -> str:
    """What follows on the same line."""
    after = text[end : end + AFTER]
    return after.partition("\n")[0]
