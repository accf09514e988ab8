"""Which part of a page is its content."""

from collections.abc import Iterator

from cairn.lib.html.clutter import is_clutter
from cairn.lib.html.tree import BLOCKS, Element

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
