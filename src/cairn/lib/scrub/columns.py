"""Secrets in tables: a column whose head says so, in Markdown and in comma-separated values."""

import re
from collections.abc import Callable, Iterator

from cairn.lib.scrub.rule import Category

_ROWS = 200
_WIDEST = 600
"""Characters of the head of a table."""
_LINE = re.compile(r"[^\n]*")
_CELL = re.compile(r"[ \t\"'`]*(?P<value>[^ \t\"'`]+(?: [^ \t\"'`]+){0,3})[ \t\"'`]*")
_OF_CODE = frozenset("(){}[]=<>")
"""Signs of code, which has commas, too."""
_MOST_WORDS = 4
_Judge = Callable[[str], Category | None]


def head_pattern(head: str) -> re.Pattern[str]:
    """With what may stand around it."""
    return re.compile(
        rf"[ \t\"'`*]{{0,40}}(?:\w{{1,20}}[ _-])?(?:{head})(?:[ _.-]{{1,2}}\w{{1,8}}\.?)?[ \t\"'`*]{{0,40}}",
        re.IGNORECASE,
    )


def in_columns(
    text: str, found: Iterator[int], head: re.Pattern[str], judge: _Judge
) -> Iterator[tuple[int, int, Category]]:
    """Start, end and category of cells below a head that stands at one of these places."""
    done = 0
    for at in found:
        if at < done:
            continue
        line = text.rfind("\n", max(0, at - _WIDEST), at) + 1
        end = text.find("\n", at, at + _WIDEST)
        done = end if end > 0 else at + 1
        if end > 0 and (line or at < _WIDEST) and (sign := _sign(text, line, end)):
            for start, stop, worth in _below(text, line, end, sign, head, judge):
                done = max(done, stop)
                if worth:
                    yield start, stop, worth


def _sign(text: str, line: int, end: int) -> str:
    """What separates the cells: it stands as often in the line below."""
    for sign in "|,;\t":
        number = text.count(sign, line, end)
        if number and text.count(sign, end + 1, _end(text, end + 1)) == number:
            return sign if sign != "," or _is_head(text[line:end]) else ""
    return ""


def _is_head(line: str) -> bool:
    """Commas stand in code and in sentences, too."""
    return _OF_CODE.isdisjoint(line) and all(cell.count(" ") < _MOST_WORDS for cell in line.split(","))


def _end(text: str, at: int) -> int:
    """Where the line that begins here ends."""
    end = text.find("\n", at, at + _WIDEST)
    return end if end >= 0 else min(len(text), at + _WIDEST)


def _below(
    text: str, line: int, end: int, sign: str, head: re.Pattern[str], judge: _Judge
) -> Iterator[tuple[int, int, Category | None]]:
    """Cells, and None as the worth of those that hold nothing: whatever was read is not read again."""
    heads = text[line:end].split(sign)
    columns = [place for place, one in enumerate(heads) if len(heads) > 2 - (sign != "|") and head.fullmatch(one)]
    if not columns:
        return
    at = end + 1
    for _ in range(_ROWS):
        row = _LINE.match(text, at)
        if row is None or row[0].count(sign) + 1 != len(heads):
            return
        yield from _cells(row[0], at, sign, columns, judge)
        at = row.end() + 1


def _cells(
    row: str, at: int, sign: str, columns: list[int], judge: _Judge
) -> Iterator[tuple[int, int, Category | None]]:
    cells = row.split(sign)
    for column in columns:
        start = at + sum(len(cell) + 1 for cell in cells[:column])
        cell = _CELL.fullmatch(cells[column])
        worth = judge(cell["value"]) if cell else None
        if cell:
            yield start + cell.start("value"), start + cell.end("value"), worth
