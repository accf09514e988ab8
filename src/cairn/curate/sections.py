"""Cuts a Markdown text at its headings, and keeps its links valid when a section moves to another file."""

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from cairn.lib.markdown.code_mask import code_ranges, fences, without

_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})[ \t]++(\S.*)$", re.MULTILINE)
_LINK: Final = re.compile(r"(\]\(<?|^ {0,3}\[[^\]\n]+\]:[ \t]+<?)([^\s()<>]+)", re.MULTILINE)


class Section(NamedTuple):
    headings: tuple[str, ...]
    """From the title of the page down to its own."""
    text: str
    """What stands below the heading, up to the next one."""
    start: int
    end: int


def sections(text: str) -> Iterator[Section]:
    """In order; text before the first heading is a section without one."""
    masked = without(text, fences(text))
    above: list[tuple[int, str]] = []
    start = 0
    for found in [*_HEADING.finditer(masked), None]:
        end = found.start() if found else len(text)
        if text[start:end].strip():
            yield Section(tuple(title for _, title in above), text[start:end].strip(), start, end)
        if found:
            level = len(found[1])
            title = text[found.start(2) : found.end(2)].rstrip().rstrip("#").rstrip()
            above = [*(one for one in above if one[0] < level), (level, title)]
            start = found.end()


def relinked(text: str, path: str) -> str:
    """The same text with relative link targets written from the root of the repository; code stays as it is."""
    masked = without(text, code_ranges(text))
    pieces, at = [], 0
    for found in _LINK.finditer(masked):
        if target := _from_root(found[2], path):
            pieces += [text[at : found.start(2)], target]
            at = found.end(2)
    return "".join((*pieces, text[at:]))


def _from_root(target: str, path: str) -> str:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or target.startswith(("/", "#")):
        return ""
    moved = normpath(join(dirname(path), parts.path))
    if moved.startswith(".."):
        return ""
    slash = "/" if parts.path.endswith("/") else ""
    return f"/{moved}{slash}{f'#{parts.fragment}' if parts.fragment else ''}"
