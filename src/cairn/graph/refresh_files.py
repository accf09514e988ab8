"""Reading some files again: which ones, and how they look before and after."""

from collections.abc import Iterable
from typing import Any

from cairn.core.model.node import Node
from cairn.core.ports.graph import GraphView
from cairn.graph.compare import graph_json
from cairn.graph.subgraph import Part


def files_of(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The files to read; a virtual node stands for those that name it."""
    found = [path for node in nodes for path in (node.derived_from if node.virtual else (node.path,))]
    return tuple(dict.fromkeys(found))


def state_of(graph: GraphView, paths: Iterable[str]) -> dict[str, Any]:
    """These nodes with their links out and their issues, as far as a difference needs them."""
    wanted = list(paths)
    return graph_json(
        Part(
            tuple(graph.nodes(wanted)),
            tuple(link for path in wanted for link in graph.links(source=path)),
            tuple(issue for path in wanted for issue in graph.issues(path=path) if issue.path == path),
        )
    )
