"""A fetched page with all that surrounds its content: banners, version menus, where its links lead.

Canonical text leaves these out, since they say nothing about the subject. They say something about the page: that there
is a newer one.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from cairn.lib.html.blocks import tidy
from cairn.lib.html.charset import FetchedPage, decode_page
from cairn.lib.html.main import is_clutter, main_content
from cairn.lib.html.read import looks_like_html
from cairn.lib.html.tree import BLOCKS, Element, TooDeep, parse_html
from cairn.lib.urls.url import Url, UrlProblem, join_url, split_url

MOST_LINES = 20_000
MOST_LINKS = 5_000

_TITLE = re.compile(r"<title\b[^>]*+>([^<]{0,500})", re.IGNORECASE)
_OPTION = re.compile(r"<option\b([^>]{0,400}+)>([^<]{0,120})", re.IGNORECASE)
_VALUE = re.compile(r"\bvalue\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]++((?:\S(?:.*?\S)??)??)(?:[ \t]++#++)?+[ \t]*")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_MARKDOWN_LINK = re.compile(
    r"\[([^\]\n]{0,200}+)\]\(<?([^)\s>]{1,2000}+)>?[^)\n]{0,200}+\)|<(https?://[^\s>]{1,2000}+)>"
)


class ShownLine(NamedTuple):
    text: str
    level: int = 0
    """Of a heading, 1 to 6."""


class ShownLink(NamedTuple):
    text: str
    url: str
    """Absolute, without what follows `#`."""
    content: bool = True
    """Whether it stands in the content of the page, and not in a menu."""

    @property
    def line(self) -> str:
        """For whoever quotes it."""
        return f"{self.text} {self.url}".strip()


class ShownPage(NamedTuple):
    url: str
    """Where the page was found in the end."""
    title: str
    lines: tuple[ShownLine, ...]
    links: tuple[ShownLink, ...]
    choices: tuple[ShownLink, ...] = ()
    """Of its menus; the url is what the choice stands for, empty when that is no address."""

    @property
    def text(self) -> str:
        """All of it, a line each."""
        said = [line.text for line in self.lines]
        said += [one.line for one in (*self.links, *self.choices)]
        return "\n".join((self.title, *said))

    @property
    def headings(self) -> tuple[ShownLine, ...]:
        return tuple(line for line in self.lines if line.level)


def show(page: FetchedPage) -> ShownPage | None:
    """None when there is nothing to see: the page is no text, or nested beyond reason."""
    if b"\x00" in page.body[:8_192]:
        return None
    text = decode_page(page.body, page.content_type).text
    try:
        base = split_url(page.final_url)
    except UrlProblem:
        return None
    if "html" in page.content_type.lower() or looks_like_html(text):
        return _of_html(text, base)
    return _of_lines(text, base)


def _target(base: Url, reference: str) -> str:
    try:
        return str(join_url(base, reference)._replace(fragment=None))
    except UrlProblem:
        return ""


# --- HTML -----------------------------------------------------------------------------------------------------------


def _of_html(html: str, base: Url) -> ShownPage | None:
    try:
        root = parse_html(html)
    except TooDeep:
        return None
    reader = _Reader(base, main_content(root))
    reader.walk(root, 0, False)
    reader.flush(0)
    found = _TITLE.search(html)
    title = tidy(unescape(found[1])) if found else ""
    return ShownPage(str(base), title, tuple(reader.lines), tuple(reader.links), tuple(_choices(html, base)))


class _Reader:
    def __init__(self, base: Url, content: Element) -> None:
        self._base, self._content = base, content
        self._pieces: list[str] = []
        self.lines: list[ShownLine] = []
        self.links: list[ShownLink] = []

    def walk(self, element: Element, level: int, inside: bool) -> None:
        block = element.tag in BLOCKS or element.tag == "br"
        own = int(element.tag[1]) if re.fullmatch(r"h[1-6]", element.tag) else level
        inside = (inside or element is self._content) and not is_clutter(element, within=True)
        if block:
            self.flush(level)
        if element.tag == "a" and element.attributes.get("href"):
            self._link(element, inside)
        for child in element.children:
            if isinstance(child, str):
                self._pieces.append(child)
            else:
                self.walk(child, own, inside)
        if block:
            self.flush(own)

    def flush(self, level: int) -> None:
        text = tidy("".join(self._pieces))
        self._pieces = []
        if text and len(self.lines) < MOST_LINES:
            self.lines.append(ShownLine(text, level))

    def _link(self, element: Element, inside: bool) -> None:
        url = _target(self._base, element.attributes["href"])
        if url and len(self.links) < MOST_LINKS:
            self.links.append(ShownLink(tidy(element.text()), url, inside))


def _choices(html: str, base: Url) -> Iterator[ShownLink]:
    """Parsers that clean a page take its menus out, so these are read from the text itself."""
    for number, (attributes, text) in enumerate(_OPTION.findall(html)):
        if number >= MOST_LINKS:
            return
        found = _VALUE.search(attributes)
        value = unescape(next((part for part in found.groups() if part), "")) if found else ""
        yield ShownLink(tidy(unescape(text)), _target(base, value) if "/" in value else "", content=False)


# --- other text -----------------------------------------------------------------------------------------------------


def _of_lines(text: str, base: Url) -> ShownPage:
    lines: list[ShownLine] = []
    fenced = False
    for line in text.splitlines()[:MOST_LINES]:
        if _FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else _ATX.fullmatch(line)
        said = tidy(heading[2] if heading else line)
        if said and not fenced:
            lines.append(ShownLine(said, len(heading[1]) if heading else 0))
    found = _MARKDOWN_LINK.findall(text)[:MOST_LINKS]
    links = (ShownLink(tidy(words), _target(base, where or bare)) for words, where, bare in found)
    return ShownPage(str(base), "", tuple(lines), tuple(link for link in links if link.url))
