"""Finds where the literals of rules stand in a text, block by block."""

from collections.abc import Iterable, Iterator, Sequence
from typing import AnyStr, NamedTuple

from cairn.lib.scrub.plan import ScrubPlan

BLOCK = 16_384
"""A long text has most literals somewhere, and a block has few: seeking each in all of the text would take longer."""
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
        present = _present(lower[start : start + BLOCK + plan.longest], plan)
        _add_places(lower, present, start, found)
    return [LiteralPlaces(found[literal], plan.orders[literal]) for literal in sorted(found)]


def wide_places(text: str, plan: ScrubPlan) -> list[LiteralPlaces]:
    """Of literals in other scripts."""
    found: dict[str, list[int]] = {}
    for start in range(0, 0 if text.isascii() else len(text), BLOCK):
        letters = frozenset(text[start : start + BLOCK + plan.longest])
        present = [literal for literal, own, _ in plan.wide_literals if own <= letters]
        _add_places(text, present, start, found)
    return [LiteralPlaces(found[literal], plan.wide_orders[literal]) for literal in sorted(found)]


def _present(block: bytes, plan: ScrubPlan) -> Iterator[bytes]:
    """Literals that a block may have: those without a letter, and those whose word it has."""
    for literal, _, _ in plan.by_word.get(b"", ()):
        yield literal
    words = frozenset(block.translate(_AS_LETTERS).split())
    vocabulary = b"\n%s\n" % b"\n".join(words)
    for word in plan.words_in(words):
        for literal, edges, _ in plan.by_word[word]:
            if all(edge in vocabulary for edge in edges):
                yield literal


def _add_places(view: AnyStr, literals: Iterable[AnyStr], start: int, found: dict[AnyStr, list[int]]) -> None:
    """Places that begin in the block, behind those that are known."""
    for literal in literals:
        size = len(literal)
        known = found.get(literal)
        at = view.find(literal, max(start, known[-1] + size) if known else start, start + BLOCK + size - 1)
        while at >= 0:
            found.setdefault(literal, []).append(at)
            at = view.find(literal, at + size, start + BLOCK + size - 1)
