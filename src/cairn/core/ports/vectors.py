"""Vectors of pages, kept by what the pages say: a page that is edited has none until one is made."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol


class Unembedded(NamedTuple):
    """A page that has no vector of some model."""

    path: str
    title: str
    description: str
    body_hash: bytes
    frontmatter_hash: bytes


class VectorRow(NamedTuple):
    body_hash: bytes
    frontmatter_hash: bytes
    vector: bytes


class VectorStore(Protocol):
    def missing(self, model: str, limit: int) -> list[Unembedded]:
        """In the order of paths."""
        ...

    def count_missing(self, model: str) -> int: ...

    def keep(self, model: str, rows: Sequence[VectorRow]) -> None: ...

    def tidy(self, model: str) -> int:
        """Drop what no page needs any more, and what other models made; how many."""
        ...

    def all(self, model: str, limit: int) -> Iterator[tuple[str, bytes]]:
        """(path, vector)."""
        ...
