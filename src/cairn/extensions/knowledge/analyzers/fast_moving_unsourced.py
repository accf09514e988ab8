"""Pages about what changes often that name nothing to compare with."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue


class FastMovingUnsourced:
    """What changes often, without a source.

    What it finds
        Pages with `volatility: fast-moving` and no `sources`.

    Why it matters
        Whoever says that a thing changes every few weeks asks for it to be checked as often, and there is
        nothing that it could be checked against.

    Example
        A page about the limits of a vendor's interface that does not name the vendor's page.

    Fix
        Add the page or file that it was taken from under `sources`, or say `evolving`.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="A fast-moving page names no source.", reach="node")

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        return reported(ctx, "fast-moving-unsourced")


extension = FastMovingUnsourced()
