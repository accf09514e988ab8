"""Finds a literal that changed in a line of code, and the same change of literals in a line of a document."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from history_definitions import COMMENT, IMPORTED, CodeLine
from history_paths import MANIFEST
from history_stream import Hunk
from history_words import KEBAB, WORD, tokens

LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])-?\d[\w.]*|\b(?:true|false|True|False|null|None|nil)\b")
PLAIN = re.compile(r"[\w.+:/-]{1,60}")
LETTER = re.compile(r"[A-Za-z]")
PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
NAMES = re.compile(r"(?!.*-\d+$)")
"""Not `utf-8`."""
CUT = re.compile(r"[^\w.+:/-]")
COMMON = frozenset(
    "const let var val static final export default public private def return self this int str string bool boolean"
    " float type uint u64 u32 usize i32 i64 long double number pub new None null true false version Some Option".split()
)
ENTRY = re.compile(r"#{1,6} |\.\. \S+::|[`*\"]*[\w.:-]+[`*\"]*:?\s*$")
NEAR = 6


class ValueChange(NamedTuple):
    names: tuple[str, ...]
    before: str
    after: str
    line: CodeLine
    new_text: str


class Swap(NamedTuple):
    """A document line in which one value was replaced."""

    number: int
    before: str
    after: str
    text: str


def value_changes(path: str, hunk: Hunk) -> Iterator[ValueChange]:
    if len(hunk.removed) != len(hunk.added) or len(hunk.removed) > 50:
        return
    for old, new in zip(hunk.removed, hunk.added, strict=True):
        if not_a_setting(path, old):
            continue
        if found := one_literal(old, new):
            before, after = found
            if names := names_in(old, before):
                yield ValueChange(names, before, after, CodeLine(path, old), new)


def not_a_setting(path: str, line: str) -> bool:
    """Comments, imports, and dependencies with their version."""
    return bool(COMMENT.match(line) or IMPORTED.search(line) or (MANIFEST.search(path) and "{" in line))


def one_literal(old: str, new: str) -> tuple[str, str] | None:
    """The only literal that differs between two lines that are equal otherwise."""
    if len(old) > 400 or LITERAL.split(old) != LITERAL.split(new):
        return None
    pairs = zip(LITERAL.findall(old), LITERAL.findall(new), strict=True)
    different = [(bare(one), bare(other)) for one, other in pairs if one != other]
    if len(different) != 1 or not all(PLAIN.fullmatch(side) and not LETTER.fullmatch(side) for side in different[0]):
        return None
    return different[0]


def bare(literal: str) -> str:
    return literal.strip("\"'")


def names_in(line: str, value: str) -> tuple[str, ...]:
    """Identifiers, and strings that could name the value."""
    found = [*WORD.findall(line), *KEBAB.findall(line)]
    return tuple(
        dict.fromkeys(name for name in found if name not in COMMON and name not in value and NAMES.match(name))
    )


def swaps(hunk: Hunk) -> Iterator[Swap]:
    """Pairs of lines of a hunk that differ in one place only."""
    if len(hunk.removed) != len(hunk.added):
        return
    for offset, (old, new) in enumerate(zip(hunk.removed, hunk.added, strict=True)):
        if 0 < len(old) < 1000 and (found := one_place(old, new)):
            yield Swap(hunk.old_start + offset, *found, old)


def one_place(old: str, new: str) -> tuple[str, str] | None:
    """The tokens that differ, widened to the nearest character that no value contains."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    while start and not CUT.match(old[start - 1]):
        start -= 1
    while end and not CUT.match(old[len(old) - end]):
        end -= 1
    before, after = old[start : len(old) - end].rstrip(".:"), new[start : len(new) - end].rstrip(".:")
    return (before, after) if PLAIN.fullmatch(before) and PLAIN.fullmatch(after) else None


def name_beside(names: Iterable[str], lines: Sequence[str], number: int) -> str:
    """The first of the names that the line writes, or the heading, term or key that it stands under."""
    if number > len(lines):
        return ""
    here = squeezed(lines[number - 1])
    as_code = {token.written for token in tokens(lines[number - 1], False)}
    over = [squeezed(line) for line in entry_lines(lines, number)]
    for name in names:
        phrase = " ".join(part for part in (part.lower() for part in PART.findall(name)) if part != "default")
        if name in as_code or (" " in phrase and any(f" {phrase} " in text for text in (here, *over))):
            return name
    return ""


def entry_lines(lines: Sequence[str], number: int) -> list[str]:
    """Lines shortly above that open the reference entry of this line. A row of a table is an entry of its own."""
    line = lines[number - 1]
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith("|"):
        return []
    above = lines[max(0, number - 1 - NEAR) : number - 1]
    return [one for one in above if one.strip() and (len(one) - len(one.lstrip()) < indent or ENTRY.match(one))]


def squeezed(line: str) -> str:
    """The words of a line in lower case, identifiers split into theirs, between single spaces."""
    return f" {' '.join(part.lower() for part in PART.findall(line))} "
