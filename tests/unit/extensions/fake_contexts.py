"""The two contexts of extensions, in memory: extractors collect what they emit, analyzers look at a small graph."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from cairn.plugin import (
    Candidate,
    Contribution,
    Degree,
    Document,
    Issue,
    IssueCount,
    KindSpec,
    Link,
    Node,
    NodeFilter,
    Occurrence,
    Rejection,
    SharedName,
    Triple,
    View,
    normalize_trigger,
)


@dataclass
class FakeExtractorContext:
    document: Document
    settings: Mapping[str, Any] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    chips: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def emit_link(self, kind: str, target: str, confidence: float, **rest: Any) -> None:
        body = self.document.body
        assert rest["raw"] == body[rest["start"] : rest["end"]], "the raw text must be the text of the range"
        self.links.append({"kind": kind, "target": target, "confidence": confidence, **rest})

    def emit_field_link(self, kind: str, target: str, confidence: float, **rest: Any) -> None:
        self.links.append({"kind": kind, "target": target, "confidence": confidence, **rest})

    def emit_node(self, path: str, kind: str, *, provider: str, title: str = "") -> None:
        self.nodes.append({"path": path, "kind": kind, "provider": provider, "title": title})

    def emit_contribution(self, view: View | str, payload: Mapping[str, Any]) -> None:
        assert isinstance(view, str)
        self.chips[view] = payload

    def emit_signal(self, start: int, end: int, raw: str, *candidates: Candidate) -> None:
        raise AssertionError("no built-in extractor has two readings of one place")

    def enrich_node(self, value: Mapping[str, Any]) -> None:
        self.facts |= value

    def candidate(self, *args: Any, **kwargs: Any) -> Candidate:
        raise AssertionError("no built-in extractor has two readings of one place")


@dataclass
class FakeGraph:
    by_path: dict[str, Node]
    all_links: tuple[Link, ...]

    def node(self, path: str) -> Node | None:
        return self.by_path.get(path)

    def nodes(self, paths: Iterable[str] | None = None) -> Iterator[Node]:
        wanted = self.by_path if paths is None else [path for path in paths if path in self.by_path]
        return (self.by_path[path] for path in sorted(wanted))

    def links(self, *, source: str | None = None, resolved: str | None = None) -> Iterator[Link]:
        return (x for x in self.all_links if source in (None, x.source) and resolved in (None, x.resolved))

    def find_nodes(self, wanted: NodeFilter) -> Iterator[Node]:
        """By kind or by path, as analyzers ask."""
        for node in self.nodes():
            if node.kind in wanted.kinds or (wanted.path_glob and fnmatchcase(node.path, wanted.path_glob)):
                yield node

    def count_nodes(self, wanted: NodeFilter) -> int:
        raise AssertionError("not needed")

    def issues(self, *, path: str | None = None, analyzers: tuple[str, ...] = ()) -> Iterator[Issue]:
        raise AssertionError("what an analyzer says must not hang on what the last scan said")

    def contributions(self, path: str) -> Iterator[Contribution]:
        raise AssertionError("not needed")


@dataclass
class FakeAnalyzerContext:
    graph: FakeGraph
    kinds: Mapping[str, KindSpec] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    active_provider: str | None = "claude"
    lost: tuple[tuple[str, Rejection], ...] = ()
    reserved_paths: frozenset[str] = frozenset()
    counts: tuple[IssueCount, ...] = ()
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    chips: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)
    scores: list[tuple[str, str, str, float]] = field(default_factory=list)

    def nodes(self, *, mentioning: str | None = None) -> Iterator[Node]:
        return self.graph.nodes()

    def links(self, *, state: str | None = None) -> Iterator[Link]:
        return (link for link in self.graph.all_links if state in (None, link.state))

    def self_links(self) -> Iterator[Link]:
        return (link for link in self.graph.all_links if link.resolved == link.source)

    def _pairs(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        resolved = sorted((x for x in self.graph.all_links if x.resolved), key=lambda x: (x.source, str(x.resolved)))
        for (source, target), links in groupby(resolved, key=lambda x: (x.source, str(x.resolved))):
            yield source, target, tuple(links)

    def mixed_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        for source, target, links in self._pairs():
            kept = tuple(link for link in links if link.kind != "points")
            if len({link.kind for link in kept}) > 1:
                yield source, target, kept

    def repeated_links(self) -> Iterator[tuple[str, str, tuple[Link, ...]]]:
        return (pair for pair in self._pairs() if sum(len(link.occurrences) for link in pair[2]) > 1)

    def links_to(self, targets: Iterable[str]) -> Iterator[Link]:
        wanted = set(targets)
        return (link for link in self.graph.all_links if link.resolved in wanted)

    def rejections(self) -> Iterator[tuple[str, Rejection]]:
        return iter(self.lost)

    def facts(self, extractor: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        assert extractor == "knowledge/entry"
        return iter(self.kept.items())

    def shared_names(self, origin: str = "name") -> Iterator[SharedName]:
        names: dict[str, list[str]] = {}
        for node in self.graph.nodes():
            if isinstance(node.frontmatter.get("name"), str):
                names.setdefault(normalize_trigger(node.frontmatter["name"]), []).append(node.path)
        return (SharedName(name, tuple(paths)) for name, paths in sorted(names.items()) if len(paths) > 1)

    def reserved(self) -> frozenset[str]:
        return self.reserved_paths

    def degrees(self) -> Iterator[Degree]:
        for node in self.graph.nodes():
            into = sum(link.resolved == node.path != link.source for link in self.graph.all_links)
            out = sum(link.source == node.path != link.resolved for link in self.graph.all_links)
            yield Degree(node.path, into, out)

    def issue_counts(self) -> Iterator[IssueCount]:
        return iter(self.counts)

    def kind_spec(self, node: Node) -> KindSpec | None:
        return self.kinds.get(node.qualified_kind)

    def namespace(self, node: Node) -> str | None:
        plugins, _, rest = node.path.partition("/")
        return rest.partition("/")[0] if plugins == "plugins" else None

    def adjust_confidence(self, link: Link, op: str, value: float) -> None:
        self.scores.append((link.source, link.target, op, value))

    def emit_contribution(self, path: str, view: View | str, payload: Mapping[str, Any]) -> None:
        assert isinstance(view, str)
        self.chips.append((path, view, payload))


def make_node(path: str, kind: str = "markdown/markdown", **rest: Any) -> Node:
    provider, _, short = kind.rpartition("/")
    title = rest.pop("title", path)
    frontmatter = rest.pop("frontmatter", {})
    return Node(path, short, provider, title, rest.pop("description", ""), frontmatter, "", "", Triple(0, 0, 0), **rest)


def make_link(source: str, target: str, kind: str = "references", **rest: Any) -> Link:
    """`lines` says where it occurs; `resolved: true` means that the target is the path of a node."""
    lines = rest.pop("lines", [1])
    original = rest.pop("original", target)
    resolved = rest.pop("resolved", None)
    resolved = target if resolved is True else resolved
    return Link(
        source,
        target,
        kind,
        rest.pop("confidence", 1.0),
        ("markdown-link",),
        original,
        rest.pop("normalized", target),
        rest.pop("by_name", False),
        lines[0],
        lines[0] * 10,
        original,
        tuple(Occurrence("markdown-link", original, line, line * 10) for line in lines),
        resolved,
        rest.pop("state", "node" if resolved else "broken"),
        rest.pop("data", None),
    )
