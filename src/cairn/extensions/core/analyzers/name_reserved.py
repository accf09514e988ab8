"""Nodes that carry a name which the host keeps for itself."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Node, Severity

_PENALTY = -0.9


class NameReserved:
    """A name that the host has taken.

    What it finds
        Agents, commands and skills whose name is one of the host's own, such as `help` or `review`, and links that
        resolve to one of them.

    Why it matters
        Who calls the name gets the host's own command; the file is never reached. The confidence of such a link drops
        by 0.9.

    Example
        `.claude/commands/help.md`: `/help` shows the help of Claude Code.

    Fix
        Give the node another name, and change the links to it.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A name that the host keeps for itself.", phase="score", reach="neighbours"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        reserved = ctx.reserved()
        if not reserved:
            return
        for node in ctx.nodes():
            if node.path in reserved:
                yield _node_issue(node)
        for link in ctx.links_to(sorted(reserved)):
            ctx.adjust_confidence(link, "delta", _PENALTY)
            yield _link_issue(link)


def _node_issue(node: Node) -> Issue:
    name = node.title or node.path
    return Issue(
        "name-reserved",
        Severity.WARN,
        (node.path,),
        f"The name of this {node.kind}, `{name}`, is one that the host keeps for itself.",
        fix=Fix("Rename it, and change the links to it."),
        data={"kind": node.kind},
    )


def _link_issue(link: Link) -> Issue:
    return Issue(
        "name-reserved",
        Severity.WARN,
        (link.source, str(link.resolved)),
        f"`{link.original}` reaches the host's own command, not `{link.resolved}`.",
        line=link.line,
        fix=Fix(f"Rename `{link.resolved}`, then change this reference."),
        data={"target": link.resolved, "kind": link.kind},
    )


extension = NameReserved()
