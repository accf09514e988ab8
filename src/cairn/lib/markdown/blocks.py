"""The blocks of a Markdown text by their offsets: code, sections, sentences, and what a reader does not see."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
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
