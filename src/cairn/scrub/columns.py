"""Passwords in tables: a column whose head says so, in Markdown and in comma-separated values."""

import re
from collections.abc import Iterator

from cairn.scrub.names import PASSWORD, pattern_of
from cairn.scrub.rule import Category
from cairn.scrub.value import judged

_ROWS = 200
_LINE = re.compile(r"[^\n]*")
_HEAD = re.compile(rf"[ \t\"'`*]*(?:\w{{1,20}}[ _-])?(?:{pattern_of(PASSWORD)})[ \t\"'`*]*", re.IGNORECASE)
_CELL = re.compile(r"[ \t\"'`]*(?P<value>[^ \t\"'`]+)[ \t\"'`]*")


def in_columns(text: str, found: Iterator[int]) -> Iterator[tuple[int, int, Category]]:
    """Start, end and category of cells below a head that stands at one of these places."""
    done = 0
    for at in found:
        line = text.rfind("\n", 0, at) + 1
        if line >= done and (end := text.find("\n", at)) > 0 and end - line < 600:
            done = end
            for sign in "|,;\t":
                yield from _below(text, line, end, sign)


def _below(text: str, line: int, end: int, sign: str) -> Iterator[tuple[int, int, Category]]:
    heads = text[line:end].split(sign)
    columns = [place for place, head in enumerate(heads) if len(heads) > 2 - (sign != "|") and _HEAD.fullmatch(head)]
    if not columns:
        return
    at = end + 1
    for _ in range(_ROWS):
        row = _LINE.match(text, at)
        if row is None or row[0].count(sign) + 1 != len(heads):
            return
        yield from _cells(row[0], at, sign, columns)
        at = row.end() + 1


def _cells(row: str, at: int, sign: str, columns: list[int]) -> Iterator[tuple[int, int, Category]]:
    cells = row.split(sign)
    for column in columns:
        start = at + sum(len(cell) + 1 for cell in cells[:column])
        cell = _CELL.fullmatch(cells[column])
        worth = judged(cell["value"], quoted=True, password=True, closed=False) if cell else None
        if cell and worth:
            yield start + cell.start("value"), start + cell.end("value"), worth
