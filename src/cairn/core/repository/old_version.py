"""One old version of a file, as the proof of a removal looks at it. Thousands of names may have one file, so whatever
depends on the file alone is found out once."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from cairn.core.repository.tree import decoded
from cairn.lib.code.definitions import types_in

_PART = re.compile(r"[a-z]+|[A-Z][a-z]*")
_KEYWORDS = frozenset(
    ("def", "class", "self", "function", "func", "fn", "const", "let", "var", "async", "export", "public", "void")
)


class _Names(NamedTuple):
    """Names that stand between the same beginning and the same end of a line."""

    all: frozenset[str]
    by_part: Mapping[str, frozenset[str]]


class Successors:
    """The lines that a commit added to a file. Lines of one shape are looked at once, however many names ask."""

    def __init__(self, added: Iterable[str]) -> None:
        self._added = tuple(dict.fromkeys(added))
        self._shapes: dict[tuple[str, str], _Names] = {}

    def of(self, name: str, line: str) -> str | None:
        """The name that stands in the place of another now, if exactly one added line differs from the removed one in
        nothing else."""
        before, _, after = line.partition(name)
        if (before, after) not in self._shapes:
            self._shapes[before, after] = self._names(before, after)
        names = self._shapes[before, after]
        found = (names.all if _is_telling(before + after) else _alike(name, names)) - {name}
        return next(iter(found)) if len(found) == 1 else None

    def _names(self, before: str, after: str) -> _Names:
        fitting = (line for line in self._added if line.startswith(before) and line.endswith(after))
        names = {line[len(before) : len(line) - len(after)] for line in fitting}
        known = frozenset(name for name in names if _NAME.fullmatch(name))
        by_part: dict[str, set[str]] = defaultdict(set)
        for name in known:
            for part in _parts(name):
                by_part[part].add(name)
        return _Names(known, {part: frozenset(same) for part, same in by_part.items()})


def _alike(name: str, names: _Names) -> frozenset[str]:
    """Those that share a part with a name: two short lines that differ in unlike names differ by chance."""
    return frozenset().union(*(names.by_part.get(part, frozenset()) for part in _parts(name)))


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name)}


def _is_telling(rest: str) -> bool:
    """Whether what stands around a name says so much that the line is the same one."""
    return len([word for word in re.findall(r"[^\W\d_]\w+", rest) if word not in _KEYWORDS]) > 1


_PASSED_ON = re.compile(rb"\bimport\s+\*|\bexport\s+\*|\buse\s+[\w:]+::\*")
_NAME = re.compile(r"(?:--)?[A-Za-z_][\w-]{2,}")
_QUOTED_FLAG = re.compile(rb"""["'`]--[a-z]""")
_NOT_RAW = re.compile(rb"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*+`|//.*""")
"""Strings that end on their line, and comments, whichever begins first."""
_OPENS_COMMENT = re.compile(rb"""[^"'`]*/\*""")
"""A comment begins outside of a string, such as a pattern of paths."""


class OldVersion:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.lines = data.split(b"\n")
        self._successors: tuple[OldVersion, Successors] | None = None

    def find(self, line: bytes) -> int | None:
        """The index of the first line that reads like this."""
        return self._places.get(line)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {line: at for at, line in reversed(list(enumerate(self.lines)))}

    def in_docstring(self, at: int) -> bool:
        return self._quotes[at] % 2 == 1

    @cached_property
    def _quotes(self) -> list[int]:
        """How many triple quotes stand above each line."""
        return list(accumulate((line.count(b'"""') + line.count(b"'''") for line in self.lines), initial=0))

    def in_raw_string(self, at: int) -> bool:
        """Whether the line begins inside of a string between backticks."""
        return self._backticks[at] % 2 == 1

    @cached_property
    def _backticks(self) -> list[int]:
        """How many backticks stand above each line, without those of strings and comments."""
        found = [0]
        for line in self.lines:
            code = line if b"`" not in line or found[-1] % 2 else _NOT_RAW.sub(b"", line)
            found.append(found[-1] + code.count(b"`"))
        return found

    def in_block_comment(self, at: int) -> bool:
        """Whether the line begins between `/*` and `*/`."""
        return self._comments[at]

    @cached_property
    def _comments(self) -> list[bool]:
        inside, found = False, []
        for line in self.lines:
            found.append(inside)
            opened, closed = line.rfind(b"/*"), line.rfind(b"*/")
            if opened >= 0 or closed >= 0:
                inside = opened > closed and (inside or _OPENS_COMMENT.match(line) is not None)
        return found

    @cached_property
    def types(self) -> frozenset[str]:
        return types_in(self.lines)

    @cached_property
    def passes_on(self) -> bool:
        """Whether something that another module defines can be imported from this one."""
        return any(_PASSED_ON.search(line) for line in self.lines)

    @cached_property
    def quotes_flags(self) -> bool:
        return any(_QUOTED_FLAG.search(line) for line in self.lines)

    def has(self, word: str) -> bool:
        """Whether the word stands anywhere in it by itself."""
        data = word.encode()
        return data in self._data and re.search(rb"\b" + re.escape(data) + rb"\b", self._data) is not None

    def in_place_of(self, old: "OldVersion", at: int, name: str) -> str | None:
        """The name in the line between the same two lines, if that differs in nothing else and says something."""
        before, _, after = decoded(old.lines[at]).partition(name)
        if not re.search(r"[\w=:(]", before + after) or not 0 < at < len(old.lines) - 1:
            return None
        around = (old.lines[at - 1], old.lines[at + 1])
        for here in range(1, len(self.lines) - 1):
            if (self.lines[here - 1], self.lines[here + 1]) == around:
                line = decoded(self.lines[here])
                found = line[len(before) : len(line) - len(after)]
                if line == f"{before}{found}{after}" and _NAME.fullmatch(found):
                    return found
        return None

    def successors(self, old: "OldVersion") -> Successors:
        """Among the lines that the version before did not have."""
        if self._successors is None or self._successors[0] is not old:
            known = frozenset(old.lines)
            self._successors = old, Successors(decoded(line).strip() for line in self.lines if line not in known)
        return self._successors[1]
