"""What surrounds the content of a page: navigation, banners, footers, lists of its own headings, calls to edit it."""

import re

from cairn.lib.html.tree import Element, words

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
