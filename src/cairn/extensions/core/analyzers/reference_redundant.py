"""The same reference, written twice."""

from collections.abc import Iterator, Sequence

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Severity

_OF_KNOWLEDGE = frozenset(("field", "node"))
"""Relations and sources of a page: to name them in its text too is no repetition."""


class ReferenceRedundant:
    """A node that names another more than once.

    What it finds
        Two or more references from one node to the same target, in whatever form they are written.

    Why it matters
        Each of them costs an agent tokens and has to be kept true. Often it is fine; it is only worth knowing.

    Example
        `[setup](setup.md)` in the introduction and again under "See also".

    Fix
        Keep the one that helps most.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="Several references to one target.", phase="detect", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for source, target, links in ctx.repeated_links():
            written = [link for link in links if not link.data or _OF_KNOWLEDGE.isdisjoint(link.data)]
            if sum(len(link.occurrences) for link in written) > 1:
                yield _issue(source, target, written)


def _issue(source: str, target: str, links: Sequence[Link]) -> Issue:
    lines = sorted(seen.line for link in links for seen in link.occurrences)
    listed = ", ".join(str(line) for line in sorted(set(lines))[:8])
    return Issue(
        "reference-redundant",
        Severity.INFO,
        (source,),
        f"`{target}` is referenced {len(lines)} times here ({'line' if len(set(lines)) == 1 else 'lines'} {listed}).",
        line=lines[0],
        fix=Fix("Keep the reference that helps most."),
        data={"target": target, "count": len(lines), "lines": lines},
    )


extension = ReferenceRedundant()
