"""Passwords in tables: a column whose head says so, in Markdown and in comma-separated values."""

import re
from collections.abc import Iterator

from cairn.scrub.names import PASSWORD, pattern_of
from cairn.scrub.rule import Category
from cairn.scrub.value import judged

_ROWS = 200
_WIDEST = 600
"""Characters of the head of a table."""
_LINE = re.compile(r"[^\n]*")
_HEAD = re.compile(
    rf"[ \t\"'`*]{{0,40}}(?:\w{{1,20}}[ _-])?(?:{pattern_of(PASSWORD)})[ \t\"'`*]{{0,40}}", re.IGNORECASE
)
_CELL = re.compile(r"[ \t\"'`]*(?P<value>[^ \t\"'`]+)[ \t\"'`]*")


def in_columns(text: str, found: Iterator[int]) -> Iterator[tuple[int, int, Category]]:
    """Start, end and category of cells below a head that stands at one of these places."""
    done = 0
    for at in found:
        line = text.rfind("\n", max(0, at - _WIDEST), at) + 1
        known = line > 0 or at < _WIDEST
        if known and line >= done and (end := text.find("\n", at, at + _WIDEST)) > 0:
            done = end
            for sign in "|,;\t":
                for start, stop, worth in _below(text, line, end, sign):
                    done = max(done, stop)
                    if worth:
                        yield start, stop, worth


def _below(text: str, line: int, end: int, sign: str) -> Iterator[tuple[int, int, Category | None]]:
    """Cells, and None as the worth of those that hold nothing: whatever was read is not read again."""
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


def _cells(row: str, at: int, sign: str, columns: list[int]) -> Iterator[tuple[int, int, Category | None]]:
    cells = row.split(sign)
    for column in columns:
        start = at + sum(len(cell) + 1 for cell in cells[:column])
        cell = _CELL.fullmatch(cells[column])
        worth = judged(cell["value"], quoted=True, password=True, closed=False) if cell else None
        if cell:
            yield start + cell.start("value"), start + cell.end("value"), worth
