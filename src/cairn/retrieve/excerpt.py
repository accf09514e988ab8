"""The passage of a page that a reader wants to see: short, on one line, with the words marked."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent

from cairn.retrieve.match import UnitFinder, text_of
from cairn.retrieve.rank import RankedPage, best_window
from cairn.retrieve.weight import WeighedUnit

LENGTH = 200
"""Characters."""
_FAR = 2_000
"""A line may be as long as it likes; so much of it is looked at, on each side."""

_CODE_LINES = 12
_CODE = 800
"""Lines and characters of a code block that are shown."""

_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_FENCES = re.compile(r"^[ \t]{0,12}(?:```|~~~)", re.MULTILINE)
_OPENS = re.compile(r"^[ \t]{0,12}(```|~~~)")
"""Also in a list, where a block is indented."""
_HEADING = re.compile(r" {0,3}#{1,6}\s")
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
    code: str = ""
    """The code block that the passage introduces, line by line; its beginning, where it is long."""


def excerpt(page: RankedPage, finder: UnitFinder, weighed: Sequence[WeighedUnit]) -> Excerpt:
    """Around the best stretch of the body; of a page that has the words in its title only, its beginning."""
    body = page.body.shown
    start = page.window[0] if page.window[1] else _first_sentence(body)
    first, last = _stretch(body, start, page.window[1])
    text = plain(_without_headings(body[first:last])) or plain(body[first:last])
    place = best_window(finder.spans(text_of(text)), weighed)
    shown = _cut(text, *place)
    marks = _merged([(span.start, _with_signs(shown, span.end)) for span in finder.spans(text_of(shown))])
    line = page.body_line + body.count("\n", 0, start)
    return Excerpt(shown, marks, line, _without_marks(page.passage.section.heading), introduced_code(body, first, last))


def _first_sentence(body: str) -> int:
    """Where the first line stands that is neither empty nor a heading."""
    at = 0
    for line in body.split("\n"):
        if line.strip() and not _HEADING.match(line):
            return at
        at += len(line) + 1
    return 0


def _stretch(body: str, start: int, end: int) -> tuple[int, int]:
    """The lines of this place and more of its paragraph, as long as there is room; of a heading, what follows."""
    first = max(body.rfind("\n", 0, start) + 1, start - _FAR)
    last = min(_line_end(body, max(end, start)), max(end, start) + _FAR)
    while last < len(body) and last - first < LENGTH and body[last + 1 : last + 2].strip():
        last = _line_end(body, last + 1)
    while last - first < 2 * LENGTH and _goes_on(body, first):
        first = body.rfind("\n", 0, first - 1) + 1
    return (first, last) if _without_headings(body[first:last]).strip() else _below(body, first, last)


def _below(body: str, first: int, last: int) -> tuple[int, int]:
    """The first paragraph below a heading; the heading itself where there is none."""
    at = last
    while at < len(body) and at - last < _FAR:
        line = body[at : _line_end(body, at)]
        if line.strip() and not _HEADING.match(line):
            end = body.find("\n\n", at)
            return at, min(end if end >= 0 else len(body), at + _FAR)
        at = _line_end(body, at) + 1
    return first, last


def introduced_code(body: str, first: int, last: int) -> str:
    """The code block that this stretch introduces: the one right below its paragraph. Empty inside of a block."""
    if len(_FENCES.findall(body, 0, first)) % 2 or any(map(_FENCE.match, body[first:last].split("\n"))):
        return ""
    while last < len(body) and body[last + 1 : _line_end(body, last + 1)].strip():
        line = body[last + 1 : _line_end(body, last + 1)]
        if _OPENS.match(line) or _HEADING.match(line) or _BULLET.match(line):
            break
        last = _line_end(body, last + 1)
    below = [line.rstrip("\r") for line in body[last + 1 : last + 1 + _FAR].split("\n")]
    while below and not below[0].strip():
        below.pop(0)
    opens = _OPENS.match(below[0]) if below else None
    return _shortened(_block(below[1:], opens[1])) if opens else ""


def _block(lines: list[str], fence: str) -> str:
    end = next((at for at, line in enumerate(lines) if line.strip().startswith(fence)), len(lines))
    return dedent("\n".join(lines[:end])).strip("\n")


def _shortened(code: str) -> str:
    lines = code.split("\n")
    kept = lines[:_CODE_LINES]
    while kept and sum(map(len, kept)) > _CODE:
        kept.pop()
    return "\n".join(kept if len(kept) == len(lines) else [*kept, "…"]).rstrip() if kept else ""


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
    lines = [_BULLET.sub("", line).strip("#| \t\r") for line in text.split("\n") if not _FENCE.match(line)]
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
