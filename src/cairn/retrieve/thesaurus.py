"""Other words for those of a question, from a table of synonyms. They only rank pages; they never say anything."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from cairn.lib.text.stem import stem
from cairn.lib.text.stop_words import LIGHT, STOP

CLOSE: Final = 0.7
"""How much a synonym counts, of what the typed word counts."""
RELATED: Final = 0.4
_LIGHTER: Final = 0.5
"""A word that says little by itself says still less in place of another."""


class Other(NamedTuple):
    """A word or phrase that pages may have in place of the one that was typed."""

    words: tuple[str, ...]
    share: float


class Phrase(NamedTuple):
    """Where words of a question are in the table: several together, such as *get rid of*, or one alone."""

    start: int
    end: int
    others: tuple[Other, ...]


def phrases(words: Sequence[str]) -> list[Phrase]:
    """Of each stretch of a question that the table knows, its other words; longer stretches first where they begin
    together. Words in small letters, in the order in which they were typed, little ones included."""
    stems = [stem(word) for word in words]
    return [found for at in range(len(words)) for found in _at(stems, words[at], at)]


def others(word: str) -> tuple[Other, ...]:
    """Of a single word."""
    return next((found.others for found in phrases([word])), ())


def _at(stems: Sequence[str], word: str, at: int) -> list[Phrase]:
    found: dict[int, dict[tuple[str, ...], float]] = {}
    for group, entry in _groups(word):
        parts = _words(entry)
        if tuple(map(stem, parts)) == tuple(stems[at : at + len(parts)]):
            shares = found.setdefault(len(parts), {})
            for other in _others(group, entry):
                shares[other.words] = max(other.share, shares.get(other.words, 0.0))
    return [
        Phrase(at, at + length, tuple(Other(*one) for one in sorted(shares.items(), key=lambda one: -one[1])))
        for length, shares in sorted(found.items(), reverse=True)
    ]


def _groups(word: str) -> Iterator[tuple[str, str]]:
    """Lines of the table with an entry whose first word may have the same stem. Searched as text: a table of stems
    would take longer to build than a search."""
    table = _table()
    if not re.fullmatch(r"[\w-]+", word):
        return
    for entry in re.finditer(rf"(?<![^\s]){re.escape(word[:3])}[^\s]*", table):
        start, end = table.rfind("\n", 0, entry.start()) + 1, table.find("\n", entry.end())
        yield table[start:end], entry[0]


def _others(group: str, entry: str) -> Iterator[Other]:
    close, _, related = (part.split() for part in group.partition(" ~ "))
    among = entry in close
    for share, entries in ((CLOSE if among else RELATED, close), (RELATED, related if among else ())):
        for one in entries:
            words = _words(one)
            if one == entry or (len(words) == 1 and words[0] in STOP):
                continue
            yield Other(words, share * (_LIGHTER if all(stem(word) in LIGHT for word in words) else 1.0))


def _words(entry: str) -> tuple[str, ...]:
    return tuple(re.split("[_-]", entry))


@cache
def _table() -> str:
    text = (Path(__file__).parent / "words" / "synonyms.txt").read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("#")).join("\n\n")
