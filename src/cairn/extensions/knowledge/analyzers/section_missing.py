"""Pages of knowledge without a section that their corpus asks for."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue


class SectionMissing:
    """A section that the corpus asks for is missing.

    What it finds
        Entries without the heading `## Deep Guidance`, or, where `corpora.<name>.required_sections` names
        others, without those. Set to `[]`, it asks for none.

    Why it matters
        Agents are given the section, and the whole page where it is missing, which is longer and says less.

    Example
        An entry that has only a summary.

    Fix
        Add the section, or change what the corpus asks for.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A page lacks a section that its corpus asks for.", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        return reported(ctx, "section-missing", fix="Add the section, or change `required_sections` of the corpus.")


extension = SectionMissing()
