"""Pages of knowledge whose frontmatter is not what their layout asks for."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue


class EntryInvalid:
    """Frontmatter that is not what the layout asks for.

    What it finds
        Everything that is wrong in the frontmatter of a page, all at once: a field that is missing or has the
        wrong type, a date that does not exist, a source that nobody could open, a key that the layout does not
        know. Pages of plain documentation are never asked for anything.

    Why it matters
        What reads the page later (search, freshness, an agent) takes it as far as it can and leaves out the
        rest, silently. A date that is none means that nobody ever looks at the page again.

    Example
        `last-reviewed: 2026-02-30`, or a source without `url` and `path`.

    Fix
        Each message says what to write instead. `cairn freshness validate` checks all pages without a scan.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="The frontmatter of a page of knowledge is not valid.", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        return reported(ctx, "entry-invalid")


extension = EntryInvalid()
