"""GRAPH.md of a base of nodes: each node with what it leads to and where it comes from."""

from collections.abc import Iterator, Sequence

from cairn.curate.index_document import Indexed, head, one_line, order

NAME = "GRAPH.md"


def graph_document(nodes: Sequence[Indexed], hash: str, *, tree: bool = False) -> str:
    """In a tree each node has its path, since that can't be told from its kind."""
    head_lines = head(hash, len(nodes), 2) if tree else head(hash, len(nodes))
    title = "# kenkeep Graph" if tree else "# KB Graph"
    parts = [*head_lines, title, "", f"Total nodes: {len(nodes)}" if nodes else "_No nodes yet._"]
    for node in sorted(nodes, key=lambda node: (*order(node.id), node.place)):
        parts += ["", f"## {one_line(node.id)}", "", *_facts(node, tree=tree)]
    return "\n".join(parts) + "\n"


def _facts(node: Indexed, *, tree: bool) -> Iterator[str]:
    yield f"- **kind:** {node.kind}"
    yield f"- **title:** {one_line(node.title)}"
    if tree:
        yield f"- **path:** {one_line(node.place.removeprefix('nodes/'))}"
    lists = (
        ("tags", node.tags),
        ("relates_to", node.relates_to),
        ("depends_on", node.depends_on),
        ("derived_from", node.derived_from),
    )
    for name, values in lists:
        if values:
            yield f"- **{name}:** {', '.join(map(one_line, values))}"
