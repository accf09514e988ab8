"""Finds the units of a query in texts, also where somebody made a slip of spelling."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple, Protocol

from cairn.core.ports.search import Term
from cairn.core.search_query import Unit
from cairn.lib.text.search_words import runs, stem, without_ending, without_marks

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


_SHORTEST, _LONGEST = 5, 32
"""One letter more or less makes another word of a short one, and nobody types a long one by heart."""
_LONG = 8
"""Letters of a word that has an ending to slip in."""
_AT_ONCE = 64
_COUNTED = 1_000
_DOUBLED = "bcdfglmnprst"
_SPELLED = {"k": ("c",), "f": ("ph",), "t": ("th",), "i": ("y",), "z": ("c", "s")}
"""How English spells a sound that other languages write with this letter."""
_ALIKE = ("aeiouy", "ckqsxz", "bp", "dt", "fvw", "gj", "mn", "lr")
_CONFUSED = {letter: group for group in _ALIKE for letter in group}
"""Letters that are mistaken for each other by their sound. Any letter for any other would make words of other words:
*broker* is no slip for *broken*."""


class WrittenTerms(Protocol):
    """Where somebody wrote something: pages, or notes."""

    def text_frequency(self, term: Term, *, at_most: int, beside: tuple[Term, ...] = ()) -> int: ...


def meant(word: str, index: WrittenTerms, company: tuple[Term, ...] = ()) -> str | None:
    """The word one slip away that most pages have beside the rest of the question, or else that most pages have. `word`
    is in small letters, without accents."""
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    near, others = _candidates(word)
    return _likeliest(near, index, company) or (_likeliest(others, index, company) if len(word) >= _LONG else None)


def _likeliest(slips: Iterable[str], index: WrittenTerms, company: tuple[Term, ...]) -> str | None:
    asked = sorted(slips)
    known = [slip for at in range(0, len(asked), _AT_ONCE) for slip in _written(asked[at : at + _AT_ONCE], index)]
    together = {slip: index.text_frequency(_term(slip), at_most=_COUNTED, beside=company) for slip in known}
    if company and not any(together.values()):
        together = {slip: index.text_frequency(_term(slip), at_most=_COUNTED) for slip in known}
    return min(known, key=lambda slip: (-together[slip], slip), default=None)


def shared_beginning(word: str, index: WrittenTerms) -> str | None:
    """The longest beginning that words here share with a word of another language, more than half of it."""
    if not (_SHORTEST < len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    spellings = list(dict.fromkeys((word, *_transliterated(word))))
    for length in range(len(word), max(_SHORTEST, len(word) // 2 + 1) - 1, -1):
        beginnings = tuple(dict.fromkeys(spelling[:length] for spelling in spellings))
        if index.text_frequency(Term(tuple((one,) for one in beginnings), True), at_most=1):
            return next(one for one in beginnings if index.text_frequency(Term(((one,),), True), at_most=1))
    return None


def _transliterated(word: str) -> Iterator[str]:
    """As English may spell it: *comando* with two m, *método* with th, *Konfiguration* with c."""
    for at, letter in enumerate(word):
        if letter in _DOUBLED and letter not in (word[at - 1 : at], word[at + 1 : at + 2]):
            yield word[:at] + letter + word[at:]
        yield from (word[:at] + other + word[at + 1 :] for other in _SPELLED.get(letter, ()))


def is_slip(typed: str, written: str) -> bool:
    """Whether one may be typed where the other was meant, be it in the plural or in the past. Small letters."""
    if len(typed) > _LONGEST or abs(len(typed) - len(written)) > _LONGEST:
        return False
    return any(
        other in {*_slips(one), *_swapped(one)}
        for one, other in ((typed, written), (without_ending(typed), without_ending(written)))
    )


def _candidates(word: str) -> tuple[Iterable[str], Iterable[str]]:
    """One for each stem, the shortest: those whose stems are a slip apart too, and the others. Those are `state` and
    `start`, by way of a `starte` that nobody wrote; but also `configuraton` and `configuration`, since a slip in the
    ending of a long word leaves an ending that no rule knows. Letters that changed places are always taken for a
    slip."""
    swapped = set(_swapped(word))
    near = {*_slips(_root(word)), *map(_root, swapped), *map(_root, _doubled(word))}
    longest_first = sorted({*_slips(word), *swapped}, key=lambda slip: (-len(slip), slip))
    by_root = {_root(slip): slip for slip in longest_first}
    others = [slip for root, slip in by_root.items() if root not in near]
    return [slip for root, slip in by_root.items() if root in near], others


def _root(word: str) -> str:
    """Its stem, without the `e` that stemming gives back to words such as `scaling`."""
    root = stem(word)
    return root[:-1] if root.endswith("e") and not word.endswith("e") else root


def _slips(word: str) -> Iterator[str]:
    """A letter left out, too many, or mistaken for another. The first letter is rarely wrong."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        if tail and (len(tail) > 1 or head.endswith(tail)):  # `systemd` is no slip for *system*
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _CONFUSED.get(tail[0], "") if letter != tail[0])


def _doubled(word: str) -> Iterator[str]:
    """With a letter twice that stands once: `setings`."""
    return (word[:at] + word[at] + word[at:] for at in range(1, len(word)) if word[at] in _DOUBLED)


def _swapped(word: str) -> Iterator[str]:
    """Two letters the wrong way round."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _written(words: Sequence[str], index: WrittenTerms) -> list[str]:
    """Those that are in the index. Asked for together first: mostly none of them is."""
    if not words or not index.text_frequency(_term(*words), at_most=1):
        return []
    if len(words) == 1:
        return list(words)
    half = len(words) // 2
    return _written(words[:half], index) + _written(words[half:], index)


def _term(*words: str) -> Term:
    return Term(tuple((word,) for word in words))
