"""Text as atoms: words, names, numbers with their units, versions, dates. What compares equal says the same."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from cairn.lib.text.lexicon import (
    CONCEPTS,
    MONTHS,
    MULTIPLIERS,
    NEGATIONS,
    NUMBER_WORDS,
    OPPOSITES,
    PHRASES,
    STOP,
    UNITS,
)

Kind = Literal["word", "name", "number", "version", "date", "logic", "stop"]

STRONG = frozenset({"name", "number", "version", "date"})
"""Kinds that are facts by themselves."""

NAME_MARK = "·"

VALUES = frozenset({"number", "version", "date"})


class Atom(NamedTuple):
    kind: Kind
    key: str
    """What it says, however it is spelled: `5 minutes` and `300 s` have one key."""
    text: str

    @property
    def counts(self) -> bool:
        """Whether it is about something, rather than holding a sentence together."""
        return self.kind not in ("stop", "logic")


def atoms(text: str) -> list[Atom]:
    """In order, words that say nothing among them."""
    found = [atom for chunk in _CHUNK.findall(_spelled(text)) for atom in _classified(chunk)]
    if any(atom.kind == "number" or atom.text.lower() in NUMBER_WORDS for atom in found):
        return list(_joined(found))
    return found


def parts(some: Iterable[Atom]) -> frozenset[str]:
    """Words inside of names: `rerere.enabled` is about `rerere`, too."""
    names = (atom.text for atom in some if atom.kind == "name")
    return frozenset(concept(word.lower()) for name in names for word in _PARTS.findall(name) if len(word) > 3)


_PARTS = re.compile(r"[A-Z]?[a-z]+")
_CHUNK = re.compile(r"(?:US)?[$€£¥]?\d+(?:[.,]\d+)*[^\s()\[\]{}\",;|“”«»*`]*|[^\s()\[\]{}\",;|“”«»*`]+")


def _spelled(text: str) -> str:
    """With dates in one spelling and what counts as one word as one word."""
    if _YEAR.search(text):
        text = _dates().sub(_date, text)
    return _phrases().sub(lambda found: PHRASES[" ".join(found[0].lower().split())], text)


_YEAR = re.compile(r"(?:19|20)\d\d")


@cache
def _phrases() -> "re.Pattern[str]":
    choices = "|".join(phrase.replace(" ", r"\s+") for phrase in sorted(PHRASES, key=len, reverse=True))
    return re.compile(rf"\b(?:{choices})\b", re.IGNORECASE)


@cache
def _dates() -> "re.Pattern[str]":
    month = "|".join(sorted(MONTHS, key=len, reverse=True))
    return re.compile(
        rf"\b(?P<m>{month})\.?\s+(?:(?P<d>\d\d?)(?:st|nd|rd|th)?,?\s+)?(?P<y>(?:19|20)\d\d)\b"
        rf"|\b(?P<d2>\d\d?)\.?\s+(?P<m2>{month})\.?,?\s+(?P<y2>(?:19|20)\d\d)\b",
        re.IGNORECASE,
    )


def _date(found: "re.Match[str]") -> str:
    part = found.groupdict()
    month = MONTHS[(part["m"] or part["m2"]).lower()]
    day = part["d"] or part["d2"]
    return f"{part['y'] or part['y2']}-{month:02}" + (f"-{int(day):02}" if day else "")


# --- one chunk ------------------------------------------------------------------------------------------------------

_ISO = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?$")
_VERSION = re.compile(r"v\d+(?:\.\d+)*(?:\.x)?$|\d+(?:\.\d+){2,}(?:[-+][\w.]+)?$|\d+(?:\.\d+)*\.x$", re.IGNORECASE)
_RATIO = re.compile(r"\d+(?:\.\d+)?:\d+(?:\.\d+)?$")
_NUMBER = re.compile(r"((?:US)?[$€£¥])?(\d+(?:[.,]\d+)*)([a-zµ%]*)(\+?)", re.IGNORECASE)
_NAME = re.compile(
    r"[A-Z][a-zA-Z]+(?:-[A-Z][a-zA-Z]*)+$|.*(?:[_$@#<>=\\]|::|\(\)|[a-z][A-Z]|\w[./:]\w|^--?[a-z]|^[/.]\w|[A-Za-z]\d|\d[A-Za-z])"
)
_SIGN = re.compile(r"[<>=!≤≥]+$")
_PLAIN_PAIR = re.compile(r"[A-Za-z]+(?:/[A-Za-z]+)+$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?$")


_LONGEST_CHUNK = 400
"""Characters. Each number of a chunk is a step of a recursion, and nobody writes so many without a blank."""


@lru_cache(16384)
def _classified(chunk: str) -> tuple[Atom, ...]:
    text = chunk.strip("'‘’…").rstrip(".:!?'’")
    if not text:
        return ()
    if len(text) > _LONGEST_CHUNK:
        return (Atom("name", named(text), text),)
    if _ISO.match(text):
        return (Atom("date", text[:10], text),)
    if _VERSION.match(text):
        return (Atom("version", text.lower().removeprefix("v"), text),)
    if _RATIO.match(text):
        return (Atom("number", text, text),)
    if number := _NUMBER.match(text):
        return tuple(_numeric(text, number))
    if _SIGN.match(text):
        return (Atom("logic", _SIGNS.get(text, text), text),)
    if _PLAIN_PAIR.match(text) and not text.isupper():
        return tuple(atom for part in text.split("/") for atom in _classified(part))
    if _NAME.match(text):
        return (Atom("name", named(text), text),)
    return _worded(text)


_SIGNS = {"≤": "<=", "≥": ">=", "=<": "<=", "=>": "=>"}


def named(text: str) -> str:
    """The key of a name. Marked, since `terminationGracePeriod` in small letters could be a word."""
    return NAME_MARK + text.lower().removesuffix("()").strip("\"'`")


def is_name(key: str) -> bool:
    return key[:1] == NAME_MARK


def bare(atom: Atom) -> str:
    """The number of an atom without its unit: `30 seconds` is 30."""
    found = _NUMBER.match(atom.text)
    return _number(found[2]) if found else atom.key


def _numeric(text: str, found: "re.Match[str]") -> Iterator[Atom]:
    """What starts with a digit or a currency: a number, maybe with unit and rest, or a name such as `2fa`."""
    money, digits, tail, _ = found.groups()
    tail = tail.lower()
    rest = text[found.end() :]
    if rest[:1] in "-–—/" and rest[1:] and not tail and rest[1:2].isdigit():
        yield Atom("number", _number(digits), digits)
        yield from _classified(rest[1:])
        return
    if tail and tail not in UNITS and tail not in MULTIPLIERS:
        yield Atom("name", named(text), text)
        return
    scale = 1.0 if tail in UNITS else MULTIPLIERS.get(tail, 1.0)
    key = _number(digits, scale)
    if tail in UNITS:
        key = measured(key, tail)
    elif money:
        key += " " + money.removeprefix("US").removeprefix("us")
    yield Atom("number", key, text)
    if rest.lstrip("-–/:"):
        yield from _classified(rest.lstrip("-–/:"))


def _number(digits: str, scale: float = 1.0) -> str:
    plain = digits.replace(",", "") if _THOUSANDS.match(digits) else digits.replace(",", ".")
    return _times(plain, scale)


def _times(key: str, factor: float) -> str:
    """A list (`1,2,4`) and a ratio (`1:2`) are written like numbers and stay as they are."""
    try:
        return f"{float(key) * factor:.15g}"
    except ValueError:
        return key


def measured(key: str, unit: str) -> str:
    """The number of a key in the base of its unit."""
    factor, base = UNITS[unit]
    return f"{_times(key, factor)} {base}"


def _worded(text: str) -> tuple[Atom, ...]:
    low = text.lower().replace("’", "'")
    if low in NEGATIONS or low in OPPOSITES:
        return (Atom("logic", low, text),)
    if low in STOP or low == "%":
        return (Atom("stop", low, text),)
    if not any(sign.isalnum() for sign in low):
        return ()
    low = low.removesuffix("'s")
    if len(text) > 1 and text.isupper():
        return (Atom("name", concept(low), text),)
    if "-" in low.strip("-"):
        return (Atom("name", named(text), text),)
    return (Atom("word", concept(low), text),)


@cache
def _by_stem() -> dict[str, str]:
    return {stem(word): stem(first) for word, first in CONCEPTS.items()}


def concept(word: str) -> str:
    """What a word means, whatever its form: `modified` and `changes` are one."""
    stemmed = stem(word)
    return _by_stem().get(stemmed, stemmed)


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    """Concept → the stems of all words for it, cut so that every form starts with it."""
    found: dict[str, list[str]] = {}
    for word, first in CONCEPTS.items():
        found.setdefault(stem(first), []).append(stem(word).rstrip("y"))
    return {key: tuple(words) for key, words in found.items()}


def spellings(key: str) -> tuple[str, ...]:
    """Beginnings of words of which one stands in every text that has this key."""
    return _groups().get(key) or (key.removeprefix(NAME_MARK).rstrip("y"),)


@lru_cache(16384)
def stem(word: str) -> str:
    """The part that survives inflection, roughly: `expires`, `expired` and `expiring` are one."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sle":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


_ENDINGS = (
    ("ications", "icat"),
    ("ication", "icat"),
    ("ations", "at"),
    ("ation", "at"),
    ("ssions", "ss"),
    ("ssion", "ss"),
    ("tions", "t"),
    ("tion", "t"),
    ("ency", "ent"),
    ("ments", ""),
    ("ment", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ly", ""),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
)


# --- what belongs together ------------------------------------------------------------------------------------------


def _joined(found: list[Atom]) -> Iterator[Atom]:
    """Numbers with the unit that follows them."""
    position = 0
    while position < len(found):
        atom, position = found[position], position + 1
        following = found[position].text.lower() if position < len(found) else ""
        if atom.kind in ("word", "stop") and atom.text.lower() in NUMBER_WORDS:
            atom = _counted(atom, following, found[max(0, position - 3) : position - 1])
        if atom.kind == "number" and " " not in atom.key and following in MULTIPLIERS:
            atom = Atom("number", _times(atom.key, MULTIPLIERS[following]), f"{atom.text} {following}")
            position += 1
            following = found[position].text.lower() if position < len(found) else ""
        if atom.kind == "number" and " " not in atom.key and following in UNITS:
            atom = Atom("number", measured(atom.key, following), f"{atom.text} {found[position].text}")
            position += 1
        yield atom


def _counted(atom: Atom, following: str, before: list[Atom]) -> Atom:
    """A number in words; `one` is one only in front of a unit or after `only`."""
    word = atom.text.lower()
    if word == "one" and following not in UNITS and not any(other.key in ("only", "exactly") for other in before):
        return atom
    return Atom("number", str(NUMBER_WORDS[word]), atom.text)
