"""Names that two nodes share."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Node, Severity


class NameCollision:
    """Two nodes, one name.

    What it finds
        Nodes whose frontmatter declares the same `name`, among the kinds that can be called by it. Names are compared
        without case, accents, and the difference between `-`, `_` and a blank.

    Why it matters
        Who calls the name reaches one of them, and which one is chance.

    Example
        `name: code-review` in one skill and `name: Code Review` in another.

    Fix
        Rename all but one.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="Two nodes declare the same name.", phase="detect", reach="graph"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for shared in ctx.shared_names():
            nodes = [node for node in ctx.graph.nodes(shared.paths) if _called_by_name(ctx, node)]
            if len(nodes) > 1:
                yield _issue(shared.name, sorted(node.path for node in nodes))


def _called_by_name(ctx: AnalyzerContext, node: Node) -> bool:
    spec = ctx.kind_spec(node)
    return spec is not None and "frontmatter.name" in spec.identifiers


def _issue(name: str, paths: list[str]) -> Issue:
    others = ", ".join(f"`{path}`" for path in paths[1:4]) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
    return Issue(
        "name-collision",
        Severity.ERROR,
        tuple(paths),
        f"The name `{name}` is also taken by {others}.",
        fix=Fix(f"Give all but one of these {len(paths)} another name."),
        data={"name": name},
    )


extension = NameCollision()
