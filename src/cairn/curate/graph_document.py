"""GRAPH.md of a base of nodes: each node with what it leads to and where it comes from."""

from collections.abc import Iterator, Sequence

from cairn.curate.index_document import Indexed, head, one_line, order

NAME = "GRAPH.md"


def graph_document(nodes: Sequence[Indexed], hash: str) -> str:
    parts = [*head(hash, len(nodes)), "# KB Graph", "", f"Total nodes: {len(nodes)}" if nodes else "_No nodes yet._"]
    for node in sorted(nodes, key=lambda node: (*order(node.id), node.place)):
        parts += ["", f"## {one_line(node.id)}", "", *_facts(node)]
    return "\n".join(parts) + "\n"


def _facts(node: Indexed) -> Iterator[str]:
    yield f"- **kind:** {node.kind}"
    yield f"- **title:** {one_line(node.title)}"
    lists = (
        ("tags", node.tags),
        ("relates_to", node.relates_to),
        ("depends_on", node.depends_on),
        ("derived_from", node.derived_from),
    )
    for name, values in lists:
        if values:
            yield f"- **{name}:** {', '.join(map(one_line, values))}"
