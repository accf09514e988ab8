"""Pages of knowledge that say nearly the same."""

from collections.abc import Iterator

from cairn.extensions.knowledge.likeness import alike
from cairn.extensions.knowledge.problems import EXTRACTOR
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Setting, Severity

_LEAST = 0.3


class NearDuplicate:
    """Two pages that say nearly the same.

    What it finds
        Pages of knowledge whose texts share at least three tenths of their phrases, as the setting `least` says. Texts
        that are very short, and phrases that many pages are built from, do not count.

    Why it matters
        One of the two will be kept up to date and the other will not, and then they contradict each other.

    Example
        A page that was copied into another category and then edited in both places.

    Fix
        Make one page of them, and relate to it where the other was.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="Two pages say nearly the same.",
        reach="graph",
        settings={
            "least": Setting(
                type="number", label="Least share", default=_LEAST, description="Of phrases in common, from 0 to 1."
            )
        },
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        least = ctx.settings.get("least")
        sketches = {path: facts["_likeness"] for path, facts in ctx.facts(EXTRACTOR) if facts.get("_likeness")}
        for paths, share in alike(sketches, least if isinstance(least, int | float) else _LEAST):
            yield _issue(paths, share)


def _issue(paths: list[str], share: float) -> Issue:
    others = ", ".join(f"`{path}`" for path in paths[1:4]) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
    part = "All" if share == 1 else f"About {share:.0%}"
    return Issue(
        "near-duplicate",
        Severity.WARN,
        tuple(paths),
        f"{part} of what it and {others} say is the same, word for word.",
        fix=Fix("Make one page of them, and relate to it from where the others were."),
        data={"share": round(share, 2)},
    )


extension = NearDuplicate()
