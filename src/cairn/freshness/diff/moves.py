"""Which of the files that came is which of those that are gone: the same bytes, else half of its lines."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

_ALIKE = 0.5
"""How much of its lines a file must share with one that is gone, to be taken for it."""
_RARE = 20
"""A line that more files than these have tells none of them."""
_CLOSER = 5
"""Files that are compared line by line with one that is gone."""

Contents = Mapping[str, bytes | None]
"""None for what was not read, because it is neither code nor a document: only its name can tell."""


def moves(gone: Contents, came: Contents) -> dict[str, str]:
    """Each file that came is taken once. The work grows with the number of files, not with its square."""
    found = _same_bytes(gone, came)
    left = {path: came[path] for path in came.keys() - set(found.values())}
    by_line = _by_line(left)
    for path in sorted(gone.keys() - found.keys()):
        target = _likest(path, gone[path], left, by_line)
        if target is not None:
            found[path] = target
            left.pop(target)
    return found


def _same_bytes(gone: Contents, came: Contents) -> dict[str, str]:
    by_data: dict[bytes, set[str]] = defaultdict(set)
    for path, data in came.items():
        if data is not None:
            by_data[data].add(path)
    found: dict[str, str] = {}
    for path in sorted(gone):
        same = by_data.get(gone[path] or b"") if gone[path] is not None else None
        if same:
            found[path] = _nearest(path, same)
            same.remove(found[path])
    return found


def _nearest(path: str, others: Collection[str]) -> str:
    """The one that ends most alike: in a folder that moved, files keep the ends of their paths."""
    if len(others) > _RARE and (named := _named_so(path, others)):
        others = named
    return max(sorted(others), key=lambda other: _same_end(path, other))


def _named_so(path: str, others: Iterable[str]) -> list[str]:
    name = posixpath.basename(path)
    return [other for other in others if posixpath.basename(other) == name]


def _same_end(one: str, other: str) -> int:
    count = 0
    for a, b in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if a != b:
            break
        count += 1
    return count


def _by_line(contents: Contents) -> dict[bytes, list[str]]:
    found: dict[bytes, list[str]] = defaultdict(list)
    for path in sorted(contents):
        for line in _lines(contents[path] or b""):
            found[line].append(path)
    return {line: paths for line, paths in found.items() if len(paths) <= _RARE}


def _likest(path: str, data: bytes | None, left: Contents, by_line: Mapping[bytes, list[str]]) -> str | None:
    if data is None:
        named = _named_so(path, left)
        return named[0] if len(named) == 1 else None
    lines = _lines(data)
    shared = Counter(other for line in lines for other in by_line.get(line, ()) if other in left)
    scored = [
        (_share(lines, _lines(left[other] or b"")), _same_end(path, other), other)
        for other, _ in shared.most_common(_CLOSER)
    ]
    best = max(scored, default=(0.0, 0, ""))
    return best[2] if best[0] >= _ALIKE else None


def _share(one: set[bytes], other: set[bytes]) -> float:
    return len(one & other) / max(len(one), len(other), 1)


def _lines(data: bytes) -> set[bytes]:
    return {line.strip() for line in data.splitlines() if line.strip()}
