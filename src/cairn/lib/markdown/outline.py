"""Reads a Markdown page as headings, links, code and prose, from the events of the CommonMark parser."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import Any, NamedTuple

from cairn.lib.document.parts import Block, CodeSpan, PageHeading, PageLink, PageOutline, PageTarget, lines_of
from cairn.lib.markdown.code_mask import Range, without
from cairn.lib.markdown.frontmatter import split
from cairn.lib.markdown.links import markdown_events
from cairn.lib.text.sentences import Lines

_HEADING_ID = re.compile(r"\{(?::|/\*)?(?:[^{}#\n]|#(?=[\s{}]))*+#([^\s{}]++)[^{}\n]*+\}(?=[ \t#]*+$)", re.MULTILINE)
_BRACKET_ID = re.compile(r"(?<=\S) \[([a-z][\w-]*)\][ \t#]*$", re.MULTILINE)
"""The id of a heading as the documentation of Elastic has it: `## Running it [running-it]`."""
_ATTRIBUTES = re.compile(r"(?:(?<!\s)\s++)?\{:?\s*+(?:[#.][^{}\n]*+|/\*[^{}\n]*\*/)\}\s*+$")
_LABEL = re.compile(r"^\(([\w:. -]+)\)=[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ATTRIBUTE = re.compile(
    r"""(?<![\w:.-])(href|src|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+))""", re.IGNORECASE
)
_UNSHOWN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|pre|svg)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_URL = re.compile(r"""\bhttps?://[^\s<>"'`\]]+""")
_URL_END = ".,;:!?*_~)"


class MarkdownPiece(NamedTuple):
    """Something the parser found: offsets in bytes of UTF-8 at first, then in code points of the body."""

    kind: str
    start: int
    end: int
    value: Any = ""


def markdown_outline(path: str, text: str) -> PageOutline:
    parts = split(text)
    body, offset = parts.body, len(text) - len(parts.body)
    pieces = in_code_points(body, list(markdown_pieces(body)))
    found = MarkdownParts(body, Lines(body, parts.body_line), offset)
    found.read(pieces)
    return found.outline(path, "markdown", [""] * (parts.body_line - 1))


# --- events into pieces ---------------------------------------------------------------------------------------------


def markdown_pieces(body: str) -> Iterator[MarkdownPiece]:
    heading: MarkdownPiece | None = None
    words: list[str] = []
    image = 0
    code: MarkdownPiece | None = None
    for event, span in markdown_events(body):
        start, end = span["start"], span["end"]
        if "Start" in event:
            tag = event["Start"]
            if "Heading" in tag:
                heading, words = MarkdownPiece("heading", start, end, int(tag["Heading"]["level"][1])), []
            elif "CodeBlock" in tag:
                code, words = MarkdownPiece("block", start, end, tag["CodeBlock"]), []
            elif "Link" in tag or "Image" in tag:
                image += "Image" in tag
                yield MarkdownPiece("link", start, end, tag)
            elif tag == "HtmlBlock":
                yield MarkdownPiece("html", start, end)
        elif "End" in event:
            tag = event["End"]
            if tag == "Image":
                image -= 1
            elif "Heading" in tag and heading:
                yield heading._replace(value=(heading.value, " ".join("".join(words).split())))
                heading = None
            elif tag == "CodeBlock" and code:
                yield code._replace(value=(code.value, "".join(words)))
                code = None
        elif "Code" in event:
            yield MarkdownPiece("span", start, end, event["Code"])
            words.append(event["Code"])
        elif "Text" in event:
            if not image:
                words.append(event["Text"])
            if code is None and "://" in event["Text"]:
                yield MarkdownPiece("text", start, end)
        elif "InlineHtml" in event:
            yield MarkdownPiece("inline", start, end)
        elif isinstance(event, str):
            words.append(" ")


def in_code_points(body: str, pieces: list[MarkdownPiece]) -> list[MarkdownPiece]:
    """The parser counts bytes of UTF-8."""
    if body.isascii():
        return pieces
    encoded = body.encode()
    offsets = {0: 0}
    points = position = 0
    for offset in sorted({p.start for p in pieces} | {p.end for p in pieces}):
        points += len(encoded[position:offset].decode("utf-8", "replace"))
        position = offset
        offsets[offset] = points
    return [piece._replace(start=offsets[piece.start], end=offsets[piece.end]) for piece in pieces]


# --- pieces into an outline -----------------------------------------------------------------------------------------


class MarkdownParts:
    """What was found in a body so far."""

    def __init__(self, body: str, lines: Lines, offset: int) -> None:
        self._body, self._lines, self._offset = body, lines, offset
        self._hidden_to = 0
        self._blank: list[Range] = []
        self._link_end = 0
        self.headings: list[PageHeading] = []
        self.targets: list[PageTarget] = []
        self.links: list[PageLink] = []
        self.spans: list[CodeSpan] = []
        self.blocks: list[Block] = []

    def read(self, pieces: Iterable[MarkdownPiece]) -> None:
        readers: dict[str, Callable[[MarkdownPiece], None]] = {
            "heading": self._heading,
            "block": self._block,
            "link": self._link,
            "span": self._span,
            "html": self._html,
            "inline": self._html,
            "text": self._addresses,
        }
        for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
            if piece.start >= self._hidden_to:
                readers[piece.kind](piece)
        prose = without(self._body, _merged(self._blank))
        self.targets += [PageTarget(found[1], found[1], self._line(found.start())) for found in _LABEL.finditer(prose)]

    def outline(self, path: str, form: str, before: list[str]) -> PageOutline:
        prose = without(self._body, _merged(self._blank))
        title = next((heading.text for heading in self.headings if heading.level == 1 and heading.text), "")
        return PageOutline(
            path,
            form,
            title,
            tuple(self.headings),
            tuple(self.targets),
            tuple(self.links),
            tuple(self.spans),
            tuple(self.blocks),
            (*before, *lines_of(prose)),
        )

    def _line(self, offset: int) -> int:
        return self._lines.at(offset)

    def _heading(self, piece: MarkdownPiece) -> None:
        level, text = piece.value
        raw = self._body[piece.start : piece.end]
        ids = [found.removesuffix("*/").strip() for found in _HEADING_ID.findall(raw)]
        ids += _BRACKET_ID.findall(raw)
        ids += [value for name, value in _attributes(_COMMENT.sub("", raw)) if name in ("id", "name")]
        shown = _ATTRIBUTES.sub("", text) if ids or "{" in text else text
        self.headings.append(PageHeading(shown, self._line(piece.start), level, tuple(ids)))

    def _block(self, piece: MarkdownPiece) -> None:
        kind, content = piece.value
        fenced = kind != "Indented"
        language = _language(kind["Fenced"]) if fenced else ""
        lines = tuple(content.removesuffix("\n").split("\n")) if content else ()
        self.blocks.append(Block(language, self._line(piece.start) + fenced, lines))
        self._blank.append((piece.start, piece.end))

    def _link(self, piece: MarkdownPiece) -> None:
        image = "Image" in piece.value
        link = piece.value["Image" if image else "Link"]
        kind = "image" if image else _link_kind(link["link_type"])
        target = link["dest_url"].rstrip("\\").strip() if kind == "wiki" else link["dest_url"]
        self._add_link(target, image, kind, piece.start, piece.end)
        self._link_end = max(self._link_end, piece.end)

    def _add_link(self, target: str, image: bool, kind: str, start: int, end: int) -> None:
        at = self._offset
        self.links.append(PageLink(target, self._line(start), image, kind, start + at, end + at))

    def _span(self, piece: MarkdownPiece) -> None:
        self.spans.append(CodeSpan(piece.value, self._line(piece.start)))

    def _addresses(self, piece: MarkdownPiece) -> None:
        if piece.start >= self._link_end:
            for found in _URL.finditer(self._body, piece.start, piece.end):
                address = trimmed_url(found[0])
                self._add_link(address, False, "auto", found.start(), found.start() + len(address))

    def _html(self, piece: MarkdownPiece) -> None:
        end = piece.end
        opened = self._body.rfind("<!--", piece.start, end)
        if opened >= 0 and self._body.find("-->", opened, end) < 0:
            # CommonMark ends a block of HTML at a blank line; a browser ends a comment at its end.
            closed = self._body.find("-->", end)
            self._hidden_to = end = closed + 3 if closed >= 0 else end
        shown = _UNSHOWN.sub(lambda found: " " * len(found[0]), self._body[piece.start : end])
        self._blank += [
            (piece.start + f.start(), piece.start + f.end()) for f in _UNSHOWN.finditer(self._body[piece.start : end])
        ]
        for tag in _TAG.finditer(shown):
            start, after = piece.start + tag.start(), piece.start + tag.end()
            self._blank.append((start, after))
            for name, value in _attributes(tag[0]):
                if name in ("href", "src"):
                    self._add_link(unescape(value), name == "src", "html", start, after)
                else:
                    self.targets.append(PageTarget(value, value, self._line(start)))


def _merged(ranges: Iterable[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _attributes(tag: str) -> list[tuple[str, str]]:
    """The attributes of tags that name a place, in lower case, with their values."""
    if "=" not in tag or "<" not in tag:
        return []
    inside = " ".join(_TAG.findall(tag))
    return [(found[1].lower(), found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(inside)]


def _link_kind(kind: Any) -> str:
    if isinstance(kind, dict):
        return "wiki"
    return "auto" if kind in ("Autolink", "Email") else "link"


def _language(info: str) -> str:
    """The first word. A directive of MyST has a language of its own, or names one: `{code-block} python`."""
    words = info.strip().strip("{}").replace(",", " ").split()
    if not words:
        return ""
    name = words[0].strip("{}.").lower()
    if not info.lstrip().startswith("{"):
        return name
    from cairn.lib.rst.directives import CODE  # few pages need it

    if name not in CODE:
        return name
    return CODE[name] or (words[1].strip("{}.").lower() if len(words) > 1 else "")


def trimmed_url(address: str) -> str:
    """An address without the punctuation of the sentence; a closing parenthesis stays if it closes one of its own."""
    while address and address[-1] in _URL_END:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address
