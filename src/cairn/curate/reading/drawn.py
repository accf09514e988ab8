"""What is where, drawn in a fenced block: a tree of folders, or two columns, with a few words beside each."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from cairn.curate.reading.phrases import any_of
from cairn.kernel.text.mask import fences, without

_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+\S.*$", re.MULTILINE)
_PLAIN: Final = frozenset({"", "text", "txt", "tree", "plain", "plaintext", "bash", "sh"})
_LINE: Final = re.compile(
    r"^(?P<lead>[\s│├└─|`+\\-]*)(?P<name>[\w.@*{}-]+(?:/[\w.@*{}-]+)*/?)"
    r"(?:\s+(?:#|//|<-{1,2}|←|-{1,2}|–|—)\s+|\s{2,})(?P<what>[A-Za-z`*\"(].{5,})$"
)
_BRANCH: Final = re.compile(r"^(?P<lead>[\s│├└─|`+\\-]*)(?P<name>[\w.@*{}-]+(?:/[\w.@*{}-]+)*/?)(?:\s|$)")
_TREE: Final = re.compile(r"[├└]──|^[ \t]{0,40}[|`+]--", re.MULTILINE)
_PROMISED: Final = any_of(
    r"""
    structure, lay-?out, packages?, folders?, director(?:y|ies), architecture, modules?, tree, organi[sz]\w+, where,
    crates, code ?base, repository, repo, components, source, anatomy, files, layers
    """
)
_LINES, _LONGEST = 400, 300
"""Of a drawing, and characters of each; what is longer was not drawn for people."""


class Drawing(NamedTuple):
    title: str
    """The title of the document."""
    heading: str
    rows: tuple[tuple[str, str], ...]
    start: int
    end: int


def drawings(text: str) -> Iterator[Drawing]:
    blocks = fences(text)
    headings = [(one.start(), heading_of(one[0])) for one in _HEADING.finditer(without(text, blocks))]
    starts = [at for at, _ in headings]
    for start, end in blocks:
        under = bisect_left(starts, start)
        if under and (rows := _drawn(text, start, end, headings[under - 1][1])):
            yield Drawing(headings[0][1], headings[under - 1][1], tuple(rows), start, end)


def heading_of(line: str) -> str:
    """What a line that begins with `#` says; empty when it is no heading."""
    return line.strip().lstrip("#").rstrip("# \t").strip() if _HEADING.match(line) else ""


def _drawn(text: str, start: int, end: int, heading: str) -> list[tuple[str, str]]:
    opener, _, block = text[start:end].partition("\n")
    is_tree = _TREE.search(block) is not None
    if opener.strip("`~ \t").lower() not in _PLAIN or not (is_tree or _PROMISED.search(heading)):
        return []
    lines = [line for line in block.split("\n", _LINES)[:_LINES] if line.strip("`~ \t\r") and len(line) <= _LONGEST]
    rows = _rows(lines)
    return rows if is_tree or len(rows) * 3 >= len(lines) * 2 else []


def _rows(lines: list[str]) -> list[tuple[str, str]]:
    """Each with its whole path, as the drawing has it."""
    above: list[tuple[int, str]] = []
    found: list[tuple[str, str]] = []
    for line in lines:
        branch = _BRANCH.match(line.rstrip())
        if branch is None:
            continue
        depth = len(branch["lead"].expandtabs(4))
        above = [one for one in above if one[0] < depth]
        if entry := _LINE.match(line.rstrip()):
            found.append(("".join(f"{name.rstrip('/')}/" for _, name in above) + branch["name"], entry["what"].strip()))
        above.append((depth, branch["name"]))
    return [(where.removeprefix("./"), what.rstrip(" .")) for where, what in found]
