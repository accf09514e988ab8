"""Text as the full-text index takes it: scripts without blanks get some, and `camelCase` is also two words."""

import re
from collections.abc import Iterator
from functools import cache

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
"""Vowel points of Hebrew and Arabic, which most people leave out."""

LEFT_OUT = "cairnleftoutbyscope"
"""A word that the index has of every page that is left out by scope."""

_LONGEST_NAME = 64
"""Longer runs of letters are no names that somebody chose; they are keys, hashes, pictures in base 64."""


@cache
def _spaced() -> "re.Pattern[str]":
    """Compiled when a text needs it: that takes longer than indexing a dozen pages."""
    return re.compile(f"([{_UNSPACED}])")


@cache
def _marks() -> "re.Pattern[str]":
    return re.compile(f"[{_MARKS}]")


@cache
def runs() -> "re.Pattern[str]":
    """Stretches of scripts that put no blanks between words."""
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _hump() -> "re.Pattern[str]":
    return re.compile("[A-Z](?<=[a-z].)")  # the capital first: there are fewer of them to look at


@cache
def _name_end() -> "re.Pattern[str]":
    return re.compile("[^A-Za-z0-9]")


@cache
def _before_hump() -> "re.Pattern[str]":
    return re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def searchable(text: str) -> str:
    """A phrase of single characters then finds any word of a script without blanks, and no dictionary is needed."""
    if _hump().search(text):
        text = f"{text} {' '.join(_split_names(text))}"
    return text if text.isascii() else _spaced().sub(r" \1 ", without_marks(text))


def without_marks(text: str) -> str:
    return _marks().sub("", text)


def split_name(name: str) -> str:
    """`maxRetryCount` is `max Retry Count`."""
    return _before_hump().sub(" ", name)


def _split_names(text: str) -> Iterator[str]:
    """Every `camelCase` name of a text, in its parts. Linear, whatever the text is."""
    hump = _hump().search(text)
    while hump is not None:
        found = _name_end().search(text, hump.end())
        end = found.start() if found else len(text)
        start = _name_start(text, hump.start())
        if end - start <= _LONGEST_NAME:
            yield split_name(text[start:end])
        hump = _hump().search(text, end)


def _name_start(text: str, at: int) -> int:
    lowest = max(0, at - _LONGEST_NAME)
    while at > lowest and text[at - 1].isascii() and text[at - 1].isalnum():
        at -= 1
    return at
