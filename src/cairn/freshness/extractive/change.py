"""Old and new text of a source, passage by passage: what is the same, what became what, what came and what went."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from cairn.freshness.extractive.claims import Weights, weights_of
from cairn.freshness.extractive.passages import Passage, passages, wording
from cairn.lib.text.atoms import VALUES

_ALIKE = 0.34
"""Share of common weight from which one passage became another."""
_CONTAINED = 0.6
_VALUE = 0.1
"""A number counts little when passages are paired: it is what changes."""
_MOST = 2000
"""Changed passages that are paired; a page with more of them is another page."""
_MOST_PAIRS = 400
"""A word that stands in more passages than this tells none of them apart."""


class ChangedPassage(NamedTuple):
    old: Passage
    new: Passage
    alike: float


class PassageChanges(NamedTuple):
    kept: tuple[Passage, ...]
    """Of the new text: those that stood in the old one, wherever."""
    became: tuple[ChangedPassage, ...]
    gone: tuple[Passage, ...]
    came: tuple[Passage, ...]
    weights: Weights
    share_kept: float
    """Of the old text's passages, by length."""


def compare(old: str, new: str) -> PassageChanges:
    before, after = passages(old), passages(new)
    lost, fresh = _unmatched(before, after)
    missing = {id(passage) for passage in fresh}
    kept = tuple(passage for passage in after if id(passage) not in missing)
    weights = weights_of(old, len(before))
    became = _paired(lost[:_MOST], fresh[:_MOST], weights)
    moved_on = {id(pair.old) for pair in became}
    arrived = {id(pair.new) for pair in became}
    return PassageChanges(
        kept,
        became,
        tuple(passage for passage in lost if id(passage) not in moved_on),
        tuple(passage for passage in fresh if id(passage) not in arrived),
        weights,
        1 - _length(lost) / max(_length(before), 1),
    )


def _unmatched(before: Sequence[Passage], after: Sequence[Passage]) -> tuple[list[Passage], list[Passage]]:
    """Those without a counterpart in the same section. Most have one letter for letter, which is cheap to see."""
    old, new = {(one.section, one.plain) for one in before}, {(one.section, one.plain) for one in after}
    lost = [one for one in before if (one.section, one.plain) not in new]
    fresh = [one for one in after if (one.section, one.plain) not in old]
    return _absent(lost, after), _absent(fresh, before)


_ENDED = re.compile(r"[.!?。！？][)\]\"']*$")
_SENTENCE = 20
"""Characters; what is shorter may stand in a longer sentence by accident."""


def _absent(some: Sequence[Passage], others: Sequence[Passage]) -> list[Passage]:
    """Those whose wording does not stand in their section of the other text, however it is cut into blocks."""
    if not some or len(some) > _MOST:
        return list(some)
    wanted = {one.section for one in some}
    there: defaultdict[str, list[str]] = defaultdict(list)
    for other in others:
        if other.section in wanted:
            there[other.section].append(other.wording)
    sets = {section: frozenset(lines) for section, lines in there.items()}
    left = [one for one in some if one.wording not in sets.get(one.section, ())]
    return [one for one in left if not _stands(one, there[one.section])]


def _stands(passage: Passage, lines: Sequence[str]) -> bool:
    """Whether a wording stands in other lines as well, and only the cut between the passages differs: before and behind
    it a sentence ends, or stands what stood there."""
    text, own = "\n".join(lines), passage.wording
    place = text.replace("\n", " ").find(own) if len(own) >= _SENTENCE else -1
    if place < 0:
        return False
    before, after = text[:place], text[place + len(own) :]
    last, following = (wording(one) for one in passage.neighbours)
    begins = before[-1:] in ("", "\n") or _ENDED.search(before.rstrip()[-4:]) or _same_end(before, last)
    ends = (
        after[:1] in ("", "\n") or (after[0] == " " and _ENDED.search(own)) or _same_end(after[::-1], following[::-1])
    )
    return bool(begins and ends)


def _same_end(text: str, other: str) -> bool:
    """Whether two texts end in the same characters, as far as the shorter one goes."""
    one, another = text.rstrip()[-_SENTENCE:], other.rstrip()[-_SENTENCE:]
    return bool(one and another) and (one.endswith(another) or another.endswith(one))


def _length(some: Sequence[Passage]) -> int:
    return sum(len(passage.plain) for passage in some)


# --- pairs ----------------------------------------------------------------------------------------------------------


def _paired(lost: Sequence[Passage], fresh: Sequence[Passage], weights: Weights) -> tuple[ChangedPassage, ...]:
    """Best pairs first, each passage once; what is left joins a new passage that holds most of it."""
    scored = sorted(_scored(lost, fresh, weights), key=lambda pair: (-pair.alike, pair.old.place, pair.new.place))
    taken: set[int] = set()
    given: set[int] = set()
    pairs = []
    for pair in scored:
        if pair.alike >= _ALIKE and id(pair.old) not in given and id(pair.new) not in taken:
            given.add(id(pair.old))
            taken.add(id(pair.new))
            pairs.append(pair)
    for pair in scored:
        if id(pair.old) not in given and _contained(pair, weights) >= _CONTAINED:
            given.add(id(pair.old))
            pairs.append(pair)
    pairs += _in_place([one for one in lost if id(one) not in given], [one for one in fresh if id(one) not in taken])
    return tuple(sorted(pairs, key=lambda pair: pair.old.place))


def _in_place(lost: Sequence[Passage], fresh: Sequence[Passage]) -> list[ChangedPassage]:
    """A passage between two that stayed became what stands between them now, however different it is."""
    between = {one.neighbours: one for one in fresh}
    return [
        ChangedPassage(one, between[one.neighbours], _ALIKE)
        for one in lost
        if one.neighbours in between and between[one.neighbours].kind == one.kind
    ]


def _scored(lost: Sequence[Passage], fresh: Sequence[Passage], weights: Weights) -> list[ChangedPassage]:
    holders: defaultdict[str, list[Passage]] = defaultdict(list)
    for passage in fresh:
        for key in passage.keys:
            holders[key].append(passage)
    masses = {id(passage): _mass(passage, passage.keys, weights) for passage in fresh}
    return [pair for passage in lost for pair in _candidates(passage, holders, masses, weights)]


def _candidates(
    passage: Passage, holders: dict[str, list[Passage]], masses: dict[int, float], weights: Weights
) -> list[ChangedPassage]:
    light = _values(passage)
    shared: defaultdict[int, float] = defaultdict(float)
    met: dict[int, Passage] = {}
    for key in passage.keys:
        some = holders.get(key, ())
        if len(some) > _MOST_PAIRS:
            continue
        weight = weights.of(key) * (_VALUE if key in light else 1.0)
        for other in some:
            shared[id(other)] += weight
            met[id(other)] = other
    own = _mass(passage, passage.keys, weights)
    return [
        ChangedPassage(passage, other, _alike(passage, other, shared[number], own, masses[number]))
        for number, other in met.items()
    ]


def _alike(old: Passage, new: Passage, shared: float, own: float, others: float) -> float:
    whole = own + others - shared
    alike = shared / whole if whole else 0.0
    if old.kind != new.kind:
        alike -= 0.03
    if old.heading == new.heading:
        alike += 0.05
    return alike - 0.05 * abs(old.place - new.place)


def _contained(pair: ChangedPassage, weights: Weights) -> float:
    shared = _mass(pair.old, pair.old.keys & pair.new.keys, weights)
    return shared / max(_mass(pair.old, pair.old.keys, weights), 4.0)


def _mass(passage: Passage, keys: frozenset[str], weights: Weights) -> float:
    light = _values(passage)
    return sum(weights.of(key) * (_VALUE if key in light else 1.0) for key in keys)


def _values(passage: Passage) -> frozenset[str]:
    return frozenset(atom.key for atom in passage.atoms if atom.kind in VALUES)


def differing(old: str, new: str, longest: int) -> tuple[str, str]:
    """Pieces of both, at most so long, that begin shortly before the first difference. Each is literally a part of its
    text."""
    if len(old) <= longest and len(new) <= longest:
        return old, new
    start = _word_start(old, _excerpts_alike(old, new) - longest // 4)
    return _piece(old, start, longest), _piece(new, start, longest)


def _excerpts_alike(one: str, other: str) -> int:
    """How many characters are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _word_start(text: str, near: int) -> int:
    return text.rfind(" ", 0, near) + 1 if near > 0 else 0


def _piece(text: str, start: int, longest: int) -> str:
    piece = text[start : start + longest]
    whole = start + longest >= len(text) or " " not in piece
    return (piece if whole else piece.rsplit(" ", 1)[0]).strip()
