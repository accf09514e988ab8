"""Reading the graph: what analyzers, formatters and surfaces look at."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from cairn.core.model.contribution import Contribution
from cairn.core.model.issue import Issue
from cairn.core.model.link import Link
from cairn.core.model.node import Node


class Degree(NamedTuple):
    path: str
    links_in: int
    links_out: int


class IssueCount(NamedTuple):
    path: str
    errors: int
    warnings: int


class SharedName(NamedTuple):
    """One name that two nodes or more declare in their frontmatter."""

    name: str
    paths: tuple[str, ...]


SORTS = ("path", "kind", "bytes", "links-in", "links-out", "external-refs", "issues", "modified")
"""Orders of a listing; counts and times from high to low."""


class NodeFilter(NamedTuple):
    """Which nodes a listing is about; empty fields don't restrict."""

    kinds: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    issues: str | None = None
    """`any`, or the id of an analyzer."""
    path_glob: str | None = None
    sort_by: str = "path"
    """One of `SORTS`."""
    limit: int | None = None
    offset: int = 0
    without: tuple[str, ...] = ()
    """Kinds that are left out."""


class GraphView(Protocol):
    """The graph as it was left by the last scan. Iterators come in a fixed order (by path, then position)."""

    def node(self, path: str) -> Node | None: ...

    def nodes(self, paths: Iterable[str] | None = None) -> Iterator[Node]: ...

    def find_nodes(self, wanted: NodeFilter) -> Iterator[Node]: ...

    def count_nodes(self, wanted: NodeFilter) -> int: ...

    def links(self, *, source: str | None = None, resolved: str | None = None) -> Iterator[Link]:
        """All links, or those out of one node, or those that resolve to one node."""
        ...

    def issues(self, *, path: str | None = None, analyzers: tuple[str, ...] = ()) -> Iterator[Issue]:
        """All issues, or those that name a node, or those of some analyzers; worst first, then by path and line."""
        ...

    def contributions(self, path: str) -> Iterator[Contribution]: ...
