"""Splits Markdown into sections at its headings, and blanks what a reader does not see; every offset stays the same."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class TextSection(NamedTuple):
    start: int
    """Of its heading."""
    text: int
    """Where the text below the heading starts."""
    end: int
    level: int
    """0 above the first heading."""
    heading: str
    above: tuple[int, ...] = ()
    """Positions of the sections around it, the outermost first."""


@cache
def _marks() -> "re.Pattern[str]":
    """Fences, headings with `#`, and lines under a heading. Compiled when a text needs it."""
    return re.compile(r"^ {0,3}(?:(`{3,}|~{3,})|(#{1,6})[ \t]+([^\n]*)|(=+|-+)[ \t]*$)", re.MULTILINE)


@cache
def _unseen() -> "re.Pattern[str]":
    """Code, which is skipped, comes first; then tags, entities, and the beginning of a comment."""
    fence = r"^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n(?! {0,3}\1)[^\n]*)*(?:\n {0,3}\1[`~]*)?"
    code = r"(?<!`)(`{1,10})(?!`)(?:(?!\2)[^\n]){1,300}\2"
    tag = r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:[ \t\n/][^<>`]{0,1000})?>"
    return re.compile(rf"{fence}|{code}|(<!--|{tag}|&[A-Za-z]{{2,8}};|&#\w{{1,6}};)", re.MULTILINE)


class HeadingLine(NamedTuple):
    start: int
    end: int
    level: int
    text: str


def headings(body: str) -> Iterator[HeadingLine]:
    """Those outside of fences. A line of signs under a line of text makes a heading of it."""
    fence = ""
    for mark in _marks().finditer(body):
        opens, signs, text, under = mark.groups()
        if opens and not fence:
            fence = opens
        elif opens and opens[0] == fence[0] and len(opens) >= len(fence):
            fence = ""
        elif signs and not fence:
            yield HeadingLine(mark.start(), mark.end(), len(signs), text.strip().rstrip("#").rstrip())
        elif under and not fence and (found := _underlined(body, mark.start())):
            yield HeadingLine(found[0], mark.end(), 1 if under[0] == "=" else 2, found[1])


def _underlined(body: str, at: int) -> tuple[int, str] | None:
    """The line above, if it is one that can be a heading: the first of its paragraph, without marks of its own."""
    end = max(at - 1, 0)
    start = body.rfind("\n", 0, end) + 1
    text = body[start:end].strip()
    before = body[body.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].strip()
    return (start, text) if text and not before and text[0] not in "|-*+>#`~<:" else None


def sections(body: str) -> list[TextSection]:
    """In order, without gaps; the first is the text above the first heading, which may be empty."""
    found = list(headings(body))
    ends = [heading.start for heading in found] + [len(body)]
    made = [TextSection(0, 0, ends[0], 0, "")]
    around: list[int] = []
    for number, heading in enumerate(found, 1):
        while around and made[around[-1]].level >= heading.level:
            around.pop()
        made.append(TextSection(heading.start, heading.end, ends[number], heading.level, heading.text, tuple(around)))
        around.append(number)
    return made


def headings_text(body: str) -> str:
    """The words of all headings."""
    return "\n".join(heading.text for heading in headings(body)) if "#" in body or "\n==" in body else ""


def seen_text(body: str) -> str:
    """The body with blanks in place of comments, tags and entities: `<var>` is not the word *var*. Code stays."""
    if "<" not in body and "&" not in body:
        return body
    pieces, at = [], 0
    while found := _unseen().search(body, at):
        start, end = found.span()
        if found[3] == "<!--":
            closed = body.find("-->", end)
            end = closed + 3 if closed >= 0 else len(body)
        pieces += [body[at:start], body[start:end] if found[3] is None else _blank(body[start:end])]
        at = end
    return "".join((*pieces, body[at:]))


def _blank(hidden: str) -> str:
    return "\n".join(" " * len(line) for line in hidden.split("\n"))
