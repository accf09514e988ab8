"""Nodes, links and issues as JSON, with the names that the published schemas use."""

from typing import Any

from cairn.core.model.issue import Issue
from cairn.core.model.link import Link
from cairn.core.model.node import Node, Triple


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
