"""Finds the new name of something that a commit renamed."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_NAME = re.compile(r"(?:--)?[A-Za-z_][\w-]{2,}")
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
