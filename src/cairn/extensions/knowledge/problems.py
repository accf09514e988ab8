"""From what the strict reader found in a page, kept beside its node, to the issues of one rule."""

from collections.abc import Iterator
from typing import Any

from cairn.plugin import AnalyzerContext, Fix, Issue, Severity

EXTRACTOR = "knowledge/entry"
KEY = "_problems"

Problem = list[Any]
"""[severity, rule, field, message, line, fix]"""


def reported(ctx: AnalyzerContext, rule: str, *, fix: str, autofixable: bool = False) -> Iterator[Issue]:
    """Everything of one rule, in the order of paths and lines. `fix` is said where the reader had no better advice."""
    for path, facts in ctx.facts(EXTRACTOR):
        for severity, found, field, message, line, advice in facts.get(KEY, ()):
            if found == rule:
                yield Issue(
                    rule,
                    Severity(severity),
                    (path,),
                    message,
                    line=line,
                    fix=Fix(_sentence(advice, fix), autofixable),
                    data={"field": field} if field else None,
                )


def _sentence(advice: str, otherwise: str) -> str:
    return f"Write `{advice}`." if ":" in advice and "`" not in advice else otherwise
