"""Finds where the literals of rules stand in a text, block by block."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import AnyStr, NamedTuple

from cairn.lib.scrub.plan import ScrubPlan

BLOCK = 16_384
"""A long text has most literals somewhere, and a block has few: seeking each in all of the text would take longer."""
TOGETHER, CROWDED = 2, 24
"""From how many literals on a shared word is sought instead of them, and how often it may stand in a block then."""
_RARE = b"~$<%+\r]\\5"
_AS_LETTERS = bytes(char if 97 <= char <= 122 or char >= 192 else 32 for char in range(256))


class LiteralPlaces(NamedTuple):
    places: Sequence[int]
    """In order, without overlaps."""
    orders: Sequence[int]
    """Of the rules that have the literal."""


def places(view: AnyStr, wanted: AnyStr) -> Iterator[int]:
    """Where something stands, in order, without overlaps."""
    at = view.find(wanted)
    while at >= 0:
        yield at
        at = view.find(wanted, at + max(1, len(wanted)))


def literal_places(lower: bytes, plan: ScrubPlan) -> list[LiteralPlaces]:
    found: dict[bytes, list[int]] = {}
    for start in range(0, len(lower), BLOCK):
        for word, literals in _present(lower[start : start + BLOCK + plan.longest], plan):
            together = len(literals) >= TOGETHER or len(word) == 1
            if not together or not _add_around(lower, word, literals, start, found):
                _add_places(lower, literals, start, found)
    return [LiteralPlaces(found[literal], plan.orders[literal]) for literal in sorted(found)]


def wide_places(text: str, plan: ScrubPlan) -> list[LiteralPlaces]:
    """Of literals in other scripts."""
    found: dict[str, list[int]] = {}
    for start in range(0, 0 if text.isascii() else len(text), BLOCK):
        letters = frozenset(text[start : start + BLOCK + plan.longest])
        present = [literal for literal, own, _ in plan.wide_literals if own <= letters]
        _add_places(text, present, start, found)
    return [LiteralPlaces(found[literal], plan.wide_orders[literal]) for literal in sorted(found)]


def _present(block: bytes, plan: ScrubPlan) -> Iterator[tuple[bytes, Sequence[bytes]]]:
    """Literals that a block may have, by their word: those without a letter, and those whose word it has."""
    for literal, _, _ in plan.by_word.get(b"", ()):
        yield _sign(literal), [literal]
    words, edges = plan.words_in(frozenset(block.translate(_AS_LETTERS).split()))
    for word in words:
        literals = [literal for literal, own, _ in plan.by_word[word] if own <= edges]
        if literals:
            yield word, literals


def _sign(literal: bytes) -> bytes:
    """One that few texts have: it is found sooner than two or three common ones in a row."""
    return next((literal[at : at + 1] for at in range(len(literal)) if literal[at] in _RARE), literal)


def _add_around(
    lower: bytes, word: bytes, literals: Sequence[bytes], start: int, found: dict[bytes, list[int]]
) -> bool:
    """As `_add_places` for literals that share a word, which is sought once; not when it is everywhere."""
    before = max(literal.find(word) for literal in literals)
    around = list(islice(_within(lower, word, start, start + BLOCK + before + len(word) - 1), CROWDED))
    if len(around) == CROWDED:
        return False
    for literal in literals:
        offset = literal.find(word)
        for at in around:
            place = at - offset
            if start <= place < start + BLOCK and lower.startswith(literal, place):
                known = found.setdefault(literal, [])
                if not known or place >= known[-1] + len(literal):
                    known.append(place)
    return True


def _within(view: bytes, wanted: bytes, start: int, end: int) -> Iterator[int]:
    at = view.find(wanted, start, end)
    while at >= 0:
        yield at
        at = view.find(wanted, at + 1, end)


def _add_places(view: AnyStr, literals: Iterable[AnyStr], start: int, found: dict[AnyStr, list[int]]) -> None:
    """Places that begin in the block, behind those that are known."""
    for literal in literals:
        size = len(literal)
        known = found.get(literal)
        at = view.find(literal, max(start, known[-1] + size) if known else start, start + BLOCK + size - 1)
        while at >= 0:
            found.setdefault(literal, []).append(at)
            at = view.find(literal, at + size, start + BLOCK + size - 1)
