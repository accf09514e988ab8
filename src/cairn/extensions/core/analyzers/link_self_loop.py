"""Nodes that link to themselves."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Severity


class LinkSelfLoop:
    """A link that leads back to where it stands.

    What it finds
        Links that resolve to the very node that holds them. A `#heading` is fine, with the file's
        name or without, and so is that name between backticks.

    Why it matters
        The reader who follows it arrives where they were. A command that calls itself may run without end.

    Example
        `[details](setup.md)` in `setup.md`.

    Fix
        Link to the heading (`#details`), or to the page that was meant.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="A node links to itself.", phase="detect", reach="node")

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for link in ctx.self_links():
            # Its own file in an example, a heading of it, or a command that explains how it is called.
            if link.kind == "points" or "#" in link.original or link.by_name:
                continue
            yield Issue(
                "link-self-loop",
                Severity.INFO,
                (link.source,),
                f"`{link.original}` points to its own page.",
                line=link.line,
                fix=Fix("Link to a `#heading` of this file, or to the page that was meant."),
                data={"kind": link.kind, "trigger": link.original},
            )


extension = LinkSelfLoop()
