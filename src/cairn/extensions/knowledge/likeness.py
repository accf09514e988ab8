"""How alike two texts are, from a few numbers that are kept of each.

Every run of four words is hashed (long enough that prose on one topic does not share them by chance), and the smallest
hashes are kept: a bottom-k sketch. Two texts share as many of their smallest hashes as they share runs of words, so
that the sketches tell the share without the texts, and texts that have no hash in common need not be compared at all.
"""

from collections.abc import Iterable, Iterator, Mapping
from zlib import crc32

KEPT = 64
_LOOKED_UP = 24
"""So many of the smallest hashes lead from one text to others. Of two texts that share three tenths, fewer than two of
these are in common once in five hundred times, and looking at all takes three times as long."""
LONGEST = 8_000
"""Words of a text that are looked at."""
FEWEST = 40
"""Runs that a text must have to be compared: stubs are alike without saying the same."""
_COMMON = 40
"""A hash that so many texts share is of a phrase that they are all built from, and leads to nobody."""


def likeness(text: str) -> str:
    """The sketch of a text, in hexadecimal digits; empty for one that is too short."""
    words = text.lower().split(None, LONGEST)[:LONGEST]
    runs = zip(words, words[1:], words[2:], words[3:], strict=False)
    hashes = {crc32(f"{a} {b} {c} {d}".encode("utf-8", "replace")) for a, b, c, d in runs}
    if len(hashes) < FEWEST:
        return ""
    return "".join(f"{number:08x}" for number in sorted(hashes)[:KEPT])


def share(one: str, other: str) -> float:
    """How much of what two texts say together both say, from 0 to 1."""
    mine, theirs = _hashes(one), _hashes(other)
    together = sorted({*mine, *theirs})[: max(len(mine), len(theirs))]
    return len(set(together).intersection(mine).intersection(theirs)) / len(together)


def alike(sketches: Mapping[str, str], least: float) -> Iterator[tuple[list[str], float]]:
    """(paths, share) of the texts that share so much: those that are one text together, others in pairs, each once.
    Linear in the number of texts."""
    same: dict[str, list[str]] = {}
    for path in sorted(sketches):
        same.setdefault(sketches[path], []).append(path)
    yield from ((paths, 1.0) for paths in same.values() if len(paths) > 1)
    first = {paths[0]: sketch for sketch, paths in same.items()}
    for one, other in sorted(_candidates(first, least)):
        found = share(first[one], first[other])
        if found >= least:
            yield [one, other], found


def _candidates(sketches: Mapping[str, str], least: float) -> Iterable[tuple[str, str]]:
    """Pairs with enough of their smallest hashes in common to be worth a look."""
    having: dict[str, list[str]] = {}
    for path, sketch in sketches.items():
        for number in _hashes(sketch[: 8 * _LOOKED_UP]):
            having.setdefault(number, []).append(path)
    counts: dict[tuple[str, str], int] = {}
    for paths in having.values():
        if 1 < len(paths) <= _COMMON:
            for at, one in enumerate(paths):
                for other in paths[at + 1 :]:
                    pair = (one, other) if one < other else (other, one)
                    counts[pair] = counts.get(pair, 0) + 1
    return [pair for pair, number in counts.items() if number >= max(2, _LOOKED_UP * least / 4)]


def _hashes(sketch: str) -> list[str]:
    return [sketch[at : at + 8] for at in range(0, len(sketch), 8)]
