"""A part of the graph as a Markdown page that people read: a table for each kind."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from cairn.core.model.issue import Issue
from cairn.core.model.link import Link
from cairn.core.model.node import Node
from cairn.graph.size import size_of
from cairn.graph.subgraph import Part

_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#!~$"} | {"&": "&amp;"})


def markdown(part: Part, *, title: str) -> str:
    return "\n".join(_lines(part, title)) + "\n"


def _lines(part: Part, title: str) -> Iterator[str]:
    yield f"# {_text(title)}"
    yield ""
    urls = sum(node.virtual and "://" in node.path for node in part.nodes)
    counts = {"documents": sum(not node.virtual for node in part.nodes), "links": len(part.links), "urls": urls}
    yield f"{size_of(counts)}, {len(part.issues):,} finding{'' if len(part.issues) == 1 else 's'}."
    titles = {node.path: node.title for node in part.nodes}
    links = {source: list(group) for source, group in groupby(part.links, key=lambda link: link.source)}
    ordered = sorted(part.nodes, key=lambda node: (node.qualified_kind, node.path))
    for kind, nodes in groupby(ordered, key=lambda node: node.qualified_kind):
        rows = [_row(node, links.get(node.path, ()), titles) for node in nodes]
        yield from ("", f"## {_text(kind)} ({len(rows)})", "")
        yield from ("| path | title | description | links to |", "|---|---|---|---|", *rows)
    if part.issues:
        yield from ("", f"## Findings ({len(part.issues)})", "")
        yield from map(_issue, part.issues)


def _row(node: Node, links: Iterable[Link], titles: dict[str, str]) -> str:
    targets = dict.fromkeys(link.resolved for link in links if link.resolved and link.resolved != node.path)
    linked = ", ".join(_link(path, titles.get(path) or path) for path in targets)
    return f"| {_link(node.path, node.path)} | {_text(node.title)} | {_text(node.description)} | {linked} |"


def _link(path: str, label: str) -> str:
    from urllib.parse import quote

    return f"[{_text(label)}]({quote(path)})"


def _issue(issue: Issue) -> str:
    place = issue.path if issue.line is None else f"{issue.path}:{issue.line}"
    return f"- **{issue.severity}** {_text(place)}: {_text(issue.message)} ({_text(issue.analyzer)})"


def _text(text: str) -> str:
    """Text of others on one line, without any meaning in Markdown."""
    return " ".join(text.split()).translate(_SPECIAL)
