"""A page as a small tree: html5ever reads what servers send, and this reads what html5ever makes of it."""

import re
from collections.abc import Iterator
from html import unescape

MAX_DEPTH = 120
"""Elements that are nested deeper hang on the last one that is not."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BLOCKS = words(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead "
    "tr ul"
)
_INLINE = words(
    "a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time tt u var wbr"
)
_NOTHING = words(
    "script style noscript template svg math iframe object embed canvas audio video select option button textarea "
    "title head datalist map"
)
"""Gone with all that is in them."""
_NEVER_DEEP = words(
    "a area base br col dd dt embed hr img input li link meta option optgroup p param rb rp rt rtc source tbody td "
    "tfoot th thead tr track wbr"
)
"""Closed by themselves, so that many of them in a row are no nesting."""
_MANY_TAGS = 500
_TOO_DEEP = 500
"""Browsers stop at about here, and the time of a parser grows with the square of it."""
_VOID = frozenset({"br", "hr", "wbr"})
_ATTRIBUTES = {
    "*": {"id", "class", "role", "aria-hidden", "aria-label", "hidden", "name"},
    "a": {"id", "class", "name", "href"},
}
_TOKEN = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:=\"[^\"]*\")?)*+)\s*/?>|([^<]++|<)")
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*+)")
_ATTRIBUTE = re.compile(r"([a-z-]+)(?:=\"([^\"]*)\")?")


class Element:
    """Mutable while it is read, then only looked at."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(self, tag: str, attributes: dict[str, str] | None = None) -> None:
        self.tag = tag
        self.attributes = attributes or {}
        self.children: list[Element | str] = []

    def elements(self) -> Iterator["Element"]:
        """This one and all below, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.elements()

    def inside(self) -> Iterator["Element"]:
        return (child for child in self.children if isinstance(child, Element))

    def text(self) -> str:
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()
                if child.tag in BLOCKS or child.tag == "br":
                    yield " "

    @property
    def words(self) -> frozenset[str]:
        """Of its class and id, in lower case."""
        said = f"{self.attributes.get('class', '')} {self.attributes.get('id', '')}"
        return frozenset(said.lower().split())


class TooDeep(ValueError):
    """Elements are nested as no page nests them."""


def parse_html(html: str) -> Element:
    """Raises `TooDeep`."""
    import nh3

    if html.count("<") > _MANY_TAGS and _depth(html) > _TOO_DEEP:
        raise TooDeep

    clean = nh3.clean(
        html,
        tags=set(BLOCKS | _INLINE),
        clean_content_tags=set(_NOTHING),
        attributes=_ATTRIBUTES,
        link_rel=None,
    )
    return _grow(clean)


def _depth(html: str) -> int:
    """About how deep elements are nested."""
    depth = deepest = 0
    for closing, name in _ANY_TAG.findall(html):
        if name.lower() not in _NEVER_DEEP:
            depth = max(depth - 1, 0) if closing else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _grow(clean: str) -> Element:
    root = Element("body")
    path = [root]
    buried = 0
    for closing, tag, attributes, text in _TOKEN.findall(clean):
        if text:
            path[-1].children.append(unescape(text))
        elif closing:
            if buried:
                buried -= 1
            elif len(path) > 1:
                path.pop()
        elif tag in _VOID:
            path[-1].children.append(Element(tag, _attributes(attributes)))
        elif len(path) >= MAX_DEPTH:
            buried += 1
        else:
            element = Element(tag, _attributes(attributes))
            path[-1].children.append(element)
            path.append(element)
    return root


def _attributes(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(text)} if text else {}
