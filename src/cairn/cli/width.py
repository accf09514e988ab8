"""How much room a text takes on a terminal, and how to make it safe and short enough."""

import re
from collections.abc import Sequence

_SGR = re.compile(r"\x1b\[[0-9;]*m")
"""Colours and weights. The only escape sequences that are let through."""

_UNSAFE = re.compile(
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\ud800-\udfff]"
)
_NEVER = re.compile(r"\x1b|" + _UNSAFE.pattern)


def safe(text: str) -> str:
    """Text from outside, with everything visible that could move the cursor, hide text or turn its direction."""
    return text if text.isprintable() else _NEVER.sub(_escaped, text)


def width(text: str) -> int:
    """Columns of a terminal: wide characters take two, combining ones none, colours none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_columns(letter) for letter in _SGR.sub("", text))


def cut(text: str, room: int) -> str:
    """The text in at most `room` columns; what is cut off becomes an ellipsis."""
    if width(text) <= room:
        return text
    kept: list[str] = []
    left = max(room - 1, 0)
    for piece in re.split(f"({_SGR.pattern})", text):
        if _SGR.fullmatch(piece):
            kept.append(piece)
            continue
        for letter in piece:
            left -= _columns(letter)
            if left < 0:
                return "".join(kept) + "…" + ("\x1b[0m" if "\x1b" in text else "")
            kept.append(letter)
    return "".join(kept)


def columns(rows: Sequence[Sequence[str]], *, room: int | None = None, gap: int = 2) -> list[str]:
    """Rows as aligned lines; when `room` is given, the widest columns give way until a line fits."""
    cells = [[_UNSAFE.sub(_escaped, cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    if room is not None:
        widths = _fitted(widths, room - gap * (len(widths) - 1))
    return [(" " * gap).join(map(_padded, row, widths)).rstrip() for row in cells]


def _fitted(widths: list[int], room: int) -> list[int]:
    """Shrinks the widest column by one until all fit; none below eight."""
    fitted = list(widths)
    while sum(fitted) > room and max(fitted) > 8:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _padded(cell: str, room: int) -> str:
    short = cut(cell, room)
    return short + " " * (room - width(short))


def _columns(letter: str) -> int:
    if letter < "\x7f":
        return 1
    import unicodedata

    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
