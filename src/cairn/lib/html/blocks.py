"""The content of a page, one block after the other: headings, paragraphs, items, rows, code."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import unquote

from cairn.lib.html.main import is_clutter, is_phrase, without_marks
from cairn.lib.html.tree import BLOCKS, Element

Kind = Literal["heading", "text", "item", "term", "row", "code"]

_HEADING = re.compile(r"h([1-6])")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_RFC_HEADING = re.compile(r"h[1-6]")


class HtmlBlock(NamedTuple):
    kind: Kind
    text: str
    """One line; of code as many as it has."""
    level: int = 0
    """Of a heading, 1 to 6; of a term, how deep it is nested."""


class BlockSpan(NamedTuple):
    """The blocks that an element with a name covers; an empty one stands before the block `start`."""

    start: int
    end: int


class HtmlContent(NamedTuple):
    blocks: tuple[HtmlBlock, ...]
    places: dict[str, BlockSpan]
    """By id or name, as written."""


def tidy(text: str) -> str:
    """One line, with one spelling for each character."""
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", text)).split())


def read_blocks(root: Element) -> HtmlContent:
    reader = _Reader()
    reader.walk(root, depth=0)
    reader.flush()
    return HtmlContent(tuple(reader.blocks), reader.places)


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[HtmlBlock] = []
        self.places: dict[str, BlockSpan] = {}
        self._names: list[str] = []
        """Those in `places`, in the order in which they came."""
        self._line: list[str] = []
        self._kind: Kind = "text"
        self._level = 0

    def walk(self, element: Element, *, depth: int) -> None:
        start, named = len(self.blocks), len(self._names)
        if element.tag in BLOCKS:
            self.flush()
            start = len(self.blocks)
            self._block(element, depth)
            self.flush()
            self._point_back(start, named)
        else:
            self._inline(element, depth)
        self._name(element, start)

    def _name(self, element: Element, start: int) -> None:
        for key in ("id", "name"):
            name = element.attributes.get(key)
            if name and name not in self.places:
                self.places[name] = BlockSpan(start, len(self.blocks))
                self._names.append(name)

    def _point_back(self, start: int, named: int) -> None:
        """A box with nothing but a heading in it: what has a name behind the heading names the heading."""
        end = len(self.blocks)
        if end == start + 1 and self.blocks[start].kind == "heading":
            for name in self._names[named:]:
                if self.places[name] == BlockSpan(end, end):
                    self.places[name] = BlockSpan(start, end)

    def _block(self, element: Element, depth: int) -> None:
        if element.tag == "pre":
            self._code(element)
        elif element.tag == "tr":
            self._row(element, depth)
        elif heading := _HEADING.fullmatch(element.tag):
            self._children(element, depth, "heading", int(heading[1]))
        elif element.tag == "dt":
            self._children(element, depth, "term", depth)
        elif element.tag in ("li", "dd"):
            self._children(element, depth, "item", 0)
        else:
            self._children(element, depth, self._kind if element.tag in ("p", "div", "span") else "text", self._level)

    def _children(self, element: Element, depth: int, kind: Kind, level: int) -> None:
        before = self._kind, self._level
        self._kind, self._level = kind, level
        for child in element.children:
            if isinstance(child, str):
                self._line.append(child)
            elif not is_clutter(child, within=True):
                self.walk(child, depth=depth + 1)
        self.flush()
        self._kind, self._level = before

    def _inline(self, element: Element, depth: int) -> None:
        if element.tag in ("br", "wbr"):
            self._line.append(" " if element.tag == "br" else "")
        for child in element.children:
            if isinstance(child, str):
                self._line.append(child)
            elif not is_clutter(child, within=True):
                self.walk(child, depth=depth + 1)

    def _row(self, element: Element, depth: int) -> None:
        """Cells on one line. A table that lays out a page holds blocks, and these stand for themselves."""
        cells = [child for child in element.inside() if child.tag in ("td", "th")]
        if any(one.tag in ("pre", "h1", "h2", "h3", "table", "ul", "ol") for cell in cells for one in cell.elements()):
            self._children(element, depth, "text", 0)
            return
        shown = " | ".join(tidy(cell.text()) for cell in cells)
        for one in (one for cell in cells for one in cell.elements()):
            self._name(one, len(self.blocks))
        if shown.strip(" |"):
            self.blocks.append(HtmlBlock("row", shown))

    def _code(self, element: Element) -> None:
        """Line by line. Old documents are one large `pre` with headings in it that only their class gives away."""
        pieces: list[str] = []
        for child in element.children:
            if isinstance(child, Element) and any(_RFC_HEADING.fullmatch(word) for word in child.words):
                self._lines(pieces)
                pieces = []
                start = len(self.blocks)
                level = int(next(word[1] for word in child.words if _RFC_HEADING.fullmatch(word)))
                self.blocks.append(HtmlBlock("heading", tidy(child.text()), level))
                for one in child.elements():
                    self._name(one, start)
            else:
                pieces.append(child if isinstance(child, str) else self._code_text(child))
        self._lines(pieces)

    def _code_text(self, element: Element) -> str:
        if is_clutter(element, within=True):
            return ""
        self._name(element, len(self.blocks))
        if element.tag == "br":
            return "\n"
        inner = "".join(child if isinstance(child, str) else self._code_text(child) for child in element.children)
        return f"{inner}\n" if element.tag in ("div", "p", "li") and not inner.endswith("\n") else inner

    def _lines(self, pieces: Iterable[str]) -> None:
        text = _UNSEEN.sub("", unicodedata.normalize("NFC", "".join(pieces))).replace("\r\n", "\n").replace("\xa0", " ")
        lines = [line.rstrip() for line in text.split("\n")]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        if lines:
            self.blocks.append(HtmlBlock("code", "\n".join(lines)))

    def flush(self) -> None:
        """What was gathered becomes a block."""
        text = tidy("".join(self._line))
        self._line = []
        if self._kind == "heading":
            text = without_marks(text)
        if text and not is_phrase(text):
            self.blocks.append(HtmlBlock(self._kind, text, self._level))
            if self._kind in ("item", "term"):
                self._kind, self._level = "text", 0


def render(blocks: Iterable[HtmlBlock]) -> str:
    """The canonical text."""
    return "\n".join(map(_rendered, blocks)).strip("\n") + "\n"


def _rendered(block: HtmlBlock) -> str:
    if block.kind == "heading":
        return f"\n{'#' * block.level} {block.text}\n"
    if block.kind == "code":
        return f"```\n{block.text}\n```"
    return f"- {block.text}" if block.kind == "item" else block.text


_NOT_GITHUB = re.compile(r"[^\w\- ]")
_NOT_WORD = re.compile(r"[^\w]+")
_NOT_ASCII_WORD = re.compile(r"[^a-z0-9]+")


def section(content: HtmlContent, anchor: str) -> tuple[HtmlBlock, ...] | None:
    """None when the page has no such place."""
    wanted = unquote(anchor.removeprefix("#"))
    span = _named(content, wanted)
    if span is None:
        at = heading_with_slug(content.blocks, wanted)
        span = None if at is None else BlockSpan(at, at + 1)
    if span is None or span.start >= len(content.blocks):
        return None
    return content.blocks[span.start : _end(content.blocks, span)]


def _named(content: HtmlContent, wanted: str) -> BlockSpan | None:
    """As written, as GitHub writes it into its pages, or in another case."""
    for name in (wanted, f"user-content-{wanted}"):
        if name in content.places:
            return content.places[name]
    folded = wanted.casefold()
    return next((span for name, span in content.places.items() if name.casefold() == folded), None)


def _end(blocks: Sequence[HtmlBlock], span: BlockSpan) -> int:
    first = blocks[span.start]
    if span.end > span.start + 1:
        return span.end
    if first.kind == "heading":
        return _before(blocks, span.start, lambda block: block.kind == "heading" and block.level <= first.level)
    if first.kind == "term":
        return _before(
            blocks,
            span.start,
            lambda block: block.kind == "heading" or (block.kind == "term" and block.level <= first.level),
        )
    return span.start + 1


def _before(blocks: Sequence[HtmlBlock], start: int, ends: Callable[[HtmlBlock], bool]) -> int:
    return next((at for at in range(start + 1, len(blocks)) if ends(blocks[at])), len(blocks))


# --- slugs ----------------------------------------------------------------------------------------------------------


def heading_with_slug(blocks: Sequence[HtmlBlock], wanted: str) -> int | None:
    """The heading that some generator of pages would call so."""
    headings = [(at, block.text) for at, block in enumerate(blocks) if block.kind == "heading"]
    for slug in (github_slug, sphinx_slug, mkdocs_slug):
        for at, name in _numbered(headings, slug):
            if name == wanted.casefold():
                return at
    return None


def _numbered(headings: Iterable[tuple[int, str]], slug: Callable[[str], str]) -> list[tuple[int, str]]:
    """The second heading of a name gets a number."""
    seen: dict[str, int] = {}
    found = []
    for at, text in headings:
        name = slug(text)
        times = seen.get(name, 0)
        seen[name] = times + 1
        found.append((at, f"{name}-{times}" if times else name))
        if times:
            found.append((at, f"{name}_{times}"))
    return found


def github_slug(text: str) -> str:
    """Every blank becomes a hyphen, also two in a row."""
    return _NOT_GITHUB.sub("", text.casefold()).strip().replace(" ", "-")


def sphinx_slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NOT_ASCII_WORD.sub("-", plain).strip("-").lstrip("0123456789-")


def mkdocs_slug(text: str) -> str:
    return _NOT_WORD.sub("-", text.casefold()).strip("-")
