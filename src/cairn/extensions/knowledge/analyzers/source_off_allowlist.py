"""Sources that are not among those the project relies on."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue, Severity


class SourceOffAllowlist:
    """A source that the project does not rely on.

    What it finds
        Sources whose host is not in `docs/knowledge-freshness/authoritative-sources.yaml`. Without that file
        nothing is said.

    Why it matters
        The list is what the project agreed to believe. A page from elsewhere may be as good, but somebody
        should have looked.

    Example
        A blog as the source of a page about a standard.

    Fix
        Name the authoritative page, or add the host to the list.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="A source is not on the project's list.", reach="node")

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        # The list is advice for whoever writes pages; `cairn freshness validate` warns. For a reader nothing is broken.
        return (issue._replace(severity=Severity.INFO) for issue in reported(ctx, "source-off-allowlist"))


extension = SourceOffAllowlist()
