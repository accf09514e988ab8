"""Names: how they are compared, which known one was meant, and as the name of a file."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

from cairn.errors import Conflict

if TYPE_CHECKING:
    from difflib import SequenceMatcher


def nearest(word: str, known: Iterable[str], *, at_least: float = 0.6) -> str | None:
    """The known name most like `word`, or None when nothing is close. `strict` is close to `scan.strict`."""
    from difflib import SequenceMatcher  # only needed when somebody mistyped

    matcher = SequenceMatcher(b=word.lower())
    best, found = at_least, None
    for name in sorted(known):
        like = _likeness(matcher, name, best)
        if "." in name and "." not in word:
            like = max(like, 0.95 * _likeness(matcher, name.rpartition(".")[2], best))
        if like > best or (like == best and found is None):
            best, found = like, name
    return found


def _likeness(matcher: "SequenceMatcher[str]", name: str, at_least: float) -> float:
    """From 0 to 1. What can't reach that much is not looked at closely: there may be many thousand names."""
    matcher.set_seq1(name.lower())
    if matcher.real_quick_ratio() < at_least or matcher.quick_ratio() < at_least:
        return 0.0
    return matcher.ratio()


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    name = nearest(word, known)
    return f"; did you mean '{name}'?" if name else ""


def hint(word: str, known: Iterable[str], otherwise: str, *, at_least: float = 0.6) -> str:
    """The end of a sentence: what was probably meant, or what to do otherwise."""
    name = nearest(word, known, at_least=at_least)
    return f"did you mean `{name}`?" if name else otherwise


# White space as JavaScript has it, so that names written by other tools compare the same.
_SEPARATORS = re.compile("[-_\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def knowledge_name(text: str) -> str:
    """A name in the room of its own in which pages of knowledge call each other: no `@name` or `/name` leads there."""
    return f"&{normalize_trigger(text)}"


def normalize_trigger(text: str) -> str:
    """NFD, marks dropped, lower case, each run of `-`, `_` and white space one blank. `/`, `@`, `:`, `.` stay."""
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    text = "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")
    return _SEPARATORS.sub(" ", text.lower()).strip(" ")


LONGEST = 60
TRIES = 4
"""How many pages of one title there may be: `name`, `name-2`, `name-3`, `name-4`."""

NAME = re.compile(r"[a-z][a-z0-9-]*")
"""What the name of a page looks like."""

_GAP = re.compile(r"[^a-z0-9]+")

# Letters that have no ASCII letter inside them; what has one is found by taking it apart.
_SPELLED = """
    ß ss  æ ae  œ oe  ø o  đ d  ð d  þ th  ł l  ı i  ħ h
    α a  β b  γ g  δ d  ε e  ζ z  η i  θ th  ι i  κ k  λ l  μ m  ν n  ξ x  ο o  π p  ρ r  σ s  ς s  τ t  υ y  φ f  χ ch
    ψ ps  ω o  а a  б b  в v  г g  д d  е e  ж zh  з z  и i  к k  л l  м m  н n  о o  п p  р r  с s  т t  у u  ф f
    х kh  ц ts  ч ch  ш sh  щ shch  ы y  э e  ю yu  я ya  є ye  і i  ґ g  ђ dj  ј j  љ lj  њ nj  ћ c  џ dz
"""
_WORDS = _SPELLED.split()
_LETTERS = str.maketrans({**dict(zip(_WORDS[::2], _WORDS[1::2], strict=True)), "ъ": "", "ь": ""})


def slug(title: str, *, fallback: str = "entry") -> str:
    """A title that ASCII cannot spell gets a few digits of its hash, so that no two titles fall together by that."""
    spelled = _spelled(title)
    words = _GAP.sub("-", spelled).strip("-")
    if any(char.isalnum() and not char.isascii() for char in spelled):
        digits = sha256(unicodedata.normalize("NFC", title.strip()).encode("utf-8", "replace")).hexdigest()[:8]
        words = f"{_cut(words, LONGEST - 9) or fallback}-{digits}"
    words = _cut(words, LONGEST) or "untitled"
    return words if words[0].isalpha() else f"{fallback}-{words}"


def _spelled(title: str) -> str:
    """In lower case, with letters of Latin, Greek and Cyrillic as ASCII; everything else as it is."""
    text = unicodedata.normalize("NFKD", title.lower().translate(_LETTERS))
    return "".join(char for char in text if not unicodedata.combining(char)).translate(_LETTERS)


def _cut(text: str, most: int) -> str:
    """Between two words where there is such a place in the second half."""
    if len(text) <= most:
        return text
    at = text.rfind("-", most // 2, most + 1)
    return text[: at if at > 0 else most].strip("-")


def unused(base: str, taken: Callable[[str], bool]) -> str:
    """The name itself, or with the first number that makes it one of its own."""
    for name in (base, *(f"{base}-{number}" for number in range(2, TRIES + 1))):
        if not taken(name):
            return name
    last = f"{base}-{TRIES}"
    raise Conflict(f"`{base}` and its numbers up to `{last}` are taken; give a title that tells them apart, or --name.")
