"""Reads a Markdown page as headings, links, code and prose, from the events of the CommonMark parser."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.lib.document.parts import Block, CodeSpan, PageHeading, PageLink, PageOutline, PageTarget, lines_of
from cairn.lib.markdown.blocks import Lines, Range, fences, without
from cairn.lib.markdown.frontmatter import split

if TYPE_CHECKING:
    from pyromark import Markdown


class MarkdownLink(NamedTuple):
    """A link or an image. The offsets are code points of the text, and cover it from bracket to bracket."""

    start: int
    end: int
    target: str
    """As written, entities and backslashes undone, percent-encoding kept."""
    image: bool
    wiki: bool
    """`[[target]]`."""
    auto: bool
    """`<https://…>` or `<a@b.c>`."""


@cache
def _parser() -> "Markdown":
    """Made on first use, because many commands never read Markdown."""
    from pyromark import Markdown, Options

    return Markdown(
        options=Options.ENABLE_WIKILINKS
        | Options.ENABLE_TABLES
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_GFM
    )


# --- links ----------------------------------------------------------------------------------------------------------


def markdown_links(body: str) -> tuple[MarkdownLink, ...]:
    """Everything that CommonMark calls a link or an image, and wikilinks, in order of their start.

    Definitions that nobody uses are no links. The parser is linear in the length, so hostile text needs no limit here.
    """
    if "[" not in body and "<" not in body:
        return ()
    simple = _simple_links(body)
    return _parsed_links(body) if simple is None else tuple(simple)


def markdown_events(body: str) -> Iterator[tuple[Any, Any]]:
    """(event, range in bytes of UTF-8) of the parser. An event is a string or a map with one key; `in` serves both."""
    return _parser().events_with_range(body, merge_text=True)


def _parsed_links(body: str) -> tuple[MarkdownLink, ...]:
    links = [
        _link(tag, span["start"], span["end"])
        for event, span in markdown_events(body)
        if "Start" in event and ("Link" in (tag := event["Start"]) or "Image" in tag)
    ]
    return tuple(links) if body.isascii() else _in_code_points(body, links)


def _link(tag: Any, start: int, end: int) -> MarkdownLink:
    image = "Image" in tag
    link = tag["Image" if image else "Link"]
    kind = link["link_type"]
    if type(kind) is dict:
        # In a table the bar of `[[target\|text]]` has to be escaped.
        return MarkdownLink(start, end, link["dest_url"].rstrip("\\").strip(), image, True, False)
    if kind == "Collapsed":
        # The parser leaves out the second pair of brackets of `[text][]`.
        end += 2
    return MarkdownLink(start, end, link["dest_url"], image, False, kind == "Autolink" or kind == "Email")


def _in_code_points(body: str, links: list[MarkdownLink]) -> tuple[MarkdownLink, ...]:
    """The parser counts bytes of UTF-8."""
    offsets = {0: 0}
    encoded = body.encode()
    points = position = 0
    for offset in sorted({link.start for link in links} | {link.end for link in links}):
        points += len(encoded[position:offset].decode())
        position = offset
        offsets[offset] = points
    return tuple(link._replace(start=offsets[link.start], end=offsets[link.end]) for link in links)


# --- links of simple texts ------------------------------------------------------------------------------------------
#
# Most texts only have links like `[this](one.md)`, and finding these costs a fifth of a full parse. That is safe where
# nothing else could claim the brackets: no HTML, escapes, tables or indented code, every fence at the left margin,
# every code span within a line, and every bracket of exactly that form. In all other texts the parser decides.

_SIMPLE_LINK = re.compile(r"\[(?![!^])[^\[\]\\`<>|\n]*+\]\(([\w./#?=%@:+~-]+)\)", re.ASCII)
_SIMPLE_SPAN = re.compile(r"(`++)[^`\n]++\1(?!`)")
_NOT_SIMPLE = ("<", "\\", "|", "\t", "\r", "    ", "~~~")


def _simple_links(body: str) -> list[MarkdownLink] | None:
    """All links, or None if the text is not simple."""
    for sign in _NOT_SIMPLE:
        if sign in body:
            return None
    blocks = fences(body) if "```" in body else []
    links: list[MarkdownLink] = []
    position = 0
    for start, end in [*blocks, (len(body), len(body))]:
        if start < len(body) and body[start] != "`":
            return None
        if not _add_simple_links(links, body, position, start):
            return None
        position = end
    return links


def _add_simple_links(links: list[MarkdownLink], body: str, position: int, end: int) -> bool:
    """Adds the links of a range; False if something in it is not simple."""
    while (bracket := body.find("[", position, end)) >= 0:
        tick = body.find("`", position, bracket)
        if tick >= 0:
            span = _SIMPLE_SPAN.match(body, tick)
            if not span:
                return False
            position = span.end()
            continue
        found = _SIMPLE_LINK.match(body, bracket)
        if not found:
            return False
        image = bracket > 0 and body[bracket - 1] == "!"
        links.append(MarkdownLink(bracket - image, found.end(), found[1], image, False, False))
        position = found.end()
    return True


# --- title ----------------------------------------------------------------------------------------------------------

_FIRST_LINE = re.compile(r"\s*?^# +([^\n*_\[\]<>&\\!`#~]+)$", re.MULTILINE)
_MAYBE_HEADING = re.compile(r"^ {0,3}(?:#[ \t\r\n]|=+[ \t\r]*$)", re.MULTILINE)


def first_heading(body: str) -> str | None:
    """The text of the first heading of level 1 that is not inside of something else, without markup."""
    if (body[:2] == "# " or body[:3] == "\n# ") and (found := _FIRST_LINE.match(body)):
        return found[1].strip() or None
    if not _MAYBE_HEADING.search(body):
        return None
    return _heading_among(event for event in _parser().events(body))


def _heading_among(events: Iterable[Any]) -> str | None:
    depth = 0
    words: list[str] | None = None
    for event in events:
        if "Start" in event:
            if depth == 0 and "Heading" in event["Start"] and event["Start"]["Heading"]["level"] == "H1":
                words = []
            depth += 1
        elif "End" in event:
            depth -= 1
            if depth == 0 and words is not None:
                if title := " ".join("".join(words).split()):
                    return title
                words = None
        elif words is not None:
            words.append(_words_of(event))
    return None


def _words_of(event: Any) -> str:
    if isinstance(event, str):
        return " "
    text = event.get("Text") or event.get("Code") or ""
    return str(text)


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
    from cairn.lib.rst.lines import CODE  # few pages need it

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
