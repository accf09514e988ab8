"""From what the strict reader found in a page, kept beside its node, to the issues of one rule."""

from collections.abc import Iterator
from typing import Any

from cairn.plugin import AnalyzerContext, Fix, Issue, Severity

EXTRACTOR = "knowledge/entry"
KEY = "_problems"

Problem = list[Any]
"""[severity, rule, field, message, line, advice]"""


def reported(ctx: AnalyzerContext, rule: str, *, fix: str = "", autofixable: bool = False) -> Iterator[Issue]:
    """Everything of one rule, in the order of paths and lines. `fix` is said where the reader had no advice; most of
    its messages say themselves what to do. Autofixable is only what it had advice for."""
    for path, facts in ctx.facts(EXTRACTOR):
        for severity, found, field, message, line, advice in facts.get(KEY, ()):
            if found == rule:
                yield Issue(
                    rule,
                    Severity(severity),
                    (path,),
                    message,
                    line=line,
                    fix=Fix(advice or fix, autofixable and bool(advice)) if advice or fix else None,
                    data={"field": field} if field else None,
                )
