"""Relations to pages of knowledge that nobody wrote."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Severity

_FIELDS = {
    "relates_to": "relates to",
    "depends_on": "depends on",
    "superseded_by": "is superseded by",
}


class RelationUnknown:
    """A relation to a page that does not exist.

    What it finds
        Names in `relates_to`, `depends_on` (of procedures `requires`) and `superseded_by` that no page of knowledge
        here is called by.

    Why it matters
        Related pages are shown and served together. One that is missing is missed by nobody, until somebody needs it.

    Example
        `relates_to: [rate-limits]`, after that page was renamed to `quotas`.

    Fix
        Correct the name, write the page, or take the relation out.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="A page relates to one that does not exist.", reach="node")

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for link in ctx.links(state="broken"):
            field = (link.data or {}).get("field")
            if field in _FIELDS:
                yield _issue(link, str(field))


def _issue(link: Link, field: str) -> Issue:
    return Issue(
        "relation-unknown",
        Severity.ERROR,
        (link.source,),
        f"It {_FIELDS[field]} `{link.target}`, and no page is called so.",
        line=link.line,
        fix=Fix("Correct the name, write that page, or take the relation out."),
        data={"field": field, "target": link.target},
    )


extension = RelationUnknown()
