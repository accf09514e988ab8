"""The graph in the store: what surfaces read, and what a scan writes, as rows in the order of their columns."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from cairn.core.model.graph import Contribution, Link, Node
from cairn.core.model.issue import Issue


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


class NodeRow(NamedTuple):
    """A node as it is stored. Hashes are raw digests; `claims` is `provider/kind` of every claim, by blanks."""

    id: int
    path: str
    kind: str | None
    """None: no provider claims it while this one is active; such a node is in no view."""
    provider: str | None
    claims: str
    title: str
    description: str
    frontmatter: str
    """JSON."""
    body_hash: bytes
    frontmatter_hash: bytes
    bytes_frontmatter: int
    bytes_body: int
    modified_at_ms: int | None
    size: int
    mtime_ns: int
    inode: int
    reserved: int
    virtual: int
    derived_from: str | None
    """JSON list of paths."""
    external_refs: str | None
    """JSON list of [url, line, original]."""
    external_refs_count: int
    extractors: int
    """Id of the set of extractors whose signals are stored for it."""
    text_id: int | None
    """Its row in the full-text index."""


class TextRow(NamedTuple):
    """What full-text search sees of a node."""

    id: int
    name: str
    title: str
    summary: str
    body: str


class NameRow(NamedTuple):
    """One name by which a node may be called; origin is `name`, `file`, `dir` or `page`."""

    name: str
    node_id: int
    origin: str


class TagRow(NamedTuple):
    node_id: int
    tag: str
    source: str


class ContributionRow(NamedTuple):
    node_id: int
    extension: str
    key: str
    slot: str
    payload: str


class EnrichmentRow(NamedTuple):
    node_id: int
    extractor: str
    value: str


class VirtualRow(NamedTuple):
    """A virtual node that a file implies."""

    node_id: int
    path: str
    kind: str
    provider: str
    title: str


class LinkRow(NamedTuple):
    """A link as it is stored; `detail` is JSON of what only the detailed views need."""

    source_id: int
    target: str
    kind: str
    resolved_id: int | None
    state: str
    confidence: float
    name: str | None
    """The key under which it was looked up, None for path-style links."""
    line: int
    offset: int
    seen: int
    """How many occurrences."""
    detail: str


class ScoreRow(NamedTuple):
    source_id: int
    target: str
    kind: str
    normalized: str
    extension: str
    op: str
    value: float
    result: float


class LinkTarget(NamedTuple):
    """A node as a link sees it."""

    id: int
    path: str
    kind: str
    provider: str
    reserved: int


class StoredNode(NamedTuple):
    """What is kept of a file's own reading, enough to resolve it again without reading it."""

    id: int
    path: str
    kind: str | None
    provider: str | None
    signals: str
    """Packed, see `cairn.core.model.graph`."""


class Appearance(NamedTuple):
    """What a node looks like while a certain provider is active."""

    id: int
    kind: str | None
    provider: str | None
    reserved: int


class MissingNode(NamedTuple):
    """A node that is no longer there, as far as renames need to know it."""

    path: str
    body_hash: bytes
    frontmatter_hash: bytes


class Rename(NamedTuple):
    """A recorded rename: `high` moved by itself, `medium` too but says so, `ambiguous` did not move."""

    id: str
    old: str
    new: str
    confidence: str
    candidates: tuple[str, ...]
    at_ms: int


class Orphan(NamedTuple):
    path: str
    since_ms: int
    body_hash: bytes
    frontmatter_hash: bytes
    kept: int
    """How many rows of kept state refer to it."""


class OutlineRow(NamedTuple):
    """What a file of code defines, with the facts of the file that it was read from."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    outline: str
    """Packed; only whoever wrote it reads it."""
