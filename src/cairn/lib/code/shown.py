"""What people see of a symbol: one line, short enough to stand in a message."""

from typing import Final

MAX_SHOWN: Final = 160


def shortened(text: str) -> str:
    """On one line, without control characters, cut in the middle of nothing important."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join([character if character.isprintable() else "�" for character in line])
    return line if len(line) <= MAX_SHOWN else line[: MAX_SHOWN - 1].rstrip() + "…"
