"""Ranks pairs of passages that are worth comparing: they share rare words, and best of all state different values.

It asserts nothing: whether two passages disagree is a question for a reader.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from cairn.lib.document.document import outline
from cairn.lib.markdown.blocks import fences
from cairn.lib.markdown.frontmatter import split
from cairn.lib.text.atoms import VALUES, Atom, atoms
from cairn.observe.lens import LensDocument

_LONGEST: Final = 800
"""Characters of a passage."""
_SHORTEST: Final = 3
"""Telling words of a passage that can be compared."""
_RARE: Final = 12
"""Passages that may have a word that still leads to pairs."""
_SHARED: Final = 2
_OF_VALUE, _OF_NAME = 3.0, 1.5
"""What a pair weighs more for values, or names, that differ."""
_COPIED: Final = 0.8
"""From here on two passages are one statement, unless a value differs."""
_ALIKE: Final = 0.15
"""Share of the telling words of the shorter passage that both have."""
_OF_EACH: Final = 3
"""Pairs that one passage is in."""
_ITEM: Final = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s|\|)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s")
_ADDRESS: Final = re.compile(r"(?<=\])\([^()\s]*\)|\bhttps?://\S+")
_NOT_PROSE: Final = re.compile(r"\.\. |\s{4}|:\w[\w -]*:(?:\s|$)")
"""Directives and their options, and blocks of code."""
_SPAN: Final = re.compile(r"`([^`\n]{1,80})`")
_RULE: Final = re.compile(r"[\s|:=*_-]*$")


class ComparedPassage(NamedTuple):
    """A paragraph, an item of a list or a row of a table."""

    path: str
    line: int
    headings: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class PassagePair(NamedTuple):
    a: ComparedPassage
    b: ComparedPassage
    strength: float
    cause: frozenset[str]
    """The same for pairs that clash, if they do, in the same thing."""


def candidate_pairs(documents: Iterable[LensDocument]) -> list[PassagePair]:
    """The strongest first; one for each cause, and a few for each passage."""
    known = [_Read(one) for document in documents for one in passages_of(document)]
    some = [one for one in known if len(one.telling) >= _SHORTEST]
    often = Counter(key for one in some for key in one.telling)
    found = sorted(_pairs(some, often), key=lambda pair: (-pair.strength, pair.a, pair.b))
    return list(_chosen(found))


def _chosen(pairs: Iterable[PassagePair]) -> Iterator[PassagePair]:
    causes: set[frozenset[str]] = set()
    used: Counter[ComparedPassage] = Counter()
    for pair in pairs:
        if pair.cause not in causes and used[pair.a] < _OF_EACH and used[pair.b] < _OF_EACH:
            causes.add(pair.cause)
            used.update((pair.a, pair.b))
            yield pair


class _Read:
    """A passage with what it says."""

    def __init__(self, passage: ComparedPassage) -> None:
        self.passage = passage

    @cached_property
    def plain(self) -> str:
        return " ".join(re.findall(r"\w+", _ADDRESS.sub(" ", self.passage.text).casefold()))

    @cached_property
    def _atoms(self) -> list[Atom]:
        heading = self.passage.headings[-1] if self.passage.headings else ""
        return atoms(_ADDRESS.sub(" ", f"{heading}. {self.passage.text}"))

    @cached_property
    def telling(self) -> frozenset[str]:
        return frozenset(one.key for one in self._atoms if one.counts and one.kind not in VALUES)

    @cached_property
    def values(self) -> dict[str, set[str]]:
        """By unit."""
        found: dict[str, set[str]] = defaultdict(set)
        for one in self._atoms:
            if one.kind in VALUES:
                found[f"{one.kind} {one.key.partition(' ')[2]}"].add(one.key)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        spans = (span.casefold() for span in _SPAN.findall(self.passage.text))
        return frozenset((*spans, *(one.key for one in self._atoms if one.kind == "name")))


def _pairs(some: Sequence[_Read], often: Counter[str]) -> Iterator[PassagePair]:
    """Of passages in different documents that share rare words."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(some):
        for key in one.telling:
            if 1 < often[key] <= _RARE:
                holders[key].append(number)
    near = {
        (first, second)
        for numbers in holders.values()
        for at, first in enumerate(numbers)
        for second in numbers[at + 1 :]
        if some[first].passage.path != some[second].passage.path
    }
    for first, second in near:
        if pair := _pair(some[first], some[second], often, len(some)):
            yield pair


def _pair(one: _Read, other: _Read, often: Counter[str], total: int) -> PassagePair | None:
    """None where both say the same, or are about too little in common."""
    if one.plain == other.plain:
        return None
    keys = one.telling & other.telling
    alike = len(keys) / min(len(one.telling), len(other.telling))
    if len(keys) < _SHARED or alike < _ALIKE:
        return None
    clash = _clash(one, other)
    is_value = bool(clash - one.names - other.names)
    weight = _weight(keys, often, total) / _weight(one.telling | other.telling, often, total)
    if weight > _COPIED and not is_value:
        return None
    first, second = sorted((one.passage, other.passage))
    rarest = sorted(keys, key=lambda key: (often[key], key))[:2]
    factor = _OF_VALUE if is_value else _OF_NAME if clash else 1.0
    return PassagePair(first, second, weight * factor, frozenset((*clash, *rarest)))


def _clash(one: _Read, other: _Read) -> frozenset[str]:
    """Values of one unit that each has and the other has not; else names in the same way."""
    found = {
        key
        for unit in one.values.keys() & other.values.keys()
        if one.values[unit] - other.values[unit] and other.values[unit] - one.values[unit]
        for key in one.values[unit] ^ other.values[unit]
    }
    if found:
        return frozenset(found)
    mine, theirs = one.names - other.names, other.names - one.names
    return mine | theirs if mine and theirs else frozenset()


def _weight(keys: Iterable[str], often: Counter[str], total: int) -> float:
    """Rare words count most."""
    return sum(math.log(1 + total / often[key]) for key in keys)


# --- passages ---------------------------------------------------------------------------------------------------------


def passages_of(document: LensDocument) -> Iterator[ComparedPassage]:
    """Prose of a document; code shows, and states nothing."""
    parsed = split(document.text)
    text = _without_fences(parsed.body)
    headings = [(one.line, one.level, one.text) for one in outline(document.path, document.text).headings]
    above: dict[int, str] = {}
    for line, block in _blocks(text, parsed.body_line):
        while headings and headings[0][0] <= line:
            _, level, title = headings.pop(0)
            above = {one: name for one, name in above.items() if one < level} | {level: title}
        if not _NOT_PROSE.match(block):
            yield ComparedPassage(document.path, line, tuple(above.values()), block[:_LONGEST])


def _without_fences(body: str) -> str:
    pieces, position = [], 0
    for start, end in fences(body):
        pieces += [body[position:start], "\n" * body.count("\n", start, end)]
        position = end
    return "".join([*pieces, body[position:]])


def _blocks(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    lines: list[str] = []
    start = first_line
    for number, line in enumerate(text.split("\n"), first_line):
        if lines and (not line.strip() or _ITEM.match(line) or _HEADING.match(line)):
            yield start, "\n".join(lines)
            lines = []
        if not line.strip() or _HEADING.match(line) or (not lines and _RULE.match(line)):
            continue
        start = start if lines else number
        lines.append(line)
    if lines:
        yield start, "\n".join(lines)
