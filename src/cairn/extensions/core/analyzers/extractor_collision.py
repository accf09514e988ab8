"""Places that two extractors read in two ways."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Rejection, Severity

_EXPECTED = frozenset({"inside-url", "inactive-provider"})
_REASONS = {
    "kind-priority": "its kind of link comes first",
    "higher-confidence": "it is surer",
    "longer-range": "it covers more of the text",
    "earlier-declaration": "it was declared earlier",
}


class ExtractorCollision:
    """One stretch of text, two readings.

    What it finds
        Places where two extractors saw a link in overlapping text, and one reading had to give way. A name inside a
        web address, or one that only another provider would read, is no collision, and neither are two readings that
        lead to the same file.

    Why it matters
        The reading that lost is not in the graph. If it was the one the author meant, a link is missing.

    Example
        `[/deploy](docs/deploy.md)`: a link to a page, whose text is also a call of the command `/deploy`.

    Fix
        Write the two apart, or put the part that is not meant as a link between backticks.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="Two extractors read the same text differently.", phase="detect", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        lost = [(source, one) for source, one in ctx.rejections() if one.reason not in _EXPECTED]
        there = {(link.source, link.target) for link in ctx.links_to({one.target for _, one in lost})}
        for source, rejection in lost:
            if (source, rejection.target) not in there:
                yield _issue(source, rejection)


def _issue(source: str, lost: Rejection) -> Issue:
    why = _REASONS.get(lost.reason, lost.reason)
    return Issue(
        "extractor-collision",
        Severity.WARN,
        (source,),
        f"`{lost.signal.raw}` was read by `{lost.winner_extractor}`, not by `{lost.extractor}`: {why}.",
        line=lost.signal.line,
        fix=Fix("Write the two references apart, or put one between backticks."),
        data={
            "target": lost.target,
            "kind": lost.kind,
            "extractor": lost.extractor,
            "reason": lost.reason,
            "winner": lost.winner_extractor,
            "winnerRange": {"start": lost.winner_start, "end": lost.winner_end, "line": lost.winner_line},
        },
    )


extension = ExtractorCollision()
