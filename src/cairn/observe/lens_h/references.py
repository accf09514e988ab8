"""Finds references to headings, and to ids of decisions or stories, that no document has."""

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import basename, dirname, normpath, splitext
from typing import NamedTuple
from urllib.parse import unquote

from cairn.kernel.places import is_history
from cairn.kernel.text.headings import may_have_more, page_anchors
from cairn.kernel.text.markdown import markdown_links
from cairn.kernel.text.mask import code_ranges, without
from cairn.kernel.text.outline import outline
from cairn.kernel.text.sentences import Lines
from cairn.kernel.text.slugs import Renderer
from cairn.observe.lens_h.marks import Pages

FEWEST = 3
"""So many of a family of ids must be defined before a missing one is missed."""
MOSTLY = 0.6
"""So much of what is named must be defined: else these ids live somewhere else."""
DENSE = 0.5
"""So much of the numbers up to the highest must be defined: else they are those of a tracker, which is elsewhere."""
_ID = re.compile(r"(?<![\w/-])([A-Z]{2,10})-0*(\d{1,5})(?![\w-]|\.\d)")
_DEFINED = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|\|\s*|[-*+]\s+|\d+[.)]\s+)?(?:\*\*|`|\[)*([A-Z]{2,10})-0*(\d{1,5})(?:\*\*|`|\])*\s*(?:[:|.)–—-]|$)",
    re.MULTILINE,
)
_FILE = re.compile(r"([a-z]{2,10})[-_]0*(\d{1,5})(?:[-_.]|$)", re.IGNORECASE)
_NUMBERED = re.compile(r"0*(\d{1,5})[-_]")
_DECISIONS = re.compile(r"(?:^|/)(?:adrs?|decisions|decision-records)/", re.IGNORECASE)
_REPLACING = re.compile(r"\W*(?:supersede|replace)", re.IGNORECASE)
"""What a page replaces is looked at by itself (`superseded.py`)."""
_EXAMPLE = re.compile(r"\b(?:e\.g\.|example|like|such as|template|format|placeholder)\b", re.IGNORECASE)
"""Lines that show how an id looks. A hit only hides a line."""


class LostHeading(NamedTuple):
    path: str
    line: int
    target: str
    """The page, which is there."""
    heading: str
    nearest: str | None


class LostId(NamedTuple):
    path: str
    line: int
    id: str
    text: str
    known: int
    """How many of its family are defined."""


def lost_headings(pages: Pages) -> Iterator[LostHeading]:
    known: dict[str, frozenset[str]] = {}
    for path, document in pages.documents.items():
        if is_history(path):
            continue
        lines = Lines(document.text, 1)
        for link in markdown_links(document.text):
            written, _, heading = link.target.partition("#")
            target = _target(path, written)
            if not heading or link.wiki or ":" in link.target or target not in pages.documents:
                continue
            text = pages.documents[target].text
            if target not in known:
                page = outline(target, text)
                known[target] = frozenset() if may_have_more(text) else page_anchors(page, text, Renderer)
            wanted = unquote(heading).lower()
            if known[target] and wanted not in known[target] and not _OTHER.match(wanted):
                yield LostHeading(path, lines.at(link.start), target, wanted, _nearest(wanted, known[target]))


_OTHER = re.compile(r"l\d+(?:-l?\d+)?$|:~:|user-content-|fn")
"""Anchors that are no headings: lines, marked text, footnotes."""


def _target(source: str, written: str) -> str:
    if not written:
        return source
    return normpath(f"{dirname(source)}/{unquote(written)}" if dirname(source) else unquote(written))


def _nearest(wanted: str, known: frozenset[str]) -> str | None:
    from difflib import get_close_matches

    once = sorted(name for name in known if not _COUNTED.search(name))
    return next(iter(get_close_matches(wanted, once, 1, cutoff=0.75)), None)


_COUNTED = re.compile(r"[-_]\d$")
"""The second heading of a name, which there need not be."""


# --- ids --------------------------------------------------------------------------------------------------------------


def lost_ids(pages: Pages) -> Iterator[LostId]:
    """Ids that are named but defined nowhere, of families that are defined here."""
    named = list(_named(pages))
    for family, numbers in sorted(numbered_here(pages).items()):
        mentioned = {number for other, number, *_ in named if other == family}
        if len(mentioned & numbers) < MOSTLY * len(mentioned):
            continue
        seen: set[tuple[str, int]] = set()
        for other, number, path, line, text in named:
            if other == family and number not in numbers and (path, number) not in seen:
                seen.add((path, number))
                yield LostId(path, line, f"{family}-{number}", text, len(numbers))


def numbered_here(pages: Pages) -> dict[str, set[int]]:
    """Families of ids whose numbers these documents give out."""
    found = _definitions(pages).items()
    return {name: numbers for name, numbers in found if len(numbers) >= max(FEWEST, DENSE * max(numbers))}


def _definitions(pages: Pages) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for path, document in pages.documents.items():
        stem = splitext(basename(path))[0]
        if name := _FILE.match(stem):
            found[name[1].upper()].add(int(name[2]))
        elif (number := _NUMBERED.match(stem)) and _DECISIONS.search(path):
            found["ADR"].add(int(number[1]))
        for family, digits in _DEFINED.findall(document.text):
            found[family].add(int(digits))
    return found


def _named(pages: Pages) -> Iterator[tuple[str, int, str, int, str]]:
    for path, document in pages.documents.items():
        if is_history(path) and not _DECISIONS.search(path):
            continue
        prose = without(document.text, code_ranges(document.text))
        lines = prose.split("\n")
        for number, line in enumerate(lines, 1):
            if not _EXAMPLE.search(line) and not _REPLACING.match(line):
                for found in _ID.finditer(line):
                    yield found[1], int(found[2]), path, number, line.strip()
