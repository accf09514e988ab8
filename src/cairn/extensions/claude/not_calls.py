"""Tells text that looks like a call from a call: comments, examples, packages, decorators, versions, paths."""

import re
from bisect import bisect_right
from collections.abc import Iterator

EXAMPLE = {"example": True}
"""Data of a link that nobody is meant to follow."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")

_VERSION = re.compile(r"v?\d[\w.-]*|latest|next|beta|canary|main|master|head", re.IGNORECASE)
_NUMBER = re.compile(r"/\d+[A-Za-z]?")
_GLUED = frozenset("`)]}>+%$\\^=~*…’")
"""Behind one of these a slash divides, or continues a path: `a`/b, ${ROOT}/b, M0+/M4."""
_FOLDERS = """
    api app bin boot dev etc home lib lib64 media mnt opt path private proc root run sbin srv sys tmp usr users var
    volumes
"""
_SYSTEM = frozenset(_FOLDERS.split())
"""Folders of a machine, and where an address starts: hardly ever the name of a command."""


class NotCalls:
    """The stretches of a text in which nobody is called."""

    def __init__(self, body: str) -> None:
        self._body = body
        found = [match.span() for match in _COMMENT.finditer(body)] if "<!--" in body else []
        if "    " in body or "\t" in body:
            found += _indented_code(body)
        found.sort()
        self._starts = [start for start, _ in found]
        self._ends = [end for _, end in found]

    def covers(self, start: int) -> bool:
        index = bisect_right(self._starts, start) - 1
        return index >= 0 and start < self._ends[index]

    def command(self, literal: str, start: int, end: int) -> bool:
        """Whether `/name` is no command."""
        before = self._body[start - 1 : start]
        if before in _GLUED or not before.isascii():
            return not (before == "*" and self._is_emphasis(start))
        if _NUMBER.fullmatch(literal) or literal[1:].lower() in _SYSTEM:
            return True
        after = self._body[end : end + 2]
        return after[:1] in ("{", "$", "<", "*", "(") or (after[:1] in (".", ":") and after[1:].isalnum())

    def _is_emphasis(self, start: int) -> bool:
        return self._body[start - 2 : start - 1] in ("*", " ", "\n", "", "(")

    def mention(self, literal: str, start: int, end: int) -> bool:
        """Whether `@name` is a decorator, a package or a version."""
        name = literal[1:]
        if self._body[start - 1 : start] == "`" or self._body[end : end + 1] in ("(", "/", "@"):
            return True
        return "/" in name or "." in name or _VERSION.fullmatch(name) is not None


def _indented_code(body: str) -> Iterator[tuple[int, int]]:
    """Lines indented by four blanks behind an empty one; in a list that is a paragraph of an item."""
    position, in_list, in_code, after_blank = 0, False, False, True
    for line in body.split("\n"):
        if not line.strip():
            after_blank = True
        elif line.startswith(("    ", "\t")):
            in_code = in_code or (after_blank and not in_list)
            if in_code:
                yield position, position + len(line)
            after_blank = False
        else:
            in_list = _ITEM.match(line) is not None or (in_list and (line[0] == " " or not after_blank))
            in_code = after_blank = False
        position += len(line) + 1
