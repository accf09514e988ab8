"""Cuts a text into passages: a few sentences of one paragraph, list item or table row."""

import re
from collections.abc import Iterator
from typing import Final

_BLOCK: Final = re.compile(r"\n[ \t]*+\n\s*+|\n(?=[ \t>]*+(?:[-*+#|]|\d{1,9}[.)]\s|```|~~~|<!--|\[//\]))")
_SENTENCE: Final = re.compile(r"[.!?…][)\]\"'”’*_`]*+\s++|[。！？]")
_SHORTEST: Final = 8
_USUAL: Final = 240
"""Characters up to which sentences are joined: orders often need two ("The cache is cold. Send it the …")."""
_LONGEST: Final = 600
"""Characters of one sentence. The rest is a passage of its own, so that words far apart do not meet."""


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Where each passage starts and ends."""
    start = 0
    for end, following in (*(hit.span() for hit in _BLOCK.finditer(text)), (len(text), len(text))):
        if end - start >= _SHORTEST:
            yield from _inside(text, start, end)
        start = following


def _inside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= _USUAL:
        yield start, end
        return
    first = last = start
    for stop in (*(hit.end() for hit in _SENTENCE.finditer(text, start, end)), end):
        if last > first and stop - first > _USUAL:
            yield first, last
            first = last
        last = stop
        while last - first > _LONGEST:
            yield first, first + _LONGEST
            first += _LONGEST
    if last > first:
        yield first, last
