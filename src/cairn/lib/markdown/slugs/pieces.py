"""Splits the Markdown of a heading into the pieces of which renderers build an anchor."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pyromark import Markdown


class Kind(Enum):
    TEXT = auto()
    CODE = auto()
    HTML = auto()
    """A tag or a comment, as written. The text between two tags is TEXT."""
    ALT = auto()
    """The description of an image."""
    ENTITY = auto()
    """A character written as `&amp;`."""
    LINK = auto()
    """The address in `<https://…>`."""
    SHORTCODE = auto()
    """An emoji written as `:gear:`."""


class HeadingPiece(NamedTuple):
    kind: Kind
    text: str
    source: str
    """As written. Differs from the text in entities and escapes."""


_PLAIN = re.compile(r"[^\\`*_\[\]<>&~:!\n\r]+")
_FULL_REFERENCE = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)|(?<![\]\\])(\[(?!\^)(?:[^\[\]`]|`[^`]*`)+\])\[[^\[\]`^]+\]")
_SHORTCODE = re.compile(r"(?<![:\w]):[a-z0-9_+-]+:(?![:\w])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def pieces(heading: str, *, defined: bool = True) -> tuple[HeadingPiece, ...]:
    """The pieces of a heading in order.

    The definition of `[text][label]` is elsewhere on the page. By default, it exists and the label is not shown.
    """
    if _PLAIN.fullmatch(heading):
        return (HeadingPiece(Kind.TEXT, heading.strip(" \t"), heading.strip(" \t")),)
    if defined:
        heading = _FULL_REFERENCE.sub(lambda found: f"{found[2]}(#)" if found[2] else found[0], heading)
    return tuple(_with_shortcodes(_parsed(heading)))


@cache
def _parser() -> "Markdown":
    """Created on first use, because many commands never read Markdown."""
    from pyromark import Markdown, Options

    return Markdown(options=Options.ENABLE_STRIKETHROUGH)


def _parsed(heading: str) -> Iterator[HeadingPiece]:
    page = f"# {heading}\n" if "\n" not in heading else f"{heading}\n===\n"
    source = page.encode()
    inside: list[Kind | None] = []
    # An event is a string or a map with one key; `in` serves both.
    events: Iterator[tuple[Any, Any]] = _parser().events_with_range(page)
    for event, span in events:
        if "Start" in event:
            inside.append(_kind_inside(event["Start"]))
        elif "End" in event:
            inside.pop()
        elif piece := _piece(event, source[span["start"] : span["end"]].decode()):
            yield next((piece._replace(kind=kind) for kind in inside if kind), piece)


def _kind_inside(tag: Any) -> Kind | None:
    if "Image" in tag:
        return Kind.ALT
    return Kind.LINK if "Link" in tag and tag["Link"]["link_type"] in ("Autolink", "Email") else None


def _piece(event: Any, source: str) -> HeadingPiece | None:
    if isinstance(event, str):
        return HeadingPiece(Kind.TEXT, "\n", "\n")
    for name, kind in (("Text", Kind.TEXT), ("Code", Kind.CODE), ("InlineHtml", Kind.HTML)):
        if name in event:
            entity = kind is Kind.TEXT and source.startswith("&") and source.endswith(";")
            return HeadingPiece(Kind.ENTITY if entity else kind, event[name], source)
    return None


def _with_shortcodes(found: Iterator[HeadingPiece]) -> Iterator[HeadingPiece]:
    """Joins neighbouring text, which the parser cuts at `_` and `:`, and cuts it at shortcodes."""
    text = ""
    for piece in found:
        if piece.kind is Kind.TEXT:
            text += piece.text
            continue
        yield from _cut(text)
        text = ""
        yield piece
    yield from _cut(text)


def _cut(text: str) -> Iterator[HeadingPiece]:
    position = 0
    for found in _SHORTCODE.finditer(text):
        if found.start() > position:
            yield HeadingPiece(Kind.TEXT, text[position : found.start()], text[position : found.start()])
        yield HeadingPiece(Kind.SHORTCODE, found[0], found[0])
        position = found.end()
    if position < len(text):
        yield HeadingPiece(Kind.TEXT, text[position:], text[position:])
