"""Nodes, links and contributions of the graph, and their JSON with the names that the published schemas use."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cairn.core.model.issue import Issue


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


class ProviderClaim(NamedTuple):
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


SLOTS = (
    "card.title.right",
    "card.subtitle.left",
    "card.footer.left",
    "card.footer.right",
    "graph.node.alert",
    "inspector.header.badge",
    "inspector.action.button",
    "inspector.body.panel.breakdown",
    "inspector.body.panel.records",
    "inspector.body.panel.tree",
    "inspector.body.panel.key-values",
    "inspector.body.panel.link-list",
    "inspector.body.panel.markdown",
    "topbar.nav.start",
)


class View(NamedTuple):
    """An entry of a manifest's `ui` map: where and how a payload is shown."""

    slot: str
    label: str = ""
    tooltip: str = ""
    icon: str | None = None
    empty_text: str = ""
    emit_when_empty: bool = False
    priority: int = 100


class Contribution(NamedTuple):
    path: str
    extension: str
    """Qualified id."""
    key: str
    """Of the manifest's `ui` map."""
    slot: str
    payload: Mapping[str, Any]


def node_json(node: Node) -> dict[str, Any]:
    out: dict[str, Any] = {
        "path": node.path,
        "kind": node.kind,
        "provider": node.provider,
        "title": node.title,
        "description": node.description,
        "frontmatter": dict(node.frontmatter),
        "bodyHash": node.body_hash,
        "frontmatterHash": node.frontmatter_hash,
        "bytes": triple_json(node.bytes),
        "linksOutCount": node.links_out,
        "linksInCount": node.links_in,
        "externalRefsCount": len(node.external_refs),
        "tags": [{"tag": tag.tag, "source": tag.source} for tag in node.tags],
    }
    if node.tokens is not None:
        out["tokens"] = triple_json(node.tokens)
    if node.modified_at_ms is not None:
        out["modifiedAtMs"] = node.modified_at_ms
    if node.external_refs:
        out["externalRefs"] = [
            {"url": ref.url, "line": ref.line, "originalTrigger": ref.original} for ref in node.external_refs
        ]
    if node.virtual:
        out["virtual"] = True
        out["derivedFrom"] = list(node.derived_from)
    return out


def triple_json(triple: Triple) -> dict[str, int]:
    return {"frontmatter": triple.frontmatter, "body": triple.body, "total": triple.total}


def link_json(link: Link) -> dict[str, Any]:
    out: dict[str, Any] = {
        "source": link.source,
        "target": link.target,
        "kind": link.kind,
        "confidence": link.confidence,
        "sources": list(link.sources),
        "trigger": {"originalTrigger": link.original, "normalizedTrigger": link.normalized},
        "location": {"line": link.line, "offset": link.offset},
        "raw": link.raw,
        "state": link.state,
        "occurrences": [
            {
                "extractor": seen.extractor,
                "originalTrigger": seen.original,
                "location": {"line": seen.line, "offset": seen.offset},
            }
            for seen in link.occurrences
        ],
    }
    if link.resolved is not None:
        out["resolvedTarget"] = link.resolved
    if link.data:
        out["data"] = dict(link.data)
    return out


def issue_json(issue: Issue) -> dict[str, Any]:
    out: dict[str, Any] = {
        "analyzerId": issue.analyzer,
        "severity": str(issue.severity),
        "nodeIds": list(issue.nodes),
        "message": issue.message,
    }
    if issue.line is not None:
        out["line"] = issue.line
    if issue.detail is not None:
        out["detail"] = issue.detail
    if issue.fix is not None:
        out["fix"] = {"summary": issue.fix.summary, "autofixable": issue.fix.autofixable}
    if issue.data is not None:
        out["data"] = dict(issue.data)
    return out
