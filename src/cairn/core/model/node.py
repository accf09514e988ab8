"""A node: a file, or a virtual thing, that a provider recognised."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Triple(NamedTuple):
    """A size in three parts."""

    frontmatter: int
    body: int
    total: int


class ExternalRef(NamedTuple):
    url: str
    line: int
    original: str


class Tag(NamedTuple):
    """A label and where it was written: `frontmatter`, `topics` or `sidecar`."""

    tag: str
    source: str


class Claim(NamedTuple):
    """What one provider says that a file is."""

    provider: str
    kind: str


class Node(NamedTuple):
    path: str
    kind: str
    provider: str
    title: str
    description: str
    frontmatter: Mapping[str, Any]
    body_hash: str
    frontmatter_hash: str
    bytes: Triple
    modified_at_ms: int | None = None
    tokens: Triple | None = None
    links_out: int = 0
    links_in: int = 0
    external_refs: tuple[ExternalRef, ...] = ()
    tags: tuple[Tag, ...] = ()
    virtual: bool = False
    derived_from: tuple[str, ...] = ()

    @property
    def qualified_kind(self) -> str:
        return f"{self.provider}/{self.kind}"
