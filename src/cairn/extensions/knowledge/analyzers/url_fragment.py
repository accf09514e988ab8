"""Addresses of sources that have the place in the page in them."""

from collections.abc import Iterator

from cairn.extensions.knowledge.problems import reported
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Issue


class UrlFragment:
    """A `#` inside the address of a source.

    What it finds
        Sources whose `url` goes on after a `#`.

    Why it matters
        What follows the `#` is never sent, so two addresses that differ only there are one page that is fetched
        and kept twice. Kept as `anchor` it says which section counts.

    Example
        `url: https://example.org/guide#limits`

    Fix
        Write `url: https://example.org/guide` and `anchor: '#limits'`; `cairn freshness validate --fix` does it.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="A source's address has a fragment in it.", reach="node")

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        return reported(ctx, "url-fragment", autofixable=True)


extension = UrlFragment()
