"""Where a text has what a query looks for: the same answer as the index gives, but with places."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cairn.core.search_query import Unit
from cairn.lib.text.search_words import runs, without_marks
from cairn.lib.text.stem import stem

_TAIL = re.compile(r"[^\W_]*")
_GAP = re.compile(r"[\W_]{0,8}")
_BLANKS = re.compile(r"\s*")
_ACCENTED = re.compile("[\u00c0-\u024f\u0370-\u04ff\u1e00-\u1fff]")


_SHAPES = {
    "version": re.compile(r"(?<![\w.])(?:v\d{1,4}(?:\.\d{1,6}){0,3}|\d{1,4}(?:\.\d{1,6}){1,3}|\d{1,4}(?=\+))(?![\w%])"),
    "minimum": re.compile(r">= ?v?\d|≥ ?v?\d|(?<=\d)\+(?!\w)|\bor (?:later|newer|higher|above)\b"),
    "command": re.compile(
        r"^[ \t]{0,12}(?:(?:```|~~~)[ \t]{0,3}(?:sh|bash|shell|console|zsh|powershell|shell-session)\b|\$ (?=\w))", re.M
    ),
}
"""What pages state without the word for it: `Python 3.11+` is a version, a block for the shell is a command."""


class MatchSpan(NamedTuple):
    start: int
    end: int
    unit: int
    """Which unit of the query it is."""


class Text(NamedTuple):
    """A text to look in."""

    shown: str
    folded: str
    """Small letters without accents, as long as what is shown."""


def text_of(shown: str) -> Text:
    """Points of Hebrew and Arabic are dropped, since they stand between the letters of a word."""
    if not shown.isascii():
        shown = without_marks(shown if unicodedata.is_normalized("NFC", shown) else unicodedata.normalize("NFC", shown))
    return Text(shown, fold(shown))


def fold(text: str) -> str:
    folded = text.lower()
    if text.isascii():
        return folded
    if len(folded) != len(text):
        folded = "".join(map(_small, text))
    return _ACCENTED.sub(lambda letter: _base(letter[0]), folded)


def _small(letter: str) -> str:
    small = letter.lower()
    return small if len(small) == 1 else small[0]


def _base(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


class UnitFinder:
    """Finds the units of one query, in as many texts as one likes."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._patterns = [list(_patterns(unit)) for unit in units]

    def spans(self, text: Text) -> list[MatchSpan]:
        """Every place, in order; places of different units may overlap."""
        found = {
            MatchSpan(start, end, number)
            for number, patterns in enumerate(self._patterns)
            for pattern in patterns
            for start, end in pattern.places(text)
        }
        return sorted(found)

    def units(self, text: Text) -> set[int]:
        """Which units occur at all."""
        return {
            number
            for number, patterns in enumerate(self._patterns)
            if any(True for pattern in patterns for _ in pattern.places(text))
        }


def _patterns(unit: Unit) -> "Iterator[_Pattern | _Shape]":
    yield from (_Pattern(words, unit.term.prefix) for words in unit.term.spellings)
    for word in {words[0].removesuffix("s") for words in unit.term.spellings if len(words) == 1} & _SHAPES.keys():
        yield _Shape(_SHAPES[word])


class _Shape:
    """A pattern in place of a word."""

    def __init__(self, shape: re.Pattern[str]) -> None:
        self._shape = shape

    def places(self, text: Text) -> Iterator[tuple[int, int]]:
        return (found.span() for found in self._shape.finditer(text.folded))


class _Pattern:
    """Words in a row, each by its stem."""

    def __init__(self, words: tuple[str, ...], prefix: bool) -> None:
        folded = [fold(word) for word in words]
        self._words = [(_start(word), stem(word), bool(runs().match(word))) for word in folded]
        self._prefix = prefix
        if prefix:
            self._words[-1] = (folded[-1], "", self._words[-1][2])

    def places(self, text: Text) -> Iterator[tuple[int, int]]:
        first = self._words[0][0]
        at = text.folded.find(first)
        while at >= 0:
            end = self._end(text, at)
            if end:
                yield at, end
            at = text.folded.find(first, max(end, at + 1))

    def _end(self, text: Text, at: int) -> int:
        """Where the whole ends that starts here, or 0."""
        for number, (start, wanted, unspaced) in enumerate(self._words):
            if number:
                gap = (_BLANKS if unspaced else _GAP).match(text.folded, at)
                at = gap.end() if gap else at
            if not text.folded.startswith(start, at) or not (unspaced or _begins(text, at)):
                return 0
            goes_on = self._prefix and number == len(self._words) - 1
            end = at + len(start) if unspaced else _fitting_end(text, at, None if goes_on else wanted)
            if not end:
                return 0
            at = end
        return at


def _start(word: str) -> str:
    """With what every word of this stem begins: rules change the last letter of a stem, never the first ones."""
    root = stem(word)
    if root[-1:] in ("e", "i", "y") and len(root) > 2:
        root = root[:-1]
    return root if word.startswith(root) else word[:2]


def _begins(text: Text, at: int) -> bool:
    """A word begins here: behind a blank or sign, or at a hump of `camelCase`."""
    if at == 0 or not text.folded[at - 1].isalnum():
        return True
    return text.shown[at].isupper() and text.shown[at - 1].islower()


def _fitting_end(text: Text, at: int, wanted: str | None) -> int:
    """Behind the word, or behind the first part of a `camelCase` one, whichever has the wanted stem; 0 if neither."""
    tail = _TAIL.match(text.folded, at)
    end = tail.end() if tail else at
    if wanted is None or stem(text.folded[at:end]) == wanted:
        return end
    part = next((p for p in range(at + 1, end) if text.shown[p].isupper() and text.shown[p - 1].islower()), 0)
    return part if part and stem(text.folded[at:part]) == wanted else 0
