"""Descriptions that are longer than what a list shows."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue, Severity


class DescriptionLong:
    """A description that no list shows in full.

    What it finds
        Entries whose `description` has more than 200 characters.

    Why it matters
        The description is what people and agents choose a page by, in a list of many; what is cut off there
        does not help.

    Example
        A description that is the first paragraph of the page.

    Fix
        Say in one sentence what the page answers.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A description is longer than 200 characters.", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        # A limit of ours: in a base that somebody else wrote it breaks nothing.
        return (issue._replace(severity=Severity.INFO) for issue in reported(ctx, "description-long"))


extension = DescriptionLong()
