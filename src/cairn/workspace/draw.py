"""Draws a part of the graph with the formatters that are plugged in."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout

from cairn.core.model.issue import Issue
from cairn.core.model.node import Node
from cairn.core.repository.proof import narrowed
from cairn.graph.inline_page import first_paragraph
from cairn.graph.llms_txt import front_summary
from cairn.graph.page_texts import body_reader
from cairn.graph.picture import draw, find_formatter
from cairn.graph.subgraph import Part
from cairn.workspace.findings import for_people
from cairn.workspace.ports import WorkspacePorts

_JSON = "application/json"
_FEW = 60


def drawn(ports: WorkspacePorts, format: str, part: Part, *, root: str | None = None, notes: bool = False) -> str:
    """What a formatter prints on its way must not end up in the picture. JSON has the issues of the scan, everything
    else those that `check` prints."""
    machine = find_formatter(ports.registry, format).manifest.content_type == _JSON
    body_of = body_reader(ports)
    shown = part if machine else _described(as_checked(ports, part, notes=notes), body_of)
    summary = front_summary(part.nodes, body_of)
    with redirect_stdout(sys.stderr):
        return draw(ports.registry, format, shown, title=title_of(ports), root=root, summary=summary)


def _described(part: Part, body_of: Callable[[str], str | None]) -> Part:
    """In a small graph, pages that have no description get their first paragraph: there is room to show it."""
    if len(part.nodes) > _FEW:
        return part

    def described(node: Node) -> Node:
        if node.description or node.virtual:
            return node
        return node._replace(description=first_paragraph(body_of(node.path) or ""))

    return part._replace(nodes=tuple(map(described, part.nodes)))


def as_checked(ports: WorkspacePorts, part: Part, *, notes: bool = False) -> Part:
    """The part with the issues that `check` prints."""
    found = for_people(ports, notes=notes)
    whole = len(part.nodes) == ports.store.counts()["nodes"]
    return part._replace(issues=found if whole else _within(found, part))


def _within(issues: tuple[Issue, ...], part: Part) -> tuple[Issue, ...]:
    """At the places that are in this part."""
    paths = {node.path for node in part.nodes}
    return tuple(kept for issue in issues if (kept := narrowed(issue, lambda place: place.path in paths)))


def title_of(ports: WorkspacePorts) -> str:
    return ports.root.resolve().name or "graph"
