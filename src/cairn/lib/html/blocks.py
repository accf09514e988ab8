"""The content of a page, one block after the other: headings, paragraphs, items, rows, code."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from cairn.lib.html.clutter import is_clutter, is_phrase, without_marks
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
