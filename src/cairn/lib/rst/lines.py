"""Lines of a page with their place in the file, and the indented blocks among them."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple


class RstLine(NamedTuple):
    text: str
    """Without the indentation of its block and without blanks at its end."""
    number: int
    offset: int
    """Of the first character of `text` in the file."""

    def cut(self, length: int) -> "RstLine":
        return RstLine(self.text[length:], self.number, self.offset + length)


Lines = Sequence[RstLine]


def source_lines(text: str) -> list[RstLine]:
    """All lines of a file; tabs are expanded, as docutils does."""
    lines: list[RstLine] = []
    offset = 0
    odd = "\t" in text or "\v" in text or "\f" in text
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()
        if odd:
            line = line.replace("\v", " ").replace("\f", " ").expandtabs(8)
        lines.append(RstLine(line, number, offset))
        offset += len(raw) + 1
    return lines


def offset_in(raw: str, start: int) -> Callable[[int], int]:
    """Where in the file an offset is that was counted in a line with expanded tabs; `start` is that of the line."""
    columns: list[int] = []
    width = 0
    for character in raw:
        columns.append(width)
        width += 8 - width % 8 if character == "\t" else 1
    return lambda offset: start + bisect_left(columns, offset - start)


def indent_of(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def indented(lines: Lines, start: int) -> tuple[list[RstLine], int]:
    """The block of indented lines from here on, without its indentation, and the index of the line behind it."""
    end = start
    while end < len(lines) and (not lines[end].text or lines[end].text[0] == " "):
        end += 1
    return dedented(trimmed(lines[start:end])), end


def marked(lines: Lines, start: int, width: int) -> tuple[list[RstLine], int]:
    """A block whose first line stands behind a marker of that width, and whose other lines are indented somehow."""
    rest, end = indented(lines, start + 1)
    return trimmed([lines[start].cut(width), *rest]), end


def item(lines: Lines, start: int, width: int) -> tuple[list[RstLine], int]:
    """An item of a list: its further lines are indented by the width of its marker at least."""
    if len(lines[start].text) <= width:
        return marked(lines, start, width)
    pad = " " * width
    end = start + 1
    while end < len(lines) and (not lines[end].text or lines[end].text.startswith(pad)):
        end += 1
    block = [line.cut(width) if line.text else line for line in lines[start:end]]
    return trimmed(block), end


def dedented(lines: Lines) -> list[RstLine]:
    width = min((indent_of(line.text) for line in lines if line.text), default=0)
    return [line.cut(width) if line.text else line for line in lines] if width else list(lines)


def trimmed(lines: Lines) -> list[RstLine]:
    """Without blank lines at the end."""
    end = len(lines)
    while end and not lines[end - 1].text:
        end -= 1
    return list(lines[:end])


def text_block(lines: Lines, start: int) -> int:
    """The index behind the lines of a paragraph: at a blank or an indented one."""
    end = start
    while end < len(lines) and lines[end].text and lines[end].text[0] != " ":
        end += 1
    return end
