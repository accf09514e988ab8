"""A text seen coarsely, so that the few places worth a closer look are found at the speed of a memory search.

Every view is bytes, one for each code point, so that an offset means the same in all of them and in the text.
"""

from collections.abc import Iterator
from functools import cached_property

LONG = 15
"""A word that may be a token, a key or an account number has at least so many characters."""

_WORD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_AS_WORDS = bytes(97 if char in _WORD else 32 for char in range(256))
_AS_SHAPES = bytes(
    48 if 48 <= char <= 57 else 65 if 65 <= char <= 90 else 97 if 97 <= char <= 122 else char for char in range(256)
)
_LONG_WORD = b"a" * LONG


class Views:
    __slots__ = ("__dict__", "_flat", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._flat = text.encode("latin-1", "replace")  # what is beyond becomes one `?` a code point

    @cached_property
    def lower(self) -> bytes:
        return self._flat.lower()

    @cached_property
    def shapes(self) -> bytes:
        return self._flat.translate(_AS_SHAPES)

    def long_words(self) -> Iterator[tuple[int, int]]:
        """Start and end of every word of `LONG` characters or more."""
        view = self._flat.translate(_AS_WORDS)
        start = view.find(_LONG_WORD)
        while start >= 0:
            end = view.find(b" ", start + LONG)
            end = len(view) if end < 0 else end
            yield start, end
            start = view.find(_LONG_WORD, end)


def places(view: bytes, wanted: bytes) -> Iterator[int]:
    """Where something stands, in order, without overlaps."""
    at = view.find(wanted)
    while at >= 0:
        yield at
        at = view.find(wanted, at + max(1, len(wanted)))
