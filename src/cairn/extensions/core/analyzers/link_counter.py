"""How many links lead to a node and out of it."""

from collections.abc import Iterable

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue, View

_CAP = 99


class LinkCounter:
    """Counts of links, shown on the card of a node.

    What it finds
        For each node the number of links that resolve to it and that leave it; a node's links to itself don't count,
        and the chip stops at 99. It raises no issue.

    Why it matters
        The most linked pages are those whose mistakes spread furthest; a page without any link in is hard to find.

    Example
        A page that three others link to, and that links to one: `↓ 3`, `↑ 1`.

    Fix
        Nothing to mend.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="Links in and out of each node.",
        phase="detect",
        reach="neighbours",
        ui={
            "in": View("card.footer.left", label="Links in", icon="pi-arrow-down", priority=10),
            "out": View("card.footer.left", label="Links out", icon="pi-arrow-up", priority=20),
        },
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterable[Issue]:
        for degree in ctx.degrees():
            if degree.links_in:
                ctx.emit_contribution(degree.path, "in", {"value": min(degree.links_in, _CAP)})
            if degree.links_out:
                ctx.emit_contribution(degree.path, "out", {"value": min(degree.links_out, _CAP)})
        return ()


extension = LinkCounter()
