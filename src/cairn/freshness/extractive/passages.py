"""A text as passages: each sentence, list item, table row and line of code, with its place and surroundings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cairn.freshness.extractive.atoms import Atom, atoms

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)[#\s]*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_ROW = re.compile(r"\s*\||.*\S\s+\|\s+\S|.*\t.*\S")
_RULE = re.compile(r"[\s|:=*_-]+$")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_SETEXT = re.compile(r"(?:=|-){3,}\s*$")
_END = re.compile(r"[.!?。！？][)\]\"'”’*_`]*(?:\s+(?=[^a-z\s])|$)|[。！？]")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|resp|incl|approx|no|fig|sec|ca|max|min|St|Dr|Inc)|^\s*\d+)\.$", re.I)
_DONE = re.compile(r"[.!?:;。！？][)\]\"'”’*_`]*\s*$")
_WRAPPED = 40
"""A shorter line was ended on purpose."""
_NO_KEY = re.compile(r"[*`_#>|\\\"'‘’“”]+|[\u200b\u00ad\ufeff]|[.,;:!?]+(?=\s|$)")
_NONCE = re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f]{8}(?:[0-9a-f]{4,}|-[0-9a-f-]{20,})\b")


class Block(NamedTuple):
    """A stretch that belongs together."""

    start: int
    end: int
    kind: str
    """`prose`, `item`, `row`, `code`, `heading`."""
    heading: str
    """Under which it stands: the last one and the one above it."""


@dataclass(slots=True, eq=False)
class Passage:
    text: str
    """As it stands in the source, line breaks and all."""
    key: str
    """What compares equal however it is wrapped, marked up or punctuated."""
    kind: str
    heading: str
    around: str
    """The whole block, which says what `the default` is a default of."""
    place: float
    """From 0 (first) to 1 (last)."""
    block: int
    atoms: list[Atom] = field(default_factory=list)
    """Filled in when somebody needs them: most passages never change."""
    keys: frozenset[str] = frozenset()
    context: frozenset[str] = frozenset()

    def looked_at(self) -> "Passage":
        if not self.atoms:
            self.atoms = atoms(self.text)
            self.keys = frozenset(atom.key for atom in self.atoms if atom.counts)
            near = self.heading if self.around is self.text else f"{self.heading} {self.around[:1000]}"
            self.context = frozenset(atom.key for atom in atoms(near) if atom.counts) - self.keys
        return self


def passages(text: str) -> list[Passage]:
    """All of them, in order."""
    found: list[Passage] = []
    length = max(len(text), 1)
    for number, block in enumerate(_blocks(text)):
        whole = text[block.start : block.end].strip()
        for piece in _pieces(whole, block.kind):
            if key := key_of(piece):
                place = block.start / length
                found.append(Passage(piece, key, block.kind, block.heading, whole, place, number))
    return found


def key_of(text: str) -> str:
    """One spelling for what differs in case, wrapping, quotes, emphasis and numbers that nobody chose."""
    plain = " ".join(_NO_KEY.sub(" ", text.lower()).split())
    plain = plain.removeprefix("- ").removeprefix("+ ").removeprefix("• ")
    return _NONCE.sub("#", plain) if len(plain) > 11 else plain


# --- blocks ---------------------------------------------------------------------------------------------------------


def _blocks(text: str) -> Iterator[Block]:
    """Headings, items, rows, lines of code, and paragraphs however they are wrapped."""
    above, heading = "", ""
    fenced = False
    start = position = 0
    kind = ""
    for line in text.splitlines(keepends=True):
        begin, position = position, position + len(line)
        wanted = _kind_of(line, fenced)
        if wanted == "prose" and kind in ("prose", "item") and _continues(text[start:begin], line):
            continue
        if kind and start < begin:
            yield Block(start, begin, kind, f"{above} {heading}")
        start, kind = begin, wanted
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
    if fenced:
        return "code" if line.strip() else "blank"
    if not line.strip() or _RULE.match(line):
        return "blank"
    if line.lstrip().startswith("#") and _HEADING.match(line):
        return "heading"
    if _ITEM.match(line):
        return "item"
    if ("|" in line or "\t" in line) and _ROW.match(line):
        return "row"
    return "code" if line.startswith(("    ", "\t")) and _code_like(line) else "prose"


def _code_like(line: str) -> bool:
    return any(sign in line for sign in "{}()=;$<>/\\")


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on with what the one before it began."""
    last = before.rstrip("\n").rpartition("\n")[2]
    if not last.strip():
        return False
    if line[:1].isspace() and line.strip():
        return True
    return not _DONE.search(last) and (len(last) >= _WRAPPED or line[:1].islower())


def _nested(line: str, above: str, heading: str) -> tuple[str, str]:
    """The heading above and the new one; only two levels are kept, since more say less."""
    found = _HEADING.match(line)
    assert found is not None
    depth, title = len(found[1]), found[2]
    if depth <= 2:
        return (title, "") if depth == 1 else (above, title)
    return (above or heading, title)


def _pieces(whole: str, kind: str) -> Iterator[str]:
    """The sentences of a block; rows, headings and lines of code are one each."""
    if kind not in ("prose", "item") or len(whole) < 60:
        yield whole
        return
    position = 0
    for found in _END.finditer(whole):
        if not _NOT_AN_END.search(whole, max(0, found.start() - 8), found.start() + 1):
            yield whole[position : found.end()].strip()
            position = found.end()
    if rest := whole[position:].strip():
        yield rest
