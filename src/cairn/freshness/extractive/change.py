"""Old and new text of a source, passage by passage: what is the same, what became what, what came and what went."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from cairn.freshness.extractive.align import Weights, weights_of
from cairn.freshness.extractive.passages import Passage, passages
from cairn.kernel.text.atoms import VALUES

_ALIKE = 0.34
"""Share of common weight from which one passage became another."""
_CONTAINED = 0.6
_VALUE = 0.1
"""A number counts little when passages are paired: it is what changes."""
_MOST = 2000
"""Changed passages that are paired; a page with more of them is another page."""
_MOST_PAIRS = 400
"""A word that stands in more passages than this tells none of them apart."""


class Became(NamedTuple):
    old: Passage
    new: Passage
    alike: float


class Changes(NamedTuple):
    kept: tuple[Passage, ...]
    """Of the new text: those that stood in the old one, wherever."""
    became: tuple[Became, ...]
    gone: tuple[Passage, ...]
    came: tuple[Passage, ...]
    weights: Weights
    share_kept: float
    """Of the old text's passages, by length."""


def compare(old: str, new: str) -> Changes:
    before, after = passages(old), passages(new)
    lost, fresh = _unmatched(before, after)
    lost, fresh = _absent(lost, new), _absent(fresh, old)
    missing = {id(passage) for passage in fresh}
    kept = tuple(passage for passage in after if id(passage) not in missing)
    weights = weights_of(old, len(before))
    became = _paired(lost[:_MOST], fresh[:_MOST], weights)
    moved_on = {id(pair.old) for pair in became}
    arrived = {id(pair.new) for pair in became}
    return Changes(
        kept,
        became,
        tuple(passage for passage in lost if id(passage) not in moved_on),
        tuple(passage for passage in fresh if id(passage) not in arrived),
        weights,
        1 - _length(lost) / max(_length(before), 1),
    )


def _unmatched(before: Sequence[Passage], after: Sequence[Passage]) -> tuple[list[Passage], list[Passage]]:
    """Those without a counterpart. Most have one letter for letter, which is cheap to see."""
    old, new = {passage.plain for passage in before}, {passage.plain for passage in after}
    lost = [passage for passage in before if passage.plain not in new]
    fresh = [passage for passage in after if passage.plain not in old]
    old_keys, new_keys = {passage.key for passage in lost}, {passage.key for passage in fresh}
    return _telling(lost, new_keys), _telling(fresh, old_keys)


def _telling(some: Sequence[Passage], known: set[str]) -> list[Passage]:
    """Without those that differ in case, quotes and emphasis only."""
    return [one for one in some if one.key and one.key not in known]


_MARKS = re.compile(r"[*`_|\\\"'‘’“”]+")
_WORD = re.compile(r"\w+")
_BULLETS = "-*+•# "
_ENDS = ".!?:;"
_SENTENCE = 20
"""Characters; what is shorter may stand in a longer sentence by accident."""


def _absent(some: Sequence[Passage], text: str) -> list[Passage]:
    """Those that don't stand in a text as they are, however it is cut into blocks."""
    if not some or len(some) > _MOST:
        return list(some)
    plain = _MARKS.sub("", text.lower())
    page, lines = " ".join(plain.split()), {" ".join(line.split()).lstrip(_BULLETS) for line in plain.splitlines()}
    left = [one for one in some if not _stands(_bare(one.text).lstrip(_BULLETS), page, lines)]
    if not left:
        return []
    words = f" {_words(text)} "
    return [one for one in left if not _runs(one, words)]


def _bare(text: str) -> str:
    """On one line, in small letters, without marks."""
    return " ".join(_MARKS.sub("", text.lower()).split())


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _stands(wanted: str, page: str, lines: set[str]) -> bool:
    """Whether a sentence is a line, or stands in the page from its beginning to its end."""
    if wanted in lines:
        return True
    wanted = wanted.rstrip(_ENDS + " ")
    place = page.find(wanted) if len(wanted) >= _SENTENCE else -1
    if place < 0:
        return False
    before, after = page[max(0, place - 2) : place].strip()[-1:], page[place + len(wanted) : place + len(wanted) + 1]
    return not before.isalnum() and (not after or after in _ENDS)


def _runs(passage: Passage, words: str) -> bool:
    """Whether its words stand in a row, and what followed them still follows: only the cut between them is another."""
    own = _words(passage.text)
    following = _words(passage.neighbours[1][:60]).partition(" ")[0]
    return len(own) >= _SENTENCE and f" {own} {following} ".replace("  ", " ") in words


def _length(some: Sequence[Passage]) -> int:
    return sum(len(passage.plain) for passage in some)


# --- pairs ----------------------------------------------------------------------------------------------------------


def _paired(lost: Sequence[Passage], fresh: Sequence[Passage], weights: Weights) -> tuple[Became, ...]:
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


def _in_place(lost: Sequence[Passage], fresh: Sequence[Passage]) -> list[Became]:
    """A passage between two that stayed became what stands between them now, however different it is."""
    between = {one.neighbours: one for one in fresh}
    return [
        Became(one, between[one.neighbours], _ALIKE)
        for one in lost
        if one.neighbours in between and between[one.neighbours].kind == one.kind
    ]


def _scored(lost: Sequence[Passage], fresh: Sequence[Passage], weights: Weights) -> list[Became]:
    holders: defaultdict[str, list[Passage]] = defaultdict(list)
    for passage in fresh:
        for key in passage.keys:
            holders[key].append(passage)
    masses = {id(passage): _mass(passage, passage.keys, weights) for passage in fresh}
    return [pair for passage in lost for pair in _candidates(passage, holders, masses, weights)]


def _candidates(
    passage: Passage, holders: dict[str, list[Passage]], masses: dict[int, float], weights: Weights
) -> list[Became]:
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
        Became(passage, other, _alike(passage, other, shared[number], own, masses[number]))
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


def _contained(pair: Became, weights: Weights) -> float:
    shared = _mass(pair.old, pair.old.keys & pair.new.keys, weights)
    return shared / max(_mass(pair.old, pair.old.keys, weights), 4.0)


def _mass(passage: Passage, keys: frozenset[str], weights: Weights) -> float:
    light = _values(passage)
    return sum(weights.of(key) * (_VALUE if key in light else 1.0) for key in keys)


def _values(passage: Passage) -> frozenset[str]:
    return frozenset(atom.key for atom in passage.atoms if atom.kind in VALUES)
