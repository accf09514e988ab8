"""The passage of a page that a reader wants to see: short, on one line, with the words marked."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from cairn.retrieve.match import Finder, text_of
from cairn.retrieve.rank import Page, Weighed, best_window

LENGTH = 200
"""Characters."""
_FAR = 2_000
"""A line may be as long as it likes; so much of it is looked at, on each side."""

_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?:<[^<>\n]*>|[^()\s]*)(?:\s+\"[^\"\n]*\")?\)")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)]|>|\|)\s+")
_SENTENCE = re.compile(r"[.!?]\s+(?=[^\Wa-z_]|[`\"'(])|[。！？]\s*")
"""Where one ends and another begins."""
_EMPHASIS = re.compile(r"\*\*|__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class Excerpt:
    text: str
    marks: tuple[tuple[int, int], ...]
    """Stretches of the text that were asked for."""
    line: int
    """Of the file."""
    heading: str
    """Under which it stands; empty above the first."""


def excerpt(page: Page, finder: Finder, weighed: Sequence[Weighed]) -> Excerpt:
    """Around the best stretch of the body; of a page that has the words in its title only, its beginning."""
    body = page.body.shown
    start = page.window[0] if page.spans else _first_sentence(body)
    text = plain(_lines_around(body, start, page.window[1]))
    place = best_window(finder.spans(text_of(text)), weighed)
    shown = _cut(text, *place)
    marks = _merged([(span.start, _with_signs(shown, span.end)) for span in finder.spans(text_of(shown))])
    return Excerpt(shown, marks, page.body_line + body.count("\n", 0, start), _heading_above(body, start))


def _first_sentence(body: str) -> int:
    """Where the first line stands that is neither empty nor a heading."""
    at = 0
    for line in body.split("\n"):
        if line.strip() and not _HEADING.match(line):
            return at
        at += len(line) + 1
    return 0


def _lines_around(body: str, start: int, end: int) -> str:
    """The lines of this place and more of its paragraph, as long as there is room; of a heading, what follows."""
    first = max(body.rfind("\n", 0, start) + 1, start - _FAR)
    last = min(_line_end(body, max(end, start)), max(end, start) + _FAR)
    while last < len(body) and last - first < LENGTH and body[last + 1 : last + 2].strip():
        last = _line_end(body, last + 1)
    while last - first < 2 * LENGTH and _goes_on(body, first):
        first = body.rfind("\n", 0, first - 1) + 1
    text = _without_headings(body[first:last])
    if text.strip():
        return text
    below = _without_headings(body[last : last + _FAR]).strip().partition("\n\n")[0]
    return below or body[first:last]


def _goes_on(body: str, at: int) -> bool:
    """Whether the line that begins here goes on with what the line before says."""
    before = body[body.rfind("\n", 0, max(at - 1, 0)) + 1 : max(at - 1, 0)]
    here = body[at : _line_end(body, at)]
    begins = _BULLET.match(here) or _FENCE.match(here) or _HEADING.match(here)
    return (
        bool(before.strip()) and len(before) <= _FAR and not (begins or _FENCE.match(before) or _HEADING.match(before))
    )


def _without_headings(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not _HEADING.match(line))


def _cut(text: str, start: int, end: int) -> str:
    """At most so long, whole words, with the place in it; from the beginning of a sentence, where that fits."""
    if len(text) <= LENGTH:
        return text
    begin = max(0, min(start - (LENGTH - (end - start)) // 3, len(text) - LENGTH))
    sentence = max((found.end() for found in _SENTENCE.finditer(text) if found.end() <= start), default=0)
    whole = sentence + LENGTH >= end
    begin = sentence if whole else begin
    piece = text[begin : begin + LENGTH]
    if begin and not whole and " " in piece[:20]:
        piece = piece.partition(" ")[2]
    if begin + LENGTH < len(text) and " " in piece[-20:]:
        piece = piece.rpartition(" ")[0]
    return f"{'' if whole else '… '}{piece.strip()}{' …' if begin + LENGTH < len(text) else ''}"


def _line_end(body: str, at: int) -> int:
    end = body.find("\n", at)
    return len(body) if end < 0 else end


def plain(text: str) -> str:
    """Markdown as people read it, on one line: links by their text, no bullets, emphasis or fences."""
    lines = [_BULLET.sub("", line).strip("#| \t") for line in text.split("\n") if not _FENCE.match(line)]
    return _without_marks(" ".join(line for line in lines if line))


def _without_marks(text: str) -> str:
    return _EMPHASIS.sub("", _WIKI_LINK.sub(r"\1", _LINK.sub(r"\1", text)))


def _with_signs(text: str, end: int) -> int:
    """A vowel sign belongs to the letter before it, in Devanagari and many others."""
    while end < len(text) and unicodedata.category(text[end]) in ("Mn", "Mc"):
        end += 1
    return end


def _merged(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _heading_above(body: str, at: int) -> str:
    """The last heading before this place; a `#` inside of a code block is none."""
    heading, fenced = "", False
    for line in body[: _line_end(body, at)].split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := _HEADING.match(line)):
            heading = _without_marks(found[2])
    return heading
