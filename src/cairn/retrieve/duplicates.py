"""Hits that say the same are shown once: the best of them, with the others named."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from cairn.lib.text.lexicon import NEGATIONS, OPPOSITES
from cairn.lib.text.stem import stem
from cairn.lib.text.stop_words import LIGHT, STOP
from cairn.retrieve.match import fold
from cairn.retrieve.rank import RankedPage

_COPY: Final = 0.8
"""Share of common stretches of three words from which on one page is a copy of another."""
_SAME: Final = 0.75
"""Share of a note's words that stand in one passage from which on the passage says what the note says."""
_AT_FIRST_SIGHT: Final = 0.5
_FEWEST: Final = 4
"""Words that say anything; two shorter texts are the same only when they are equal."""
_LENGTHS: Final = 0.7
"""Of two copies neither is shorter than that."""
_COMPARED: Final = 4_000
"""Characters of a page."""
_AROUND: Final = 400
"""Characters before and behind the best stretch in which a statement is looked for."""

_NOT: Final = "not"
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n\s*\n|\n(?=\s*[-*+#])")
_CODE: Final = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)


class DuplicateGroup(NamedTuple):
    shown: RankedPage
    alike: tuple[RankedPage, ...] = ()


def unfolded(pages: Sequence[RankedPage]) -> list[DuplicateGroup]:
    return [DuplicateGroup(page) for page in pages]


def folded(pages: Sequence[RankedPage]) -> list[DuplicateGroup]:
    """In order. A page stands for notes that say what it says, even where one of them comes before it."""
    groups: list[DuplicateGroup] = []
    texts: list[_Compared] = []
    for page in pages:
        text = _Compared(page)
        at = next((number for number, other in enumerate(texts) if _alike(text, other)), None)
        if at is None:
            groups.append(DuplicateGroup(page))
            texts.append(text)
        elif groups[at].shown.note and not page.note:
            groups[at] = DuplicateGroup(page, (groups[at].shown, *groups[at].alike))
            texts[at] = text
        else:
            groups[at] = DuplicateGroup(groups[at].shown, (*groups[at].alike, page))
    return groups


class _Compared:
    """A page as it is compared; each view of it is made when somebody asks."""

    def __init__(self, page: RankedPage) -> None:
        self.page = page
        self.units = page.units

    @cached_property
    def passage(self) -> str:
        """Of a note, all of it; of a page what is around its best stretch."""
        start, end = self.page.window
        body = self.page.body.folded
        return body if self.page.note else body[max(0, start - _AROUND) : end + _AROUND]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.passage))

    @cached_property
    def window(self) -> list[str]:
        """The words of its best stretch: copies have the same one."""
        start, end = self.page.window
        return _WORD.findall(self.page.body.folded[start:end])

    @cached_property
    def shingles(self) -> frozenset[tuple[str, ...]]:
        """Without code, which is the same in every language that a page was translated to."""
        words = _WORD.findall(_CODE.sub("", self.page.body.folded[:_COMPARED]))
        return frozenset(zip(words, words[1:], words[2:], strict=False))

    @cached_property
    def title(self) -> frozenset[str]:
        return _statement(_WORD.findall(fold(self.page.hit.title))).words

    @cached_property
    def statement(self) -> "_Statement":
        """Of the whole passage."""
        return _statement(_WORD.findall(self.passage))

    @cached_property
    def sentences(self) -> list["_Statement"]:
        """Of a page."""
        return [_statement(_WORD.findall(sentence)) for sentence in _SENTENCE.split(self.passage)]


class _Statement(NamedTuple):
    words: frozenset[str]
    """Stems of those that say anything."""
    turns: frozenset[str]
    """Words that turn the meaning of a sentence: negations, one of two opposites, numbers."""


def _statement(found: Sequence[str]) -> _Statement:
    words = [word.replace("’", "'").removesuffix("'s") for word in found]
    telling = frozenset(stem(word) for word in words if word not in STOP and word not in NEGATIONS)
    turns = (_turn(word) for word in words)
    return _Statement(telling, frozenset(turn for turn in turns if turn))


def _turn(word: str) -> str:
    if word in NEGATIONS:
        return _NOT
    return word if word in OPPOSITES or any(letter.isdigit() for letter in word) else ""


def _alike(one: _Compared, other: _Compared) -> bool:
    """What only one of them has of the question tells them apart, however much else they share."""
    if not one.page.note and not other.page.note:
        return one.units == other.units and _copies(one, other)
    if one.page.note and other.page.note:
        return one.units == other.units and _near(one, other) and _same(one.statement, other.statement)
    page, note = (other, one) if one.page.note else (one, other)
    return note.units <= page.units and _near(note, page) and _says(page, note)


def _near(one: _Compared, other: _Compared) -> bool:
    """At first sight, before anything is taken apart."""
    return len(one.words & other.words) >= _AT_FIRST_SIGHT * len(one.words)


def _copies(one: _Compared, other: _Compared) -> bool:
    lengths = sorted((len(one.page.body.shown), len(other.page.body.shown)))
    if lengths[0] < _LENGTHS * lengths[1] or one.window != other.window:
        return False
    if len(one.shingles) < _FEWEST or len(other.shingles) < _FEWEST:
        return one.page.body.folded.split() == other.page.body.folded.split()
    same = len(one.shingles & other.shingles) >= _COPY * len(one.shingles | other.shingles)
    return same and not _replaced(one.title, other.title) and not _turned(one.statement.turns, other.statement.turns)


def _replaced(one: frozenset[str], other: frozenset[str]) -> bool:
    """Each has a word that the other lacks: the same is said, but perhaps of something else."""
    return bool(one - other - LIGHT) and bool(other - one - LIGHT)


def _turned(one: frozenset[str], other: frozenset[str]) -> bool:
    """Something took the place of its like, or is denied; what was only added to a copy does not matter."""
    lost, gained = one - other, other - one
    return bool(lost and gained) or _NOT in lost | gained


def _says(page: _Compared, note: _Compared) -> bool:
    """Whether a passage of the page says what the note says."""
    wanted = note.statement
    if len(wanted.words) < _FEWEST:
        return False
    words, turns = frozenset[str](), frozenset[str]()
    for one in sorted(page.sentences, key=lambda one: -len(one.words & wanted.words)):
        words, turns = words | one.words, turns | one.turns
        if len(wanted.words & words) >= _SAME * len(wanted.words):
            return turns == wanted.turns and not _replaced(words, wanted.words)
    return False


def _same(one: _Statement, other: _Statement) -> bool:
    shared = len(one.words & other.words)
    if one.turns != other.turns or _replaced(one.words, other.words):
        return False
    if min(len(one.words), len(other.words)) < _FEWEST:
        return one.words == other.words
    return shared >= _SAME * len(one.words | other.words)
