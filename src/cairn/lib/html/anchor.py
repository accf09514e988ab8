"""The section of a page that an anchor names: from its heading to the next one that is no smaller."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote

from cairn.lib.html.blocks import BlockSpan, HtmlBlock, HtmlContent

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
