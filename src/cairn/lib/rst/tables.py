"""Splits grid tables and simple tables into their cells."""

import re
from collections.abc import Iterator
from itertools import pairwise

from cairn.lib.rst.lines import Lines, RstLine, dedented, trimmed

GRID_TOP = re.compile(r"\+-[-+]+-\+ *\Z")
SIMPLE_TOP = re.compile(r"=+(?: +=+)+ *\Z")
_SIMPLE_BORDER = re.compile(r"=[ =]*+\Z")
_RULE = re.compile(r"[-=+ ]+\Z")
_SIMPLE_SPAN = re.compile(r"-[ -]*\Z")


def grid_end(lines: Lines, start: int) -> int:
    end = start
    while end < len(lines) and lines[end].text[:1] in ("+", "|"):
        end += 1
    return end


def grid_cells(lines: Lines) -> Iterator[list[RstLine]]:
    """Cells of a grid table. Cells that span columns or rows are found by the borders that are missing."""
    group: list[RstLine] = []
    for line in lines:
        if line.text.startswith("+") and not line.text.strip("+-= "):
            yield from _grid_group(group)
            group = []
        else:
            group.append(line)
    yield from _grid_group(group)


def _grid_group(group: list[RstLine]) -> Iterator[list[RstLine]]:
    if not group:
        return
    width = min(len(line.text) for line in group)
    borders = [c for c in range(width) if all(line.text[c] in "|+" for line in group)]
    for left, right in pairwise(borders):
        cell = [_slice(line, left + 1, right) for line in group]
        yield from _parts(cell)


def _parts(cell: list[RstLine]) -> Iterator[list[RstLine]]:
    part: list[RstLine] = []
    for line in cell:
        if len(line.text) > 1 and not line.text.strip("-=+"):
            yield dedented(trimmed(part))
            part = []
        else:
            part.append(line)
    yield dedented(trimmed(part))


def simple_end(lines: Lines, start: int) -> int:
    """Behind the bottom border: the second one, or the third if there is a header."""
    end, borders = start + 1, 1
    while end < len(lines):
        text = lines[end].text
        if _SIMPLE_BORDER.match(text):
            borders += 1
            if borders == 3 or end + 1 == len(lines) or not lines[end + 1].text:
                return end + 1
        end += 1
    return start + 1


def simple_cells(lines: Lines) -> Iterator[list[RstLine]]:
    """Cells of a simple table: rows start where the first column has text."""
    columns = _columns(lines[0].text)
    row: list[RstLine] = []
    for line in lines[1:]:
        rule = _SIMPLE_BORDER.match(line.text) or _SIMPLE_SPAN.match(line.text)
        if rule or (line.text[: columns[0][1]].strip() and row):
            yield from _row(row, columns, line.text if rule else "")
            row = []
        if not rule:
            row.append(line)
    yield from _row(row, columns, "")


def _columns(border: str) -> list[tuple[int, int]]:
    return [(found.start(), found.end()) for found in re.finditer(r"[=-]+", border)]


def _row(row: list[RstLine], columns: list[tuple[int, int]], under: str) -> Iterator[list[RstLine]]:
    if not any(line.text for line in row):
        return
    if under.startswith("-"):
        columns = _columns(under)
    for index, (start, _) in enumerate(columns):
        end = columns[index + 1][0] if index + 1 < len(columns) else None
        yield dedented(trimmed([_slice(line, start, end) for line in row]))


def _slice(line: RstLine, start: int, end: int | None) -> RstLine:
    return RstLine(line.text[start:end].rstrip(), line.number, line.offset + start)
