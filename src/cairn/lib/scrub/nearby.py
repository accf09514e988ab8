"""The words around a number, and the rules that they lead to."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from cairn.lib.scrub.letters import folded
from cairn.lib.scrub.plan import ScrubPlan

BEFORE, AFTER = 90, 48
"""Characters around a number in which a word counts. Labels stand before it, often on the line above."""
TIGHT = 18
"""Characters before a number in which a word counts that means other things elsewhere."""
TABLE = 2_000
"""Characters above a number in which the head of its table may stand."""
_NUMBER_WORDS = frozenset(
    "no nr nos num numb number numbers nummer nommer numero numara numarasi nro nru numer numeris cislo cis broj број br szam sz stevilka st "
    "nomer nomor nombor so code card kaart karte doc номер код".split()
)
_WORD = re.compile(r"[^\W\d_]{2,32}")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
_ABBREVIATED = re.compile(
    r"(?<=(?<![^\W\d_])[^\W\d_])(?:(?:[./]|[.] |[\"״׳])(?=[^\W\d_](?![^\W\d_]))|[.-](?=[^\W\d_]{2}))"
)
"""The gaps of `N.I.F.`, `a. k.`, `K/P`, `p-nr` and `f.nr`."""
_NUMBER_SIGN = re.compile(r"[#№]|(?<![^\W\d_])(?<!\w\.)[Nn](?:\.?[°º]|\.(?= ))")
LETTER = re.compile(r"(?<![^\W_])[TMFPHtmp][:.] ?\(?$")
"""`T: 030 …`, as signatures have it."""
_OF_NUMBER = re.compile(r"(?<=[\s:])[A-Z]$")
"""The letter that `V6625348` begins with."""
_INSERTED = re.compile(r"\(([^()\n]{1,200})\)\s{0,4}values\s{0,4}\([^()\n]{0,160}$", re.IGNORECASE)
_CUT = re.compile(r"[^\W\d_]*")


def rules_near(text: str, start: int, end: int, plan: ScrubPlan) -> Iterable[int]:
    found = dict.fromkeys(plan.all_numbers)
    header, before = _header(text, start), _OF_NUMBER.sub("", text[max(0, start - BEFORE) : start])
    around = f"{header} {before} {_line(text, end)}"
    for word in words_of(around):
        for order in plan.near.get(word, ()):
            found[order] = None
        if word.startswith(plan.near_stems):
            found.update(dict.fromkeys(order for stem, order in plan.stems if word.startswith(stem)))
    for word in words_of(f"{header} {_last(before)}"):
        for order in plan.near.get(f"{word}!", ()):
            found[order] = None
    if LETTER.search(before[-5:]):
        found.update(dict.fromkeys(plan.near.get(":", ())))
    if not around.isascii():
        around = folded(around)
        for word in plan.near_unspaced:
            if word in around:
                found.update(dict.fromkeys(plan.near[word]))
    return found


def words_of(text: str) -> set[str]:
    """Folded; `nationalId` is two of them and `a. k.` is one. Two neighbours also count as one word, and whatever
    stands for *number* in it is `nr`: `SS#`, `n.º SS` and `SS number` all are `ssnr`."""
    text = _ABBREVIATED.sub("", _NUMBER_SIGN.sub(" nr ", text))
    split = _HUMP.sub(" ", text)
    words = _WORD.findall(folded(split))
    whole = _WORD.findall(folded(text)) if split != text else ()
    return {*words, *whole, *_joined(words)}


def _joined(words: list[str]) -> Iterator[str]:
    for one, other in pairwise(words):
        if one in _NUMBER_WORDS and other != "id":  # "no id" says that there is none
            yield f"{other}nr"
        yield f"{one}{'nr' if other in _NUMBER_WORDS else other}"


def _last(before: str) -> str:
    """The end of it that begins with a whole word; of the line above only when the number begins its own."""
    line = before.rstrip().rpartition("\n")[2] if not before.strip(" \t").endswith("\n") else before.rstrip()
    return line if len(line) <= TIGHT else _CUT.sub("", line[-TIGHT:], count=1)


def _header(text: str, start: int) -> str:
    """The first line of the table that the number stands in, or the columns of a statement that inserts it."""
    if inserted := _INSERTED.search(text, max(0, start - 400), start):
        return inserted[1]
    line = text.rfind("\n", max(0, start - TABLE), start) + 1
    row = text[line : line + 400].partition("\n")[0]
    sign = next((sign for sign in "|;\t," if sign in row), "")
    if not sign or not line:
        return ""
    top = text.rfind("\n\n", max(0, start - TABLE), start) + 2
    top = max(top, start - TABLE, 0) if top > 1 else max(0, start - TABLE)
    if top and text[top - 1] != "\n":
        return ""  # the table begins further up
    first = text[top:line].partition("\n")[0]
    return first if first.count(sign) == row.count(sign) and len(first) < 400 else ""


def _line(text: str, end: int) -> str:
    """What follows on the same line."""
    after = text[end : end + AFTER]
    return after.partition("\n")[0]
