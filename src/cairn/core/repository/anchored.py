"""Tells quickly that no heading of a text can give an anchor, which saves parsing old versions of a page."""

import re
from unicodedata import normalize

_COUNTED = re.compile(r"[-_]\d+$")
_PIECE = re.compile(r"[a-z0-9]+")
_OTHER = re.compile(rb"[^a-z0-9\n]+")


def may_give(anchor: str, text: str) -> bool:
    """A heading is one line, and every generator keeps its letters and digits in their order and drops or replaces the
    rest. A number at the end of the anchor may be counted."""
    pieces = _PIECE.findall(_COUNTED.sub("", anchor.lower()))
    squeezed = _OTHER.sub(b"", normalize("NFKD", text.lower()).encode("ascii", "ignore"))
    return any(_has_in_order(line, [piece.encode() for piece in pieces]) for line in squeezed.split(b"\n"))


def _has_in_order(line: bytes, pieces: list[bytes]) -> bool:
    at = 0
    for piece in pieces:
        if (found := line.find(piece, at)) < 0:
            return False
        at = found + len(piece)
    return True
