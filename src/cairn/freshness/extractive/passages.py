"""A text as passages: each sentence, item, row and line of code with its place; and a search that splits only hits."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.lib.text.atoms import Atom, atoms, parts, spellings
from cairn.lib.text.quotes import TYPOGRAPHY

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_NUMBERED = re.compile(r"(?:(?<!\s)\s++)?\d{1,3}[.)]\s+")
_RULE = re.compile(r"[\s|:=*_-]+$")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_PROSE = re.compile(r"\s*[A-Za-z][\w'’(),-]*(?: [\w'’\"(),/-]+){5,}[.,;:]?\s*$")
"""Old documents are one large block of preformatted text, and most of it are sentences."""
_END = re.compile(r"[.!?。！？][)\]\"'”’*_`]*(?:\s+(?=[^a-z\s]|[a-z]+[_\d(.])|$)|[。！？]")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|resp|incl|approx|no|fig|sec|ca|max|min|St|Dr|Inc)|^\s*\d+)\.$", re.I)
_DONE = re.compile(r"[.!?。！？][)\]\"'”’*_`]*\s*$")
_WRAPPED = 40
"""A shorter line was ended on purpose."""
_BLOCK_MARK = re.compile(r"(?:[-*+•>] |#{1,6} )+")
_CODE_SPAN = re.compile(r"`([^`]*)`")
_EMPHASIS = re.compile(r"(?<![^\s(\[{\"'“‘])(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?!\w)")
_MASK = "\ue000"
"""Stands for a code span while emphasis is removed around it."""
_LONGEST = 2000
"""Characters of a passage that are taken apart; what is longer is no sentence."""
_NEAR = 1000
"""Characters of a block that say what a sentence in it is about."""


class PassageBlock(NamedTuple):
    """A stretch that belongs together."""

    start: int
    end: int
    kind: str
    """`prose`, `item`, `row`, `code`, `heading`."""
    heading: str
    """Under which it stands: the last one and the one above it."""
    section: str
    """The same without the title of the page, which names no part of it."""
    section_start: int
    """Of the line of its first heading."""


class Passage:
    """A sentence, an item, a row, a line of code. What is known about it is worked out when somebody asks."""

    def __init__(self, text: str, block: PassageBlock, number: int, around: str, page: str) -> None:
        self.text = text
        """As it stands in the source, line breaks and all."""
        self.plain = " ".join(text.split())
        self.kind = block.kind
        self.heading = block.heading
        self.section = block.section
        self.block = number
        self.place = block.start / max(len(page), 1)
        """From 0 (first) to 1 (last)."""
        self.number = 0
        """Among the passages of its text."""
        self.neighbours = ("", "")
        """What stands before and behind it."""
        self._around = around
        self._page, self._span = page, slice(block.section_start, block.end)

    @property
    def with_heading(self) -> str:
        """Everything from the heading of its section to the end of its block, as it stands in the source."""
        return self._page[self._span].strip()

    @cached_property
    def wording(self) -> str:
        """Everything but white space, emphasis, shapes of quotes, and the marks of lists, headings and tables. Two
        passages with another wording differ."""
        return self.plain if self.kind == "code" else wording(self.plain, self.kind)

    @cached_property
    def atoms(self) -> list[Atom]:
        return atoms(_NUMBERED.sub("", self.text[:_LONGEST], count=1) if self.kind == "item" else self.text[:_LONGEST])

    @cached_property
    def keys(self) -> frozenset[str]:
        """Of everything in it that is about something."""
        return frozenset(atom.key for atom in self.atoms if atom.counts)

    @cached_property
    def context(self) -> frozenset[str]:
        """Of its heading and the whole block, which say what `the default` is a default of."""
        near = self.heading if self._around == self.text else f"{self.heading} {self._around[:_NEAR]}"
        return (frozenset(atom.key for atom in atoms(near) if atom.counts) | parts(self.atoms)) - self.keys


def wording(plain: str, kind: str = "prose") -> str:
    """A line without its marks. What stands in code spans stays as it is."""
    text = _BLOCK_MARK.sub("", plain, count=1) if _BLOCK_MARK.match(plain) else plain
    text = text.strip("| ") if kind == "row" else text
    if "`" not in text and "*" not in text:
        return text.translate(TYPOGRAPHY)
    spans = _CODE_SPAN.findall(text)
    prose = _CODE_SPAN.sub(_MASK, text).translate(TYPOGRAPHY)
    around = _EMPHASIS.sub(r"\2", prose).split(_MASK)
    if len(around) != len(spans) + 1:
        return text
    return "".join(piece for pair in zip(around, [*spans, ""], strict=True) for piece in pair)


def passages(text: str, *, shortest: int = 25) -> list[Passage]:
    """All of them, in order. A shorter sentence (`Default: 60s.`) says something only with the one before it."""
    found: list[Passage] = []
    for number, block in enumerate(_blocks(text)):
        whole = text[block.start : block.end].strip()
        found += (Passage(piece, block, number, whole, text) for piece in _pieces(whole, block.kind, shortest))
    for number, (before, one, after) in enumerate(zip([None, *found], found, [*found[1:], None], strict=False)):
        one.number = number
        one.neighbours = (before.plain if before else "", after.plain if after else "")
    return found


# --- blocks ---------------------------------------------------------------------------------------------------------


class _Heading(NamedTuple):
    depth: int
    title: str
    start: int


def _blocks(text: str) -> Iterator[PassageBlock]:
    """Headings, items, rows, lines of code, and paragraphs however they are wrapped."""
    above: tuple[_Heading, ...] = ()
    fenced = False
    start = position = 0
    kind = last = ""
    for line in text.splitlines(keepends=True):
        begin, position = position, position + len(line)
        wanted = _kind_of(line, fenced)
        goes_on = wanted == "prose" or (wanted == "item" and line.lstrip()[0].isdigit())
        if goes_on and kind in ("prose", "item") and _continues(last, line, kind):
            last = line
            continue
        if kind and start < begin:
            yield _block(start, begin, kind, above)
        start, kind, last = begin, wanted, line
        if wanted == "fence":
            fenced, kind = not fenced, ""
        elif wanted == "heading":
            above = _nested(line, begin, above)
        elif wanted == "blank":
            kind = ""
    if kind:
        yield _block(start, position, kind, above)


def _block(start: int, end: int, kind: str, above: tuple[_Heading, ...]) -> PassageBlock:
    """Two headings say what a block is about; more say less."""
    near = above[-2:]
    section = near[1:] if len(near) == 2 and near[0].depth == 1 else near
    titles, heading = (" ".join(one.title for one in some) for some in (section, near))
    return PassageBlock(start, end, kind, heading, titles, section[0].start if section else start)


def _kind_of(line: str, fenced: bool) -> str:
    if _FENCE.match(line):
        return "fence"
    if fenced and not _PROSE.match(line):
        return "code" if line.strip() else "blank"
    if not line.strip() or _RULE.match(line):
        return "blank"
    if line.lstrip().startswith("#") and _HEADING.match(line):
        return "heading"
    if _ITEM.match(line):
        return "item"
    if " | " in line or line.lstrip().startswith("|") or "\t" in line.strip():
        return "row"
    return "code" if line.startswith(("    ", "\t")) and _code_like(line) else "prose"


def _code_like(line: str) -> bool:
    return any(sign in line for sign in "{}()=;$<>/\\")


def _continues(last: str, line: str, kind: str) -> bool:
    """Whether a line goes on with what the one before it began. An item goes on indented or in small letters."""
    if not last.strip() or _DONE.search(last):
        return False
    if line.lstrip()[:1].islower() or (kind == "item" and line[:1].isspace()):
        return True
    return kind == "prose" and len(last) >= _WRAPPED


def _nested(line: str, start: int, above: tuple[_Heading, ...]) -> tuple[_Heading, ...]:
    """The new heading, and those that it is below."""
    found = _HEADING.match(line)
    assert found is not None
    depth, title = len(found[1]), " ".join(line.strip().strip("#").split())
    return (*(one for one in above if one.depth < depth), _Heading(depth, wording(title), start))


def _pieces(whole: str, kind: str, shortest: int) -> Iterator[str]:
    """The sentences of a block; rows, headings and lines of code are one each."""
    if kind not in ("prose", "item") or len(whole) < 2 * shortest:
        yield whole
        return
    begin = last = 0
    for found in _END.finditer(whole):
        if _NOT_AN_END.search(whole, max(0, found.start() - 8), found.start() + 1):
            continue
        if last and found.end() - last >= shortest:
            yield whole[begin:last].strip()
            begin = last
        last = found.end()
    if last and len(whole) - last >= shortest:
        yield whole[begin:last].strip()
        begin = last
    if rest := whole[begin:].strip():
        yield rest


_COUNTS = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred)\b")


class PassageFinder:
    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._known: dict[str, list[Passage]] = {}

    def with_key(self, key: str) -> list[Passage]:
        """Those that hold an atom with this key, in whatever spelling."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = [one for one in self._candidates(key) if key in one.keys]
        return found

    def _candidates(self, key: str) -> list[Passage]:
        if key[:1].isdigit():
            return self._counting
        wanted = spellings(key)
        return [one for one, low in self._texts if any(word in low for word in wanted)]

    @cached_property
    def _texts(self) -> list[tuple[Passage, str]]:
        return [(one, one.plain.lower()) for one in self._passages]

    @cached_property
    def _counting(self) -> list[Passage]:
        return [one for one, low in self._texts if _COUNTS.search(low)]
