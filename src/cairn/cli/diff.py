"""What changes in a file: as lines with plus and minus, or old and new side by side."""

from collections.abc import Iterator, Sequence
from typing import Final

from cairn.cli.output import Output, safe, width


def diff_lines(path: str, before: str, after: str) -> list[str]:
    from difflib import unified_diff

    return list(unified_diff(before.splitlines(), after.splitlines(), path, path, lineterm="", n=1))


def print_diff(out: Output, lines: list[str]) -> None:
    for line in lines:
        out.data(out.style(safe(line), *_color(line)))


def _color(line: str) -> tuple[str, ...]:
    if line.startswith(("---", "+++")):
        return ("bold",)
    return {"+": ("green",), "-": ("red",), "@": ("dim",)}.get(line[:1], ())


NARROW: Final = 70
"""Columns below which two texts don't fit beside each other."""
_BAR: Final = " │ "


def side_by_side(out: Output, left: str, right: str, *, titles: tuple[str, str], room: int) -> list[str]:
    """Lines of a page; what differs has a mark, and a colour where there are colours."""
    rows = list(_aligned(left.strip().splitlines(), right.strip().splitlines()))
    if room < NARROW:
        return list(_stacked(out, rows, titles, room))
    column = (room - len(_BAR)) // 2
    lines = [_row(out, _end(titles[0], column), _end(titles[1], column), column, "dim", "dim")]
    for old, new, same in rows:
        lines += _wrapped(out, old, new, column, same=same)
    return lines


def _end(title: str, column: int) -> str:
    """Of a path that is too long, its end tells more than its beginning."""
    if width(title) <= column:
        return title
    kept = title
    while width(kept) > column - 1:
        kept = kept[1:]
    return f"…{kept}"


def _aligned(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    from difflib import SequenceMatcher
    from itertools import zip_longest

    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for old, new in zip_longest(left[a:b], right[c:d], fillvalue=""):
            yield safe(old), safe(new), kind == "equal"


def _wrapped(out: Output, old: str, new: str, column: int, *, same: bool) -> Iterator[str]:
    from itertools import zip_longest

    marks = ("  ", "  ") if same else ("- " if old else "  ", "+ " if new else "  ")
    before = [f"{marks[0] if not n else '  '}{part}" for n, part in enumerate(_pieces(old, column - 2))]
    after = [f"{marks[1] if not n else '  '}{part}" for n, part in enumerate(_pieces(new, column - 2))]
    colours = ("", "") if same else ("red", "green")
    for one, other in zip_longest(before, after, fillvalue=""):
        yield _row(out, one, other, column, *colours)


def _row(out: Output, left: str, right: str, column: int, left_style: str, right_style: str) -> str:
    pad = " " * max(0, column - width(left))
    return f"{_styled(out, left, left_style)}{pad}{_BAR}{_styled(out, right, right_style)}".rstrip()


def _styled(out: Output, text: str, style: str) -> str:
    return out.style(text, style) if style and text else text


def _pieces(text: str, room: int) -> list[str]:
    """A line in as many as it takes, broken between words where that is possible."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        for part in _chopped(word, room):
            if line and width(line) + 1 + width(part) > room:
                lines.append(line)
                line = part
            else:
                line = f"{line} {part}" if line else part
    return [*lines, line]


def _chopped(word: str, room: int) -> Iterator[str]:
    piece, used = "", 0
    for letter in word:
        if piece and used + width(letter) > room:
            yield piece
            piece, used = "", 0
        piece, used = piece + letter, used + width(letter)
    yield piece


def _stacked(out: Output, rows: Sequence[tuple[str, str, bool]], titles: tuple[str, str], room: int) -> Iterator[str]:
    for at, mark, colour in ((0, "- ", "red"), (1, "+ ", "green")):
        yield out.style(titles[at], "dim")
        for row in rows:
            text, same = str(row[at]), row[2]
            if text or same:
                for number, part in enumerate(_pieces(text, max(10, room - 2))):
                    lead = "  " if same or number else mark
                    yield _styled(out, f"{lead}{part}".rstrip(), "" if same else colour)
