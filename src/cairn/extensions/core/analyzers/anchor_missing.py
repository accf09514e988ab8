"""Links to a heading that its page does not have."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import Place, Repository

_NOT_A_HEADING = re.compile(
    r"L\d+(?:[-,]L?\d+)*|user-content-.*|fn.*|top|#*|[^.:/=&!(),~\n]*+[.:/=&!(),~].*", re.IGNORECASE
)
"""Lines of code, footnotes, `##` (a link that only shows a title), and names with signs that no heading gives: a
program makes those."""
_LINKED = re.compile(r"""\]\([^)\s]{0,500}#|\]:\s{0,9}\S{0,500}#|<#|(?:href|to)=["'{][^"'\n]{0,500}#|`_""")
"""A link with an anchor, in any of the formats."""
_SIGNS = re.compile(r"[\W_]+")
_PICTURE = re.compile(r"""\)\]\(#|<img[^<>]*>\s*</a>|<a href="#[^"]*">\s*<img|//avatars\d*\.""", re.IGNORECASE)
_SHORT = 3
_NEAR = 0.8
_MANY = 4
_ODD, _SHARE = 3, 0.1
_FOREIGN = re.compile(r"[A-Z$]")
"""Signs that no slug of a known renderer has, so that another one made the anchor."""
_TELLING = 8
"""Shorter names, such as `#usage`, are headings of many pages by chance."""


class AnchorMissing:
    """A link to a heading that its page does not have.

    What it finds
        Links such as `guide.md#install` or `#install` whose page exists and has neither a heading nor an explicit id
        of that name, by the rules of the site or forge that renders it. On pages to which a program adds headings, only
        headings that an older version of the text had. It is a note on a page below `docs/` without a known
        site if the page never had the heading: a program elsewhere may add it.

    Why it matters
        The reader lands at the top of the page and has to search.

    Example
        `[install](guide.md#install)`, after the heading became "Getting started".

    Fix
        Link to a heading that exists, or remove the part behind the `#`.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A link to a heading that its page does not have.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        found: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
        total: Counter[str] = Counter()
        for page in ctx.pages(_LINKED):
            for link in page.links:
                target = ctx.links.anchored(page, link)
                if target is None or _NOT_A_HEADING.fullmatch(target[1]):
                    continue
                total[_folder(target[0])] += 1
                place = ctx.place(page.path, link.line)
                if _lacks(ctx, *target) and _sure(ctx, *target) and not _leads_nowhere(ctx, target, place):
                    found[target[0]][target[1]].append(place)
        copies: dict[tuple[str, str], list[tuple[str, str, list[Place]]]] = defaultdict(list)
        for path, anchors in _known_renderer(ctx, found, total).items():
            if len(anchors) >= _MANY:
                yield _page_issue(ctx, path, anchors)
                continue
            for anchor, places in anchors.items():
                own = all(place.path == path for place in places)
                copies[anchor, places[0].text if own else path].append((path, anchor, places))
        yield from (_issue(ctx, *same[0]) if len(same) == 1 else _copied(same) for same in copies.values())


def _leads_nowhere(ctx: "Repository", target: tuple[str, str], place: "Place") -> bool:
    """Whether a link to this page is not meant to lead anywhere: `[![x](x.svg)](#badge)`, emojis of contributors."""
    around = " ".join(ctx.tree.lines(place.path)[place.line - 1 : place.line + 1])
    return place.path == target[0] and _PICTURE.search(around) is not None


def _known_renderer(
    ctx: "Repository", found: "Mapping[str, Mapping[str, list[Place]]]", total: Mapping[str, int]
) -> "dict[str, dict[str, list[Place]]]":
    """Without the pages whose renderer nobody knows, and without changelogs, whose headings come and go. Documents of a
    site that is built elsewhere show by their links: many of them name no heading. One that the page had once is missed
    in any case."""
    dated = {
        path: {anchor for anchor in anchors if ctx.removed_anchor(path, anchor)} for path, anchors in found.items()
    }
    missing: Counter[str] = Counter()
    for path, anchors in found.items():
        missing[_folder(path)] += sum(len(places) for anchor, places in anchors.items() if anchor not in dated[path])
    odd = {folder for folder, number in missing.items() if number > _ODD and number > total[folder] * _SHARE}
    left_out: Counter[str] = Counter()
    kept: dict[str, dict[str, list[Place]]] = {}
    for path, anchors in found.items():
        guess = ctx.links.rendered_elsewhere(path) and _folder(path) in odd
        sure = {a: p for a, p in anchors.items() if a in dated[path] or not (guess or _FOREIGN.search(a))}
        left_out[_folder(path)] += sum(len(p) for a, p in anchors.items() if guess and a not in sure)
        if sure and ctx.tree.is_current(path):
            kept[path] = sure
    for folder, number in sorted((+left_out).items()):
        ctx.not_checked.append(
            f"{number} links to headings in {folder}/ (many of them name none that GitHub would make)"
        )
    return kept


def _folder(path: str) -> str:
    """The outermost folder; empty for the root."""
    return path.partition("/")[0] if "/" in path else ""


def _lacks(ctx: "Repository", path: str, anchor: str) -> bool:
    known = ctx.links.anchors(path)
    if known is None or anchor in known or anchor.lower() in known or anchor.lower().rstrip("-") in known:
        return False  # blanks between pictures at the end of a heading are signs on some forges
    if not ctx.links.rendered_elsewhere(path) or not any(_is_like(anchor, name) for name in known):
        return True
    return ctx.removed_anchor(path, anchor) is not None


def _is_like(anchor: str, name: str) -> bool:
    """Whether two renderers may give these names to one heading: they differ in signs, or one leaves out its end."""
    wanted, given = _letters(anchor), _letters(name)
    return wanted == given or (len(wanted) > _SHORT and given.startswith(wanted))


def _letters(anchor: str) -> str:
    """Renderers disagree about signs: `@` modifier is `#-modifier` here and `#modifier` there."""
    return _SIGNS.sub("", anchor.lower())


def _sure(ctx: "Repository", path: str, anchor: str) -> bool:
    """On a page to which a program adds headings, only a heading that the text had once is missed, unless it may come
    from elsewhere now: from another page, or from what the program is told to add."""
    if not ctx.links.may_have_more_anchors(path):
        return True
    generated = ctx.links.generated_words(path)
    if ctx.removed_anchor(path, anchor) is None or anchor.lower() in generated or _letters(anchor) in generated:
        return False
    elsewhere = ctx.links.pages_with_anchor(anchor, besides=path)
    return not any(ctx.links.includes(path, other) for other in elsewhere)


def _headings(ctx: "Repository", path: str) -> int:
    page = ctx.tree.page(path)
    return len(page.headings) if page else 0


def _page_issue(ctx: "Repository", path: str, anchors: "Mapping[str, list[Place]]") -> Issue:
    """Many missing headings of one page have one cause: the page was rewritten."""
    from cairn.plugin import Proof, proven

    places = [place._replace(targets=(f"{path}#{anchor}",)) for anchor, same in anchors.items() for place in same]
    listed = ", ".join(f"`#{anchor}`" for anchor in sorted(anchors)[:_MANY]) + (" …" if len(anchors) > _MANY else "")
    owner = "this page" if all(place.path == path for place in places) else f"`{path}`"
    message = f"Broken links: {owner} has no headings {listed} ({len(anchors)} in all)."
    proofs = [Proof(f"{_headings(ctx, path)} headings, none of them gives one of these", path)]
    fix = "Link to headings that exist."
    return proven("anchor-missing", Severity.WARN, path, message, places, proofs, fix)


def _copied(same: "list[tuple[str, str, list[Place]]]") -> Issue:
    """The same line on several pages was copied from one to the other."""
    from cairn.plugin import Proof, proven

    anchor = same[0][1]
    places = [place for _, _, found in same for place in found]
    message = f"Broken link: {len(same)} pages link to `#{anchor}`, a heading that none of them has."
    proofs = [Proof(f"no heading gives `#{anchor}`", path) for path, _, _ in same]
    fix = "Link to headings that exist, or remove the links."
    return proven("anchor-missing", Severity.WARN, f"#{anchor}", message, places, proofs, fix)


def _issue(ctx: "Repository", path: str, anchor: str, places: "list[Place]") -> Issue:
    from cairn.plugin import Proof, proven

    known = ctx.links.anchors(path) or frozenset()
    near = get_close_matches(anchor.lower(), sorted(known), 1, cutoff=_NEAR)
    elsewhere = ctx.links.pages_with_anchor(anchor, besides=path)
    owner = "this page" if all(place.path == path for place in places) else f"`{path}`"
    message = f"Broken link: {owner} has no heading `#{anchor}`."
    headings = _headings(ctx, path)
    proofs = [Proof(f"{headings} heading{'' if headings == 1 else 's'}, none of them gives `#{anchor}`", path)]
    removed = ctx.removed_anchor(path, anchor)
    if removed:
        commit = removed[0]
        date = commit.date if commit.id else "not committed yet"
        proofs = [Proof(f"removed the heading `#{anchor}`", path, 0, commit.short, date)]
    fix = "Link to a heading that exists, or remove the part behind the `#`."
    if near:
        page = "" if all(place.path == path for place in places) else path
        fix = f"Did you mean `{page}#{near[0]}`?"
    elif len(elsewhere) == 1 and len(anchor) >= _TELLING:
        proofs.append(Proof(f"has a heading `#{anchor}`", elsewhere[0]))
    severity = Severity.INFO if not removed and ctx.links.rendered_elsewhere(path) else Severity.WARN
    return proven("anchor-missing", severity, f"{path}#{anchor}", message, places, proofs, fix)


extension = AnchorMissing()
