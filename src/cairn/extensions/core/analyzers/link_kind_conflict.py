"""One node that links to another in two ways."""

from collections.abc import Iterator, Sequence

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Severity


class LinkKindConflict:
    """The same two nodes, linked by two kinds of link.

    What it finds
        A node that links to another with two kinds of link or more, such as `invokes` and `references`. A path in
        code (`points`) does not count.

    Why it matters
        A host that runs the command also reads the page, or the reverse: what the author meant is not clear.

    Example
        A skill that says "run `/deploy`" and links to `.claude/commands/deploy.md` below.

    Fix
        Keep the kind that is meant; put the other between backticks.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="Two nodes are linked by two kinds of link.", phase="detect", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for source, target, links in ctx.mixed_links():
            yield _issue(source, target, links)


def _issue(source: str, target: str, links: Sequence[Link]) -> Issue:
    ordered = sorted(links, key=lambda link: (link.line, link.offset))
    kinds = sorted({link.kind for link in ordered})
    places = ", ".join(f"`{link.original}` in line {link.line} {link.kind}" for link in ordered)
    return Issue(
        "link-kind-conflict",
        Severity.WARN,
        (source,),
        f"`{target}` is linked in {len(kinds)} ways: {', '.join(kinds)}.",
        line=ordered[0].line,
        detail=f"{places}.",
        fix=Fix("Keep the kind that is meant, and put the other between backticks."),
        data={"target": target, "kinds": kinds},
    )


extension = LinkKindConflict()
