"""Finds the cells below the head of a column: in tables of blanks or rules, of HTML, and in statements of SQL."""

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]

_ROWS = 100
_FAR = 4_000
_LONGEST = 800
"""Characters of a line."""
_RULE = re.compile(r"(?=[^\n]*[-=─]{2})[\s|+:=│┃─┼-]++")
_CELL = re.compile(r"\S+(?: \S+)*")
_CELL_ENDS = re.compile(r"[\"'`*]{0,2}(?:[ ]{2}|[ \t]*(?:[|│┃\n]|$))")
_BAR = re.compile(r"[|│┃]")


def cells_below(text: str, start: int, end: int) -> Iterator[Span]:
    """`start` and `end` are those of a head."""
    yield from _in_lines(text, start, end)
    yield from _in_html(text, start)
    yield from _in_rows(text, start, end)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at, at + _LONGEST)
    return min(len(text), at + _LONGEST) if end < 0 else end


def _in_lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Cells in a line are apart by two blanks or a bar, and stand below their head."""
    if not _CELL_ENDS.match(text, end):
        return
    line, stop = text.rfind("\n", max(0, start - _LONGEST), start) + 1, _line_end(text, end)
    head = text[line:stop] if stop - line <= _LONGEST else ""
    barred = len(_BAR.findall(head))
    if not head or not (barred or _is_aligned(text, line, head[: start - line])):
        return
    column = len(_BAR.findall(head[: start - line]))
    at = stop + 1
    for _ in range(_ROWS):
        end_of_row = _line_end(text, at)
        row = text[at:end_of_row]
        if not row.strip() or len(row) == _LONGEST:
            return
        if not _RULE.fullmatch(row):
            if barred and len(_BAR.findall(row)) != barred:
                return
            yield from _barred(row, at, column) if barred else _aligned(row, at, start - line, end - line)
        at = end_of_row + 1


def _is_aligned(text: str, line: int, before: str) -> bool:
    """The first line of a table, in which other heads stand before this one: code is aligned, too."""
    above = text[max(0, text.rfind("\n", max(0, line - _LONGEST), max(0, line - 1)) + 1) : line].strip()
    return before.endswith("  ") and bool(before.strip()) and (not above or bool(_RULE.fullmatch(above)))


def _barred(row: str, at: int, column: int) -> Iterator[Span]:
    edges = [-1, *(found.start() for found in _BAR.finditer(row)), len(row)]
    first, last = edges[column] + 1, edges[column + 1]
    cell = _CELL.search(row, first, last)
    yield (at + cell.start(), at + cell.end()) if cell else (at + first, at + last)


def _aligned(row: str, at: int, start: int, end: int) -> Iterator[Span]:
    cells = [*_CELL.finditer(row)]
    if len(cells) > 1:
        yield from ((at + cell.start(), at + cell.end()) for cell in cells if cell.start() < end and start < cell.end())


_ROW = re.compile(r"<tr[\s>]", re.IGNORECASE)
_FIELD = re.compile(r"<t[hd](?:\s[^<>]{0,120})?>(?:\s|<[a-z]{1,8}>){0,40}(?P<value>[^<>\n]{0,80})", re.IGNORECASE)


def _in_html(text: str, start: int) -> Iterator[Span]:
    row = text.rfind("<tr", max(0, start - 800), start)
    opened = text.rfind("<th", max(0, start - 140), start)
    if row < 0 or opened < row or text.rfind("</", opened, start) >= 0:
        return
    column = len(_FIELD.findall(text, row, start)) - 1
    last = text.find("</table", start, start + _FAR)
    last = last if last > 0 else min(len(text), start + _FAR)
    rows = [found.start() for found in _ROW.finditer(text, start, last)][:_ROWS]
    for first, stop in pairwise([*rows, last]):
        fields = [*_FIELD.finditer(text, first, stop)]
        if len(fields) > column:
            yield fields[column].span("value")


_PAIRS = {"(": ")", "[": "]"}
_STATEMENT = re.compile(r"\binsert\s[^()]{0,120}$", re.IGNORECASE)
_ROWS_FOLLOW = re.compile(
    r"\s{0,20}(?:values|,?[ ]?\\?[\"']?(?:rows|values|data|records)\\?[\"']?[ ]?[:=][ ]?\[)\s{0,20}", re.IGNORECASE
)
_TUPLE = re.compile(r"\s{0,20},?\s{0,20}[(\[](?P<values>(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|[^()'\"\[\]])*+)[)\]]")
_ITEM = re.compile(r"(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|[^,'\"])++")


def _in_rows(text: str, start: int, end: int) -> Iterator[Span]:
    """The same place in each row that a statement inserts, or that follows a list of names."""
    first = max(text.rfind(sign, max(0, start - 400), start) for sign in _PAIRS)
    last = text.find(_PAIRS[text[first]], end, end + 400) if first >= 0 else -1
    if last < 0 or (text[first] == "(" and not _STATEMENT.search(text, max(0, first - 140), first)):
        return
    follow = _ROWS_FOLLOW.match(text, last + 1)
    column, at = text.count(",", first, start), follow.end() if follow else 0
    for _ in range(_ROWS if follow else 0):
        row = _TUPLE.match(text, at, at + _FAR)
        if row is None:
            return
        items = [*_ITEM.finditer(text, *row.span("values"))]
        if len(items) > column:
            yield _bare(text, *items[column].span())
        at = row.end()


def _bare(text: str, start: int, end: int) -> Span:
    value = text[start:end]
    return start + len(value) - len(value.lstrip(" \n\t'\"N")), end - len(value) + len(value.rstrip(" \n\t'\""))
