"""The links of a Markdown text, as CommonMark sees them, and its title."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn.lib.markdown.code_mask import fences

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
