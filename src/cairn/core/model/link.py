"""A link: one node points at something, and whether that something is there."""

from typing import Any, NamedTuple


class Occurrence(NamedTuple):
    """One place in the source that says the same thing."""

    extractor: str
    """Short id."""
    original: str
    line: int
    offset: int


class Link(NamedTuple):
    source: str
    target: str
    kind: str
    confidence: float
    sources: tuple[str, ...]
    original: str
    normalized: str
    by_name: bool
    line: int
    offset: int
    raw: str
    occurrences: tuple[Occurrence, ...] = ()
    resolved: str | None = None
    """Path of the node that it points at, if it is one."""
    state: str = "broken"
    """`node`; `file` (on disk, but not a node); `outside` (above the root, nobody can say); `reference` (named in
    scan.reference_paths); `mismatch` (the name exists, but not as a kind it may point at); `ambiguous`
    (several nodes of that name are equally near); `broken`."""
    data: dict[str, Any] | None = None
