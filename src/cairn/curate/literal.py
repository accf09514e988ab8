"""Compares two texts letter by letter: whether one states the other, or the same words with another value in them.

Nothing here knows a language. Texts that mean the same in other words are different texts, and a reader has to tell.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from cairn.kernel.text.sentences import Sentence, sentences

_MARKUP: Final = re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+", re.MULTILINE)
_VALUE: Final = re.compile(r"`[^`\n]+`|(?<!\w)[$€£¥]?\d[\w.,:%/-]*\w|(?<!\w)[$€£¥]?\d|\S+/\S*\w")
_SLOT: Final = "\x00"
_CLAUSES: Final = re.compile(r"(?<=[^\d]),\s+|[;:(]\s*|\s[–—-]\s|，|；|：")
_LEAST_WORDS: Final = 3
_READ: Final = 20_000
"""Characters of a page that are compared."""


def plain(text: str) -> str:
    """One form for texts that differ only in case, blanks, marks of Markdown, and the full stop at the end."""
    shown = _MARKUP.sub("", normalize("NFKC", text).replace("`", "").replace("’", "'"))
    return " ".join(shown.casefold().split()).strip(" .!:;,。！")


class Frame(NamedTuple):
    """A clause without its values, and the values."""

    words: str
    values: tuple[str, ...]


def frames(text: str) -> Iterator[Frame]:
    """Of the clauses that state a value: a number, a version, a path, or code."""
    for clause in _CLAUSES.split(_MARKUP.sub("", normalize("NFKC", text))):
        values = tuple(found.strip("`.,:").casefold() for found in _VALUE.findall(clause))
        words = " ".join(_VALUE.sub(_SLOT, clause).casefold().split()).strip(" .!,;。")
        if values and len(words.replace(_SLOT, " ").split()) >= _LEAST_WORDS - 1 and len(words.split()) >= _LEAST_WORDS:
            yield Frame(words, values)


def other_value(one: str, other: str) -> bool:
    """Whether two sentences have a clause in the same words around different values."""
    theirs = {frame.words: frame.values for frame in frames(other)}
    return any(frame.words in theirs and theirs[frame.words] != frame.values for frame in frames(one))


@lru_cache(256)
def prose(body: str) -> tuple[Sentence, ...]:
    """The sentences of a page, headings among them, without code blocks."""
    return tuple(one for one in sentences(body[:_READ]) if one.fence is None)


@lru_cache(256)
def stated(body: str) -> frozenset[str]:
    """All sentences of a text, each in its plain form."""
    return frozenset(text for one in prose(body) if (text := plain(one.text)))
