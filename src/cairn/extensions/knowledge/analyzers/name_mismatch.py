"""Pages of knowledge that are called otherwise than their file."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue


class NameMismatch:
    """A page that is called otherwise than its file.

    What it finds
        Entries whose `name`, and nodes and procedures whose `id`, is not the name of their file or folder;
        nodes that lie in the folder of another kind.

    Why it matters
        Pages are called by their name and looked for by their file. When the two differ, one of the two finds
        nothing.

    Example
        `name: rate-limits` in `api/rate-limiting.md`.

    Fix
        Rename the file, or write its name into the frontmatter.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="The name of a page is not that of its file.", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        return reported(ctx, "name-mismatch")


extension = NameMismatch()
