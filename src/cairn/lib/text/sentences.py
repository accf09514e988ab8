"""A document as sentences: what a person would have to read again, with the line on which it stands."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from cairn.lib.markdown.code_mask import Range, code_ranges, fences

_OWN_PARAGRAPH = re.compile(r"\s*(?:#{1,6}\s|\||[-*+]\s|\d+[.)]\s|>)")
_ONE_LINE = re.compile(r"\s*(?:#{1,6}\s|\|)")
_END = re.compile(r"[.!?][)\]\"'”’*_]*\s+(?=[^a-z\s])")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|incl|approx|no|fig|sec|ca)|^\s*\d+)\.$", re.IGNORECASE)
_PROMPT = re.compile(r"^[^\S\n]*+\$ ", re.MULTILINE)
"""Where some lines have it, the others are what was printed."""
_SHELL = frozenset({"sh", "bash", "shell", "console", "zsh", "fish", "shell-session", "terminal", "powershell", "cmd"})


class Sentence(NamedTuple):
    start: int
    """Offset in the body."""
    end: int
    line: int
    """Of the file, from 1, on which it starts."""
    text: str
    """On one line."""
    fence: str | None = None
    """Inside a fenced block: its language, `shell` for all shells, `output` for what a program printed there, empty
    when it names none. Else None."""


def sentences(body: str, first_line: int = 1) -> list[Sentence]:
    """All of them, in order; of a fenced block each line is one."""
    lines = Lines(body, first_line)
    found: list[Sentence] = []
    position = 0
    masked = _masked(body)
    for start, end in [*fences(body), (len(body), len(body))]:
        found += (_sentence(body, lines, *span) for span in _prose(masked, position, start))
        found += _fenced(body, lines, start, end)
        position = end
    return found


class Lines:
    """Which line of the file an offset of the body is on."""

    def __init__(self, body: str, first_line: int) -> None:
        self._starts = [found.end() for found in re.finditer("\n", body)]
        self._first = first_line

    def at(self, offset: int) -> int:
        return self._first + bisect_right(self._starts, offset)


def _sentence(body: str, lines: Lines, start: int, end: int) -> Sentence:
    text = body[start:end]
    start += len(text) - len(text.lstrip())
    return Sentence(start, end, lines.at(start), " ".join(text.split()))


def _masked(body: str) -> str:
    """The body with inline code turned into capital letters: its dots end no sentence, and it may start one."""
    pieces: list[str] = []
    position = 0
    for start, end in code_ranges(body):
        pieces += (body[position:start], re.sub(r"[^\n]", "X", body[start:end]))
        position = end
    return "".join([*pieces, body[position:]])


def _prose(masked: str, start: int, end: int) -> Iterator[Range]:
    """The sentences of a stretch without fences."""
    for begin, finish in _paragraphs(masked, start, end):
        position = begin
        row = masked[begin:finish].lstrip().startswith("|")
        for found in () if row else _END.finditer(masked, begin, finish):
            if not _NOT_AN_END.search(masked, max(begin, found.start() - 8), found.start() + 1):
                yield position, found.end()
                position = found.end()
        if masked[position:finish].strip():
            yield position, finish


def _paragraphs(masked: str, start: int, end: int) -> Iterator[Range]:
    """Stretches of lines that belong together; a heading, an item of a list and a row of a table are their own."""
    begin = position = start
    while position < end:
        after = masked.find("\n", position, end)
        after = end if after < 0 else after + 1
        line = masked[position:after]
        if not line.strip() or _OWN_PARAGRAPH.match(line):
            if masked[begin:position].strip():
                yield begin, position
            begin = position
        if _ONE_LINE.match(line):
            yield position, after
            begin = after
        position = after
    if masked[begin:end].strip():
        yield begin, end


def _fenced(body: str, lines: Lines, start: int, end: int) -> Iterator[Sentence]:
    if start >= end:
        return
    language, position = _language(body, start)
    prompted = language == "shell" and _PROMPT.search(body, position, end) is not None
    typed = not prompted
    while position < end:
        after = body.find("\n", position, end)
        after = end if after < 0 else after
        text = body[position:after].strip()
        typed = typed or text.startswith("$ ")
        if text and not text.startswith(("```", "~~~")):
            kind = language if typed else "output"
            yield Sentence(position, after, lines.at(position), " ".join(text.split()), kind)
        typed = not prompted or (typed and text.endswith("\\"))
        position = after + 1


def _language(body: str, start: int) -> tuple[str, int]:
    """What a fence says it holds, and where its text starts."""
    after = body.find("\n", start)
    if after < 0:
        return "", len(body)
    info = body[start:after].strip().lstrip("`~").strip().strip("{}.").split()
    word = info[0].lower().partition(",")[0] if info else ""
    return "shell" if word in _SHELL else word, after + 1
