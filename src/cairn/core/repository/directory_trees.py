"""Reads directory trees that are drawn in code blocks (`├── src/`) as paths."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.lib.document.parts import Block

_BRANCH = re.compile(r"([\s│┃|]*)(?:[├└┣┗╰+`]|\|)(?:──?|━━?|--?)\s*([\w.@-]+/?)(?=\s|$)")
_LABEL = re.compile(r"\s*(\.|(?:\./)?[\w.@-]+(?:/[\w.@-]+)*/?)(?=\s|$)")
_LONGEST = 300
_DRAWN = re.compile(r"[├└┣┗╰]\s?[─━]|^[ \t|]*[|+`]--", re.MULTILINE)


class TreeEntry(NamedTuple):
    line: int
    path: str
    """From the folder that the tree shows, without a slash at its end."""
    folder: bool


class DirectoryTree(NamedTuple):
    label: str
    """The folder above the first branch, as written; empty if there is none."""
    entries: tuple[TreeEntry, ...]


def is_drawn(text: str) -> bool:
    """Whether a page may have a directory tree; quick."""
    return _DRAWN.search(text) is not None


def directory_trees(block: Block) -> Iterator[DirectoryTree]:
    """The trees of a block, which may have several below each other."""
    label, entries = "", list[TreeEntry]()
    above: list[tuple[int, str | None]] = []
    for number, line in enumerate(block.lines, block.line):
        found = _BRANCH.match(line[:_LONGEST])
        if found:
            entries += _entry(number, len(found[1]), found[2], above)
        elif _DRAWN.search(line):
            above = [*_outside(above, _column(line)), (_column(line), None)]
        elif line.strip(" \t│┃|"):
            if entries:
                yield DirectoryTree(label, _with_folders(entries))
            written = _LABEL.match(line)
            label, entries, above = (written[1] if written else ""), [], []
    if entries:
        yield DirectoryTree(label, _with_folders(entries))


def _entry(line: int, column: int, name: str, above: list[tuple[int, str | None]]) -> Iterator[TreeEntry]:
    """The entry of a branch; none below something that is not a plain name (`{a,b}/`, `*.py`)."""
    above[:] = _outside(above, column)
    parent = above[-1][1] if above else ""
    path = None if parent is None else f"{parent}/{name.rstrip('/')}".lstrip("/")
    above.append((column, path))
    if path is not None and name.strip("./"):
        yield TreeEntry(line, path, name.endswith("/"))


def _outside(above: list[tuple[int, str | None]], column: int) -> list[tuple[int, str | None]]:
    return [(at, path) for at, path in above if at < column]


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" \t│┃|"))


def _with_folders(entries: list[TreeEntry]) -> tuple[TreeEntry, ...]:
    parents = {entry.path.rpartition("/")[0] for entry in entries}
    return tuple(entry._replace(folder=entry.folder or entry.path in parents) for entry in entries)
