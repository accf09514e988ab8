"""Lines of a page with their place in the file, and what indented blocks of them are: directives and tables."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cairn.lib.rst.names import words


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


FIELD = re.compile(r":(?![: ])((?:[^:\\]|\\.|:(?![ `]|$))*)(?<! ):( +|$)")

CODE: Mapping[str, str] = {
    "code-block": "",
    "code": "",
    "sourcecode": "",
    "parsed-literal": "",
    "doctest": "pycon",
    "testcode": "python",
    "testoutput": "output",
    "testsetup": "python",
    "testcleanup": "python",
    "prompt": "shell",
    "ipython": "ipython",
    "productionlist": "bnf",
    "console": "console",
}
"""Directives whose content is code, with its language if they fix one; the others name it."""
WITH_LANGUAGE = frozenset(("code-block", "code", "sourcecode"))
UNREAD = words(
    "raw math index highlight highlightlang graphviz digraph graph inheritance-diagram uml plantuml mermaid "
    "blockdiag contents meta sectnum section-numbering header footer tabularcolumns currentmodule "
    "py:currentmodule sectionauthor moduleauthor codeauthor autosummary bibliography jinja date unicode "
    "default-role title program plot command-output program-output literalinclude include image toctree role "
    "target-notes rst-class"
)
"""Directives whose content is nothing to read here."""
ADMONITIONS = words(
    "note tip warning hint important danger error attention caution seealso todo compound epigraph highlights "
    "pull-quote hlist glossary centered tab-set tabs acks"
)
"""Directives that have no argument: what stands on their first line is content."""
TITLED = words(
    "rubric centered admonition topic sidebar table list-table csv-table versionadded versionchanged "
    "deprecated versionremoved replace"
)
"""Directives whose argument is text to be read."""
VERSIONS = frozenset(("versionadded", "versionchanged", "deprecated", "versionremoved"))
INCLUDES = frozenset(("include", "literalinclude"))
WITH_FILE = frozenset(("csv-table", "raw"))
"""Directives whose option `file` names a file with their content."""
NESTED_SECTIONS = frozenset(("only", "ifconfig"))


class Directive(NamedTuple):
    name: str
    line: RstLine
    argument: list[RstLine]
    options: dict[str, RstLine]
    content: list[RstLine]


def split_directive(name: str, line: RstLine, block: list[RstLine]) -> Directive:
    """`block` starts with what follows `::` on the first line."""
    end = next((i for i, each in enumerate(block) if not each.text), len(block))
    head, content = block[:end], dedented(_unled(block[end:]))
    if not block[0].text and len(block) > 1 and block[1].text:
        end = next((i for i, each in enumerate(block) if i and not each.text), len(block))
        head, content = block[1:end], dedented(_unled(block[end:]))
    argument, options = _options(head)
    if name in CODE and len(argument) > 1:
        argument, content = argument[:1], [*argument[1:], *content]
    return Directive(name, line, argument, options, trimmed(content))


def _unled(lines: list[RstLine]) -> list[RstLine]:
    start = 0
    while start < len(lines) and not lines[start].text:
        start += 1
    return lines[start:]


def _options(head: list[RstLine]) -> tuple[list[RstLine], dict[str, RstLine]]:
    at = next((i for i, line in enumerate(head) if FIELD.match(line.text)), len(head))
    options: dict[str, RstLine] = {}
    for line in head[at:]:
        if found := FIELD.match(line.text):
            options[found[1].lower()] = line.cut(found.end())
    return [line for line in head[:at] if line.text], options
