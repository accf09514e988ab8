"""A text as passages: each sentence, list item, table row and line of code, with its place and surroundings."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from cairn.kernel.text.atoms import Atom, atoms, parts

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_NUMBERED = re.compile(r"\s*\d{1,3}[.)]\s+")
_RULE = re.compile(r"[\s|:=*_-]+$")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_PROSE = re.compile(r"\s*[A-Za-z][\w'’(),-]*(?: [\w'’\"(),/-]+){5,}[.,;:]?\s*$")
"""Old documents are one large block of preformatted text, and most of it are sentences."""
_END = re.compile(r"[.!?。！？][)\]\"'”’*_`]*(?:\s+(?=[^a-z\s]|[a-z]+[_\d(.])|$)|[。！？]")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|resp|incl|approx|no|fig|sec|ca|max|min|St|Dr|Inc)|^\s*\d+)\.$", re.I)
_DONE = re.compile(r"[.!?。！？][)\]\"'”’*_`]*\s*$")
_WRAPPED = 40
"""A shorter line was ended on purpose."""
_MARKS = str.maketrans(dict.fromkeys("*`_#>|\\\"'‘’“”\u200b\u00ad\ufeff", " "))
_PAUSES = re.compile(r"[.,;:!?]+(?=\s|$)")
_HEX = re.compile(r"[0-9a-f]{8}[0-9a-f-]{4}")
_NONCE = re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{8}(?:[0-9a-f]{4,}|-[0-9a-f-]{20,})\b")
_LONGEST = 2000
"""Characters of a passage that are taken apart; what is longer is no sentence."""
_NEAR = 1000
"""Characters of a block that say what a sentence in it is about."""


class Block(NamedTuple):
    """A stretch that belongs together."""

    start: int
    end: int
    kind: str
    """`prose`, `item`, `row`, `code`, `heading`."""
    heading: str
    """Under which it stands: the last one and the one above it."""


class Passage:
    """A sentence, an item, a row, a line of code. What is known about it is worked out when somebody asks."""

    def __init__(self, text: str, block: Block, number: int, around: str, place: float) -> None:
        self.text = text
        """As it stands in the source, line breaks and all."""
        self.plain = " ".join(text.split())
        self.kind = block.kind
        self.heading = block.heading
        self.block = number
        self.place = place
        """From 0 (first) to 1 (last)."""
        self.neighbours = ("", "")
        """What stands before and behind it."""
        self._around = around

    @cached_property
    def key(self) -> str:
        """One spelling for what differs in case, quotes, emphasis and numbers that nobody chose."""
        low = self.plain.lower().translate(_MARKS)
        plain = " ".join(_PAUSES.sub(" ", low).split())
        plain = plain.removeprefix("- ").removeprefix("+ ").removeprefix("• ")
        return _NONCE.sub("#", plain) if _HEX.search(plain) else plain

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


def passages(text: str, *, shortest: int = 25) -> list[Passage]:
    """All of them, in order. A shorter sentence (`Default: 60s.`) says something only with the one before it."""
    length = max(len(text), 1)
    found: list[Passage] = []
    for number, block in enumerate(_blocks(text)):
        whole = text[block.start : block.end].strip()
        place = block.start / length
        found += (Passage(piece, block, number, whole, place) for piece in _pieces(whole, block.kind, shortest))
    for before, one, after in zip([None, *found], found, [*found[1:], None], strict=False):
        one.neighbours = (before.plain if before else "", after.plain if after else "")
    return found


# --- blocks ---------------------------------------------------------------------------------------------------------


def _blocks(text: str) -> Iterator[Block]:
    """Headings, items, rows, lines of code, and paragraphs however they are wrapped."""
    above, heading = "", ""
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
            yield Block(start, begin, kind, f"{above} {heading}")
        start, kind, last = begin, wanted, line
        if wanted == "fence":
            fenced, kind = not fenced, ""
        elif wanted == "heading":
            above, heading = _nested(line, above, heading)
        elif wanted == "blank":
            kind = ""
    if kind:
        yield Block(start, position, kind, f"{above} {heading}")


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


def _nested(line: str, above: str, heading: str) -> tuple[str, str]:
    """The heading above and the new one; only two levels are kept, since more say less."""
    found = _HEADING.match(line)
    assert found is not None
    depth, title = len(found[1]), line.strip().strip("#").strip()
    if depth <= 2:
        return (title, "") if depth == 1 else (above, title)
    return (above or heading, title)


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
