"""Where the code is in a Markdown text, and the same text without it.

Every view has the length of the text, so that an offset means the same in all of them. Time is linear in the length,
whatever the text: a page of backticks must not stop a scan.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

Range = tuple[int, int]

_BACKTICKS = re.compile(r"`+")
_NOT_SPACE = re.compile(r"[^ \t\r\n]+")
_BLANKED = "".join(char if char in "\t\r\n" else " " for char in map(chr, range(128)))


def code_ranges(body: str) -> list[Range]:
    """Where the code is, in order: fenced blocks, and inline code outside of them."""
    if "`" not in body:
        return fences(body) if "~~~" in body else []
    blocks = fences(body) if "```" in body or "~~~" in body else []
    spans = _spans(list(_runs(body, blocks)))
    return _merged(blocks, spans) if blocks and spans else blocks or spans


def without(body: str, ranges: Iterable[Range]) -> str:
    """The body with these ranges blanked out. They come in order, and may overlap: an `export` inside of a tag."""
    pieces: list[str] = []
    position = 0
    for first, last in ranges:
        start, end = max(first, position), max(last, position)
        pieces += (body[position:start], blank(body[start:end]))
        position = end
    if not pieces:
        return body
    pieces.append(body[position:])
    return "".join(pieces)


def blank(text: str) -> str:
    """As many spaces, with tabs and line breaks left as they are."""
    ragged = "\t" in text or "\r" in text
    if not ragged and "\n" not in text:
        return " " * len(text)
    if text.isascii():
        return text.translate(_BLANKED)
    if ragged:
        return _NOT_SPACE.sub(lambda found: " " * len(found[0]), text)
    return "\n".join([" " * len(line) for line in text.split("\n")])


# --- fenced blocks --------------------------------------------------------------------------------------------------


class _FenceLine(NamedTuple):
    """A line that starts with three backticks or more, or with tildes."""

    start: int
    end: int
    fence: str
    rest: str


def fences(body: str) -> list[Range]:
    """The ranges of the fenced blocks, fences and all. One that is not closed goes on to the end."""
    found: list[Range] = []
    opener: _FenceLine | None = None
    for line in sorted([*_fence_lines(body, "`"), *_fence_lines(body, "~")]):
        if opener is None:
            # Backticks after backticks make it inline code that happens to start a line, as CommonMark has it.
            if line.fence[0] == "~" or "`" not in line.rest:
                opener = line
        elif line.fence.startswith(opener.fence) and not line.rest.strip(" \t\r"):
            found.append((opener.start, line.end))
            opener = None
    if opener:
        found.append((opener.start, len(body)))
    return found


def _fence_lines(body: str, char: str) -> Iterator[_FenceLine]:
    position = body.find(char * 3)
    while position >= 0:
        end = body.find("\n", position)
        if end < 0:
            end = len(body)
        start = _line_start(body, position)
        if start is not None:
            rest = body[position:end].lstrip(char)
            yield _FenceLine(start, end, body[position : end - len(rest)], rest)
        # What follows on the same line cannot be at its start.
        position = body.find(char * 3, end)


def _line_start(body: str, position: int) -> int | None:
    """Where the line starts, if only up to three spaces stand before the position."""
    before = body[max(0, position - 4) : position]
    spaces = len(before) - len(before.rstrip(" "))
    start = position - spaces
    return start if spaces < 4 and (start == 0 or body[start - 1] == "\n") else None


# --- inline code ----------------------------------------------------------------------------------------------------


def _runs(body: str, blocks: list[Range]) -> Iterator[Range]:
    """Every run of backticks outside of the blocks."""
    position = 0
    for start, end in [*blocks, (len(body), len(body))]:
        while (position := body.find("`", position, start)) >= 0:
            run = _BACKTICKS.match(body, position)
            after = run.end() if run else position + 1
            yield position, after
            position = after
        position = end


def _spans(runs: list[Range]) -> list[Range]:
    r"""Inline code: from a run of backticks to the next run of the same length.

    The pattern of the contract, `` (`+)([\s\S]*?)\1 ``, lets a run close inside of a longer one, and tries shorter
    openers when a run has no partner, so that one stray run shifts everything after it. CommonMark's rule is what
    people see rendered, agrees with the pattern wherever runs come in pairs, and can be decided in one pass.
    """
    partner = _partners(runs)
    spans: list[Range] = []
    index = 0
    while index < len(runs):
        close = partner[index]
        if close:
            spans.append((runs[index][0], runs[close][1]))
            index = close
        index += 1
    return spans


def _partners(runs: list[Range]) -> list[int]:
    """For each run the index of the next one of its length, or 0."""
    partner = [0] * len(runs)
    seen: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        start, end = runs[index]
        partner[index] = seen.get(end - start, 0)
        seen[end - start] = index
    return partner


def _merged(blocks: list[Range], spans: list[Range]) -> list[Range]:
    """In order, without the blocks that a span reaches over. Two ranges never overlap in part."""
    merged: list[Range] = []
    for found in sorted([*blocks, *spans]):
        if not merged or found[0] >= merged[-1][1]:
            merged.append(found)
    return merged
