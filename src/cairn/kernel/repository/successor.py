"""Finds the new name of something that a commit renamed."""

import re
from collections.abc import Iterable

_NAME = re.compile(r"(?:--)?[A-Za-z_][\w-]{2,}")
_KEYWORDS = frozenset(
    ("def", "class", "self", "function", "func", "fn", "const", "let", "var", "async", "export", "public", "void")
)


def successor_of(name: str, line: str, added: Iterable[str]) -> str | None:
    """The name that stands in its place now, if exactly one added line differs from the removed one in nothing else."""
    before, _, after = line.partition(name)
    middles = {
        other[len(before) : len(other) - len(after)]
        for other in added
        if other.startswith(before) and other.endswith(after)
    }
    found = {new for new in middles if new != name and _NAME.fullmatch(new) and _alike(name, new, before + after)}
    return found.pop() if len(found) == 1 else None


def _alike(name: str, other: str, rest: str) -> bool:
    """Whether two lines that differ in a name only do so on purpose: the names share a part, or the rest is long."""
    parts, others = ({part.lower() for part in re.findall(r"[a-z]+|[A-Z][a-z]*", text)} for text in (name, other))
    telling = [word for word in re.findall(r"[^\W\d_]\w+", rest) if word not in _KEYWORDS]
    return bool(parts & others) or len(telling) > 1
