"""Chooses the passages of a changed source that a reader needs.

All that differ are shown where they fit, else those that have most in common with the entry. Beside them stand the
unchanged neighbours, and the unchanged passages that are nearest to the sentences that a change touches.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from cairn.freshness.extractive.change import PassageChanges, compare
from cairn.freshness.extractive.claims import Claim, Weights, bond, weights_of
from cairn.freshness.extractive.passages import Passage, passages

MOST_CHANGED: Final = 16_000
"""Characters of passages that differ."""
MOST_KEPT: Final = 5_000
_NEAR: Final = 0.3
"""From here on a passage may be what a sentence relies on."""
_NEAREST: Final = 3
"""Unchanged passages for each sentence that is touched."""
_LONGEST: Final = 3_000
"""Characters of one passage."""

Mark = Literal["gone", "new", "kept"]


class _Line(NamedTuple):
    section: str
    place: tuple[int, int, int]
    mark: Mark
    text: str


class ShownPassages(NamedTuple):
    sections: list[dict[str, Any]]
    left_out: int


def differing_passages(claims: Sequence[Claim], old: str, new: str) -> ShownPassages:
    """What differs, in the order of the new text."""
    return _Selection(claims, compare(old, new), passages(old)).shown()


def bearing_passages(claims: Sequence[Claim], text: str) -> list[dict[str, Any]]:
    """Of a source that did not change: the passages that are nearest to sentences in question."""
    some = passages(text)
    weights = weights_of(text, len(some))
    near = {one.number: one for claim in claims for one in _nearest(claim, some, weights)}
    lines = [_Line(one.section, (one.number, 0, 0), "kept", _text(one)) for one in near.values()]
    return _sections(_within(lines, MOST_KEPT // 2))


def _nearest(claim: Claim, some: Iterable[Passage], weights: Weights) -> list[Passage]:
    scored = [(bond(claim, one, weights), one) for one in some if one.kind != "heading"]
    best = sorted((pair for pair in scored if pair[0] >= _NEAR), key=lambda pair: -pair[0])
    return [one for _, one in best[:_NEAREST]]


class _Selection:
    def __init__(self, claims: Sequence[Claim], changes: PassageChanges, before: Sequence[Passage]) -> None:
        self._claims, self._changes, self._weights = claims, changes, changes.weights
        self._places = _places(before, changes)

    def shown(self) -> ShownPassages:
        changed = self._changed()
        chosen = _within(changed, MOST_CHANGED)
        kept = _within(self._kept(chosen), MOST_KEPT)
        return ShownPassages(_sections([*chosen, *kept]), len(changed) - len(chosen))

    def _changed(self) -> list[_Line]:
        """The nearest to the entry first; both sides of a pair together."""
        changes = self._changes
        ranked: list[tuple[float, tuple[Passage | None, Passage | None]]] = [
            (max(self._strength(pair.old), self._strength(pair.new)), (pair.old, pair.new)) for pair in changes.became
        ]
        ranked += [(self._strength(one), (one, None)) for one in changes.gone]
        ranked += [(self._strength(one), (None, one)) for one in changes.came]
        lines: dict[tuple[Mark, int], _Line] = {}
        for _, (old, new) in sorted(ranked, key=lambda one: -one[0]):
            if old is not None:
                lines["gone", old.number] = _Line(old.section, self._places[old.number], "gone", _text(old))
            if new is not None:
                lines["new", new.number] = _Line(new.section, (new.number, 1, 0), "new", _text(new))
        return list(lines.values())

    def _strength(self, passage: Passage) -> float:
        return max((bond(claim, passage, self._weights) for claim in self._claims), default=0.0)

    def _kept(self, chosen: Sequence[_Line]) -> list[_Line]:
        """Unchanged passages that may state what a changed one stated, then neighbours of the changed ones."""
        kept = [one for one in self._changes.kept if one.kind != "heading"]
        touched = [
            claim for claim in self._claims if any(bond(claim, one, self._weights) >= _NEAR for one in self._old())
        ]
        near = {one.number: one for claim in touched for one in _nearest(claim, kept, self._weights)}
        numbers = {line.place[0] for line in chosen}
        beside = {one.number: one for one in kept if {one.number - 1, one.number + 1} & numbers}
        return [_Line(one.section, (one.number, 1, 0), "kept", _text(one)) for one in {**near, **beside}.values()]

    def _old(self) -> Iterator[Passage]:
        yield from (pair.old for pair in self._changes.became)
        yield from self._changes.gone


def _places(before: Sequence[Passage], changes: PassageChanges) -> Mapping[int, tuple[int, int, int]]:
    """Where each old passage would stand in the new text: before what it became, or behind what stood before it."""
    became = {pair.old.number: pair.new.number for pair in changes.became}
    kept = {(one.section, one.plain): one.number for one in changes.kept}
    places: dict[int, tuple[int, int, int]] = {}
    last = -1
    for one in before:
        if one.number in became:
            last = became[one.number]
            places[one.number] = (last, 0, one.number)
            continue
        last = kept.get((one.section, one.plain), last)
        places[one.number] = (last, 2, one.number)
    return places


def _within(lines: Sequence[_Line], most: int) -> list[_Line]:
    chosen: list[_Line] = []
    length = 0
    for line in lines:
        length += len(line.text)
        if length > most and chosen:
            break
        chosen.append(line)
    return chosen


def _sections(lines: Iterable[_Line]) -> list[dict[str, Any]]:
    """In the order of the new text, a heading above what belongs below it."""
    sections: list[dict[str, Any]] = []
    for line in sorted(lines, key=lambda one: one.place):
        if not sections or sections[-1]["heading"] != line.section:
            sections.append({"heading": line.section, "passages": []})
        sections[-1]["passages"].append({"mark": line.mark, "text": line.text})
    return sections


def _text(passage: Passage) -> str:
    return passage.plain if len(passage.plain) <= _LONGEST else f"{passage.plain[:_LONGEST]} […]"
