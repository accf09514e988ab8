"""A text seen coarsely, so that the few places worth a closer look are found at the speed of a memory search.

Every view is bytes, one for each code point, so that an offset means the same in all of them and in the text.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import AnyStr

LONG = 15
"""A word that may be a token, a key or an account number has at least so many characters."""
FEWEST_DIGITS = 6
MOST_DIGITS = 40

_WORD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_AS_WORDS = bytes(97 if char in _WORD else 32 for char in range(256))
_AS_SHAPES = bytes(
    48 if 48 <= char <= 57 else 65 if 65 <= char <= 90 else 97 if 97 <= char <= 122 else char for char in range(256)
)
_AS_LETTERS = bytes(char if 97 <= char <= 122 or char >= 192 else 32 for char in range(256))
_LONG_WORD = b"a" * LONG
_WIDE_BLANKS = ("\u2007", "\u2009", "\u202f")
"""Blanks that stand in printed numbers and are beyond Latin-1."""
_HYPHENS = ("\u2010", "\u2011", "\u2012", "\u2013")
_NUMBER = re.compile(rb"[0-9](?:(?:[ ./\xa0-]| [-/] )?[0-9]){%d,%d}+" % (FEWEST_DIGITS - 1, MOST_DIGITS - 1))


class Views:
    __slots__ = ("__dict__", "_flat", "text")

    def __init__(self, text: str) -> None:
        """Blanks and hyphens as printers have them become plain ones, code point by code point."""
        if not text.isascii():
            for blank in _WIDE_BLANKS:
                text = text.replace(blank, "\xa0")
            for hyphen in _HYPHENS:
                text = text.replace(hyphen, "-")
        self.text = text
        self._flat = text.encode("latin-1", "replace")  # what is beyond becomes one `?` a code point

    @cached_property
    def lower(self) -> bytes:
        return self._flat.lower()

    @cached_property
    def shapes(self) -> bytes:
        return self._flat.translate(_AS_SHAPES)

    @cached_property
    def words(self) -> frozenset[bytes]:
        """Every word of letters once, so that a text is not searched for words that it does not have."""
        return frozenset(self.lower.translate(_AS_LETTERS).split())

    @cached_property
    def vocabulary(self) -> bytes:
        """All of them, each on a line of its own."""
        return b"\n%s\n" % b"\n".join(self.words)

    @cached_property
    def characters(self) -> frozenset[str]:
        return frozenset(self.text)

    def numbers(self) -> Iterator[tuple[int, int]]:
        """Start and end of every number of `FEWEST_DIGITS` or more, with its gaps."""
        return (found.span() for found in _NUMBER.finditer(self._flat))

    def long_words(self) -> Iterator[tuple[int, int]]:
        """Start and end of every word of `LONG` characters or more."""
        view = self._flat.translate(_AS_WORDS)
        start = view.find(_LONG_WORD)
        while start >= 0:
            end = view.find(b" ", start + LONG)
            end = len(view) if end < 0 else end
            yield start, end
            start = view.find(_LONG_WORD, end)


def places(view: AnyStr, wanted: AnyStr) -> Iterator[int]:
    """Where something stands, in order, without overlaps."""
    at = view.find(wanted)
    while at >= 0:
        yield at
        at = view.find(wanted, at + max(1, len(wanted)))
