"""Which part of a page is its content, and what surrounds it: navigation, banners, footers."""

import re
from collections.abc import Iterator

from cairn.lib.html.tree import BLOCKS, Element, words

_TAGS = frozenset({"nav", "footer", "form", "dialog", "menu"})
_SUSPECT = _TAGS | {"header", "aside", "ul", "ol"}
_ROLES = words(
    "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tablist doc-toc"
)
_WORD = re.compile(
    r"(?:^|[-_])(?:cookies?|consent|gdpr|breadcrumbs?|toc|toctree|sidebar|sidenav|navbar|navigation|nav|menu|pagination|"
    r"pager|prev-next|share|sharing|social|newsletter|subscribe|promo|advert|advertisement|ads|feedback|helpful|rating|"
    r"related|footer|masthead|skip|skiplink|skip-link|skip-to-content|edit-page|edit-this-page|edit-link|editlink|"
    r"last-updated|lastupdated|page-metadata|source-file|headerlink|permalink|anchor-link|anchorjs|hash-link|"
    r"copy|copybtn|clipboard|linenos?|line-numbers|gutter|sr-only|visually-hidden|screen-reader-text|"
    r"contributors|banner|announcement|mw-editsection|mw-jump-link|page-toc|on-this-page|table-of-contents)(?:$|[-_])"
)
_CONTENT = re.compile(r"content|article|main|markdown|document|body|post|page$|prose")
"""A box that says of itself that it is the content is not taken for a menu because it also says `with-sidebar`."""
_NEVER = words("h1 h2 h3 h4 h5 h6 main article body pre table")
_ABOUT_OTHERS = re.compile(r"(?:^|-)(?:with|has|no|without)-")
"""`with-sidebar` is said of what stands beside one."""
_ADMONITION = re.compile(r"note|tip|warn|caution|danger|important|info|admonition|callout|alert|example|hint|success")
_PHRASES = re.compile(
    r"(?:(?:suggest an )?edit (?:this|on)(?: page| github| gitlab| source)?(?: on \w+)?|improve this page"
    r"|view (?:page )?source"
    r"|show source|report (?:an? )?(?:issue|bug)(?: on this page)?|was this (?:page|article|doc\w*) (?:help|use)ful\??"
    r"|(?:yes|no|copy|copied!?|copy (?:code|link|page)|share|print|previous|next|back to top|skip to (?:main )?content"
    r"|on this page|in this article|table of contents|contents|jump to.{0,30})"
    r"|(?:page )?last (?:updated|modified|reviewed|edited|changed)\b.{0,60}|(?:updated|published) (?:on|at)\b.{0,40}"
    r"|\d+ (?:min|minute)s?(?: to)? read|read(?:ing)? time.{0,20}|(?:previous|next)\s*[:«»→←].{0,80})\W*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?:(?<!\s)\s++)?(?<![¶§🔗#\u200b])[¶§🔗#\u200b]++\s*+$")
"""Signs behind a heading that link to it."""


def is_clutter(element: Element, *, within: bool) -> bool:
    """`within`: below what was found to be the content, where a header has the title and an aside may be a warning."""
    if not element.attributes and element.tag not in _SUSPECT:
        return False
    if element.tag in _TAGS or "hidden" in element.attributes or element.attributes.get("aria-hidden") == "true":
        return True
    if element.attributes.get("role", "").lower() in _ROLES:
        return True
    if element.tag == "header":
        return not within
    if element.tag == "aside":
        return not (within and any(_ADMONITION.search(word) for word in element.words))
    return _says_so(element) or _is_own_contents(element)


def _says_so(element: Element) -> bool:
    if element.tag in _NEVER:
        return False
    named = [word for word in element.words if not _ABOUT_OTHERS.search(word)]
    marked = [word for word in named if _WORD.search(word)]
    if not marked or any(_CONTENT.search(word) for word in named if word not in marked):
        return False
    return not any(one.tag in ("h1", "main", "article") for one in element.elements())


def _is_own_contents(element: Element) -> bool:
    """A list whose items only link to places of this page."""
    if element.tag not in ("ul", "ol"):
        return False
    links = [one for one in element.elements() if one.tag == "a" and one.attributes.get("href")]
    if len(links) < 3 or not all(one.attributes["href"].startswith("#") for one in links):
        return False
    linked = sum(_size(one) for one in links)
    return linked >= 0.85 * _size(element)


def _size(element: Element) -> int:
    return len(element.text().replace(" ", ""))


def is_phrase(text: str) -> bool:
    """A line that every page of a site has, and that says nothing about its subject."""
    return len(text) <= 120 and _PHRASES.fullmatch(text) is not None


def without_marks(heading: str) -> str:
    return _MARKS.sub("", heading)


_NAMED = (
    "mw-content-text", "readme", "main-content", "maincontent", "content-main", "article-body", "markdown-body",
    "theme-doc-markdown", "md-content", "rst-content", "devsite-article-body", "documentwrapper", "post-content",
    "entry-content", "docs-content", "page-content", "bodycontent", "document", "content",
)  # fmt: skip
"""Ids and classes of common generators, the surest first."""
_SHARE = 0.35
"""Of a page's prose; a place with less is not its content."""
_STEP = 0.75
"""Of an element's prose; a child with more is looked at instead."""


def main_content(root: Element) -> Element:
    """The element that holds the content; at worst the page itself."""
    weights = _Weights(root)
    enough = max(_SHARE * weights.of(root), 1)
    for candidates in _candidates(root):
        best = max(candidates, key=weights.of, default=None)
        if best is not None and weights.of(best) >= enough:
            return best
    return _densest(root, weights)


def _candidates(root: Element) -> Iterator[list[Element]]:
    """What says of itself that it is the content, the surest first."""
    marked, articles = [], []
    named: dict[str, list[Element]] = {name: [] for name in _NAMED}
    for one in root.elements():
        if one.tag == "main" or one.attributes.get("role") == "main":
            marked.append(one)
        elif one.tag == "article":
            articles.append(one)
        if one.attributes:
            for word in one.words & named.keys():
                named[word].append(one)
    yield from (marked, articles, *named.values())


def _densest(root: Element, weights: "_Weights") -> Element:
    """Down from the page, as long as one child has nearly all of its prose."""
    here = root
    while True:
        inside = [child for child in here.inside() if child.tag in BLOCKS and not _is_leaf(child)]
        best = max(inside, key=weights.of, default=None)
        if best is None or weights.of(best) < _STEP * weights.of(here) or weights.of(best) == 0:
            return here
        here = best


def _is_leaf(element: Element) -> bool:
    """A table or a paragraph is content itself, never its place."""
    return element.tag in ("p", "pre", "ul", "ol", "dl", "tr", "li", "blockquote", "figure") or element.tag[0] == "h"


class _Weights:
    """How much prose there is below each element: text that is no link and no clutter."""

    def __init__(self, root: Element) -> None:
        self._known: dict[int, int] = {}
        self._weigh(root)

    def of(self, element: Element) -> int:
        return self._known.get(id(element), 0)

    def _weigh(self, element: Element) -> int:
        if is_clutter(element, within=True):
            return 0
        own = 0
        for child in element.children:
            if isinstance(child, str):
                own += len(child.strip())
            elif child.tag != "a":
                own += self._weigh(child)
        self._known[id(element)] = own
        return own
