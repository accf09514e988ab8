"""A fetched page as canonical text: what decides whether a source changed, and what an audit reads."""

import re
from hashlib import sha256
from typing import NamedTuple

from cairn.lib.html.blocks import BlockSpan, HtmlBlock, HtmlContent, read_blocks, render, section, tidy
from cairn.lib.html.charset import FetchedPage, decode_page
from cairn.lib.html.main import main_content
from cairn.lib.html.tree import TooDeep, parse_html
from cairn.lib.html.wall import find_wall

CANON = 1
"""Version of all that stands between the bytes of a page and its canonical text. Whoever changes what comes out of
it counts on; texts are then made again from the stored bytes, and nobody takes the difference for drift."""

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_JSON = re.compile(r"application/(?:json|[\w.+-]+\+json)|text/json")
_TEXT = re.compile(
    r"text/[\w.+-]+|application/(?:[\w.+-]+\+)?(?:xml|yaml|toml|javascript|x-yaml|x-toml|x-sh|sql|graphql)"
)
_LOOKS_HTML = re.compile(
    r"\s*+(?>(?:<!--.{0,2000}?-->\s*+)*)<(?:!doctype\s+html|html|head|meta|body|title)\b", re.I | re.DOTALL
)
_TITLE = re.compile(r"<title\b[^>]*+>([^<]{0,500})", re.IGNORECASE)
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]++((?:\S(?:.*?\S)??)??)(?:[ \t]++#++)?+[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BINARY = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"GIF8", b"\xff\xd8\xff")


class HtmlReading(NamedTuple):
    text: str
    """Canonical: of the page, or of the section that the anchor names."""
    title: str = ""
    anchored: bool | None = None
    """Whether the anchor was found; without it the text is that of the whole page. None when there is no anchor."""


class Unusable(NamedTuple):
    reason: str
    """One sentence."""


def looks_like_html(text: str) -> bool:
    return _LOOKS_HTML.match(text[:4_096]) is not None


def read_page(page: FetchedPage, anchor: str | None = None) -> HtmlReading | Unusable:
    """What a page says. Never raises, whatever was sent."""
    if _is_binary(page.body):
        return Unusable("This is no text but a file of another kind, such as a PDF or an archive; cite a page.")
    text = decode_page(page.body, page.content_type).text
    kind = page.content_type.partition(";")[0].strip().lower()
    if kind in _HTML or (looks_like_html(text) and not _JSON.fullmatch(kind)):
        return _read_html(page, text, anchor)
    if kind and not (_TEXT.fullmatch(kind) or _JSON.fullmatch(kind) or kind == "application/octet-stream"):
        return Unusable(f"The server sends `{kind[:60]}`, which is no text; cite a page.")
    if _JSON.fullmatch(kind):
        return _worth_reading(_pretty(text), None)
    return _read_lines(text, anchor, markdown="markdown" in kind or page.final_url.lower().endswith((".md", ".mdx")))


def canonical_text(page: FetchedPage, anchor: str | None = None) -> str | None:
    """Of `read_page`, when the page is of any use."""
    reading = read_page(page, anchor)
    return reading.text if isinstance(reading, HtmlReading) else None


def canonical_hash(text: str) -> str:
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def raw_hash(body: bytes) -> str:
    """As entries of the old kind have it: of the bytes read as UTF-8, whatever they are."""
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    return f"sha256:{sha256(text.encode('utf-8')).hexdigest()}"


def _is_binary(body: bytes) -> bool:
    if body.startswith(_BINARY):
        return True
    utf16 = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    return not utf16 and b"\x00" in body[:8_192]


# --- HTML -----------------------------------------------------------------------------------------------------------


def _read_html(page: FetchedPage, html: str, anchor: str | None) -> HtmlReading | Unusable:
    try:
        root = parse_html(html)
    except TooDeep:
        return Unusable("The page nests its elements deeper than any browser would; it is not read.")
    content = read_blocks(main_content(root))
    text = render(content.blocks)
    found = _TITLE.search(html)
    title = tidy(_unescaped(found[1])) if found else ""
    wall = find_wall(text, html=html, title=title, asked=page.url, final=page.final_url)
    if wall is not None:
        return Unusable(wall)
    if anchor is None:
        return HtmlReading(text, title)
    blocks = section(content, anchor) or section(read_blocks(root), anchor)
    return HtmlReading(text if blocks is None else render(blocks), title, anchored=blocks is not None)


def _unescaped(text: str) -> str:
    from html import unescape

    return unescape(text)


# --- other text -----------------------------------------------------------------------------------------------------


def _read_lines(text: str, anchor: str | None, *, markdown: bool) -> HtmlReading | Unusable:
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    whole = "\n".join(lines).strip("\n") + "\n"
    if anchor is None or not markdown:
        return _worth_reading(whole, None if anchor is None else False)
    content = _markdown_content(lines)
    blocks = section(content, anchor)
    if blocks is None:
        return _worth_reading(whole, False)
    return _worth_reading("\n".join(block.text for block in blocks).strip("\n") + "\n", True)


def _worth_reading(text: str, anchored: bool | None) -> HtmlReading | Unusable:
    if len(text.strip()) < 2:
        return Unusable("The page is empty; there is nothing to read.")
    return HtmlReading(text, "", anchored)


def _markdown_content(lines: list[str]) -> HtmlContent:
    """One block a line; headings know their level, and lines between fences are none. The text stays as it is."""
    blocks: list[HtmlBlock] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        heading = None if fence else _ATX.fullmatch(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == mark[1] and mark[1].startswith(fence):
            fence = ""
        blocks.append(HtmlBlock("heading", line, len(heading[1])) if heading else HtmlBlock("text", line))
    at = _heading_places(blocks)
    return HtmlContent(tuple(blocks), at)


def _heading_places(blocks: list[HtmlBlock]) -> dict[str, BlockSpan]:
    """Slugs are made from the heading's words, without its marks; they are looked up as if they were ids."""
    from cairn.lib.html.blocks import github_slug, mkdocs_slug, sphinx_slug

    places: dict[str, BlockSpan] = {}
    for at, block in enumerate(blocks):
        if block.kind == "heading" and (found := _ATX.fullmatch(block.text)):
            words = re.sub(r"[`*]|\[([^\[\]]*+)\]\([^)]{0,2000}+\)", r"\1", found[2])
            for slug in (github_slug, sphinx_slug, mkdocs_slug):
                name = slug(words)
                count = 1
                while name in places and places[name].start != at:
                    name, count = f"{slug(words)}-{count}", count + 1
                places[name] = BlockSpan(at, at + 1)
    return places


def _pretty(text: str) -> str:
    import json

    try:
        value = json.loads(text)
        return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    except (ValueError, RecursionError):
        return text.strip() + "\n"
