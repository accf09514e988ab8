"""References in reStructuredText to something that the page does not define."""

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from cairn.extensions.core.rst_names import REFERENCES, RstNames, UndefinedName
from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import PageOutline, Proof, Repository

_NEAR = 0.8
_NOT_ID = re.compile(r"[^a-z0-9]+")
_MESSAGES = {
    "name": "Broken reference: this page has neither a target nor a heading `{}`.",
    "substitution": "Broken reference: this page does not define `|{}|`.",
    "footnote": "Broken reference: this page has no footnote `[{}]`.",
    "citation": "Broken reference: no page here has the citation `[{}]`.",
}
_FIXES = {
    "name": "Correct the name, or add `.. _{}:` where it should lead.",
    "substitution": "Correct the name, or define it: `.. |{}| replace:: …`.",
    "footnote": "Correct the number, or add the footnote: `.. [{}] …`.",
    "citation": "Correct the name, or add the citation: `.. [{}] …`.",
}
_EVIDENCE = {
    "name": "headings and targets: {number}, none of them is `{name}`",
    "substitution": "no line of the page has `.. |{name}|`",
    "footnote": "no line of the page has `.. [{name}]`",
    "citation": "no page here has `.. [{name}]`",
}


class TargetMissing:
    """A reference in reStructuredText to something that the page does not define.

    What it finds
        References by name (`` `Install`_ ``, `install_`), substitutions (`|name|`), footnotes (`[1]_`) and citations
        (`[KNUTH]_`) in `.rst` pages that have no such target, heading, definition or note. Citations may be on another
        page. Pages that include others or are included, and pages with directives that may add names, such as
        `automodule`, are not judged. Neither are pages of a site whose `conf.py` may define names (`rst_prolog`,
        `rst_epilog`).

    Why it matters
        docutils and Sphinx report an error, and show the reference as it is written, or an error message in its place.

    Example
        `` `Install`_ ``, after the heading became "Getting started".

    Fix
        Refer to a target that exists, or define it.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A reference in reStructuredText to something that the page does not define.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        names = RstNames(ctx)
        for page in ctx.pages(REFERENCES):
            found: dict[tuple[str, str], list[UndefinedName]] = defaultdict(list)
            for missing in names.undefined(page):
                found[missing.kind, missing.name].append(missing)
            yield from (_issue(ctx, page, same) for same in found.values())


def _issue(ctx: "Repository", page: "PageOutline", same: list[UndefinedName]) -> Issue:
    from cairn.plugin import proven

    missing = same[0]
    places = [ctx.place(page.path, each.line) for each in same]
    near = _near(page, missing)
    fix = f"Did you mean `{near}`?" if near else _FIXES[missing.kind].format(missing.written)
    message = _MESSAGES[missing.kind].format(missing.written)
    target = f"{page.path}#{missing.name}"
    return proven("target-missing", Severity.WARN, target, message, places, [_proof(ctx, page, missing)], fix)


def _proof(ctx: "Repository", page: "PageOutline", missing: UndefinedName) -> "Proof":
    from cairn.plugin import Proof

    anchor = _NOT_ID.sub("-", missing.name).strip("-")
    removed = ctx.removed_anchor(page.path, anchor) if missing.kind == "name" and anchor else None
    if removed:
        commit = removed[0]
        date = commit.date if commit.id else "not committed yet"
        return Proof(f"removed `{missing.written}`", page.path, 0, commit.short, date)
    number = len(page.headings) + len(page.targets)
    return Proof(_EVIDENCE[missing.kind].format(number=number, name=missing.written), page.path)


def _near(page: "PageOutline", missing: UndefinedName) -> str | None:
    """The heading or target that was probably meant."""
    known = [heading.text for heading in page.headings] + [target.name for target in page.targets]
    by_name = {name.lower(): name for name in known} if missing.kind == "name" else {}
    close = get_close_matches(missing.name, sorted(by_name), 1, cutoff=_NEAR)
    return by_name[close[0]] if close else None


extension = TargetMissing()
