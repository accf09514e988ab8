"""Pages of knowledge whose origin is gone."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Severity


class DerivedFromDangling:
    """What a page was made from is gone.

    What it finds
        Files and pages in `derived_from` that are not here. Sessions are left alone: their logs stay on the machine
        where they happened.

    Why it matters
        Where something comes from is how one decides whether it still holds.

    Example
        `derived_from: [docs/adr/0007-queues.md]`, after that decision was removed.

    Fix
        Correct the path, or take it out and say in the text where it comes from.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A page was made from one that does not exist.", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for link in ctx.links(state="broken"):
            if (link.data or {}).get("field") == "derived_from":
                yield Issue(
                    "derived-from-dangling",
                    Severity.WARN,
                    (link.source,),
                    f"It was derived from `{link.target}`, which does not exist.",
                    line=link.line,
                    fix=Fix("Correct it in `derived_from`, or take it out."),
                    data={"target": link.target},
                )


extension = DerivedFromDangling()
