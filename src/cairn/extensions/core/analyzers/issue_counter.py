"""How many errors and warnings a node has."""

from collections.abc import Iterable

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue, View

_CAP = 99


class IssueCounter:
    """Counts of issues, shown on the card of a node.

    What it finds
        For each node the number of its errors and of its warnings, after every other analyzer has spoken; the chip
        stops at 99. It raises no issue of its own.

    Why it matters
        One look at the graph shows where the trouble is.

    Example
        A page with two broken links and a link to itself: 2 errors, 1 warning.

    Fix
        Mend what the other analyzers found.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="Errors and warnings of each node.",
        phase="aggregate",
        # An issue elsewhere can name this node too, and a setting can change how grave it is.
        reach="graph",
        ui={
            "errors": View("card.footer.right", label="Errors", icon="pi-times-circle", priority=10),
            "warnings": View("card.footer.right", label="Warnings", icon="pi-exclamation-triangle", priority=20),
        },
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterable[Issue]:
        for count in ctx.issue_counts():
            if count.errors:
                ctx.emit_contribution(count.path, "errors", {"value": min(count.errors, _CAP), "severity": "danger"})
            if count.warnings:
                ctx.emit_contribution(count.path, "warnings", {"value": min(count.warnings, _CAP), "severity": "warn"})
        return ()


extension = IssueCounter()
