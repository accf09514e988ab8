"""What a passage says otherwise than the one it was: another value, another name, the opposite, another word."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from cairn.freshness.extractive.change import Became
from cairn.freshness.extractive.passages import Passage
from cairn.kernel.text.atoms import VALUES, Atom, concept
from cairn.kernel.text.lexicon import BINARY, LIMITERS, LOOSE, NEGATIONS, SIDES

Sort = Literal["value", "name", "polarity", "force", "limit", "word", "member"]

_NEAR = 8
"""Atoms to each side of a change that belong to its clause."""
_SAME_SENTENCE = 0.38
"""Below this likeness a sentence was written anew, and only its facts can be compared."""
_SPLIT = 0.6
"""Share of its keys that a new sentence has from the old one when that was split."""
_DECISIVE = frozenset({"default"})
"""Words whose loss alone says something else."""
_CLAUSE = 10
"""Atoms of a clause; more are a sentence of its own."""
_FEW = 3
"""Words in a place; more are a new wording, not another word."""


class Difference(NamedTuple):
    sort: Sort
    lost: tuple[Atom, ...]
    gained: tuple[Atom, ...]
    clause: frozenset[str]
    """Of the old passage: keys around what changed."""


class _Step(NamedTuple):
    """One place in which two sequences of atoms differ."""

    lost: Sequence[Atom]
    gained: Sequence[Atom]
    start: int
    """In the old sequence."""
    end: int


def differences(pair: Became, beside: Sequence[Passage]) -> list[Difference]:
    """All of them. `beside` are new passages of the same block: what moved next door is not lost."""
    old = pair.old.atoms
    split = [one for one in beside if len(one.keys & pair.old.keys) >= _SPLIT * len(one.keys)]
    new = [atom for one in (pair.new, *split) for atom in one.atoms]
    elsewhere = frozenset[str]().union(*(one.keys for one in beside))
    steps = _steps(old, new)
    found = list(_facts(old, new, steps, elsewhere))
    if pair.alike >= _SAME_SENTENCE:
        found += _logic(old, new, steps)
        found += _words(old, new, steps, elsewhere)
        found += _members(pair, steps)
    return found


def _steps(old: Sequence[Atom], new: Sequence[Atom]) -> list[_Step]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, [atom.key for atom in old], [atom.key for atom in new], autojunk=False)
    return [
        _Step(old[start:end], new[begin:finish], start, end)
        for tag, start, end, begin, finish in matcher.get_opcodes()
        if tag != "equal"
    ]


def _facts(
    old: Sequence[Atom], new: Sequence[Atom], steps: Sequence[_Step], elsewhere: frozenset[str]
) -> Iterable[Difference]:
    """Values and names that are not said any more."""
    known = {atom.key for atom in old}
    for step in steps:
        gained = tuple(atom for atom in step.gained if atom.key not in known)
        clause = _clause(old, step)
        for atom in step.lost:
            instead = tuple(other for other in gained if other.kind in VALUES)
            if atom.kind in VALUES and _is_lost(atom, old, new, elsewhere, replaced=bool(instead)):
                if not _other_currency(atom, instead):
                    yield Difference("value", (atom,), instead, clause - {atom.key})
            elif _is_named(atom, gained) and _is_lost(atom, old, new, elsewhere, replaced=False):
                others = tuple(other for other in gained if other.counts)
                if not _respelled(atom, others):
                    yield Difference("name", (atom,), others, clause - {atom.key})
    yield from _new_default(old, new, steps)


def _is_named(atom: Atom, gained: Iterable[Atom]) -> bool:
    """A name; or a word with a capital in the place of which another one stands."""
    if atom.kind != "word" or not atom.text[:1].isupper():
        return atom.kind == "name"
    return any(other.kind == "name" or (other.kind == "word" and other.text[:1].isupper()) for other in gained)


def _is_lost(
    atom: Atom, old: Sequence[Atom], new: Sequence[Atom], elsewhere: frozenset[str], *, replaced: bool
) -> bool:
    """Not said any more; or, where another value took its place, said less often."""
    before, after = (sum(other.key == atom.key for other in some) for some in (old, new))
    if after == 0:
        return atom.key not in elsewhere
    return replaced and after < before


def _new_default(old: Sequence[Atom], new: Sequence[Atom], steps: Sequence[_Step]) -> Iterable[Difference]:
    """A default that had been told in words, or not at all, has a value now."""
    known = {atom.key for atom in old}
    if "default" not in known or any(atom.kind in VALUES for step in steps for atom in step.lost):
        return
    for place, atom in enumerate(new):
        near = {other.key for other in new[max(0, place - 3) : place + 2]}
        if atom.kind in VALUES and atom.key not in known and "default" in near:
            yield Difference("value", (), (atom,), frozenset(other.key for other in old if other.counts))


def _clause(old: Sequence[Atom], step: _Step, reach: int = _NEAR) -> frozenset[str]:
    near = old[max(0, step.start - reach) : step.end + reach]
    return frozenset(atom.key for atom in near if atom.counts)


def _other_currency(lost: Atom, gained: tuple[Atom, ...]) -> bool:
    """A page that shows another currency says nothing about the price in this one."""
    own = lost.key.partition(" ")[2]
    return own in _CURRENCIES and any(atom.key.partition(" ")[2] in _CURRENCIES - {own} for atom in gained)


_CURRENCIES = frozenset("$€£¥")


def _respelled(lost: Atom, gained: tuple[Atom, ...]) -> bool:
    """`node.js` that became `Node JS`: the same letters."""
    letters = _letters(lost.key)
    return any(_letters(atom.key) == letters for atom in gained) or _letters("".join(a.key for a in gained)) == letters


def _letters(key: str) -> str:
    return "".join(sign for sign in key if sign.isalnum()).removesuffix("s")


# --- opposites ------------------------------------------------------------------------------------------------------


def _logic(old: Sequence[Atom], new: Sequence[Atom], steps: Sequence[_Step]) -> Iterable[Difference]:
    """Negations, opposites, and whether something must, should or may be."""
    swapped = [step for step in steps if any(atom.kind == "logic" for atom in (*step.lost, *step.gained))]
    if not swapped:
        return
    clause = frozenset[str]().union(*(_clause(old, step) for step in swapped))
    lost = tuple(atom for step in swapped for atom in step.lost if atom.kind == "logic")
    gained = tuple(atom for step in swapped for atom in step.gained if atom.kind == "logic")
    turned = _sides_changed(lost, gained, old, new)
    opposites = sum(family in BINARY for family in turned)
    if (_negations(lost) + _negations(gained) + opposites) % 2:
        yield Difference("polarity", lost, gained, clause)
    elif turned - BINARY or _signs(lost) != _signs(gained) or (_limits(lost) and not _limits(gained)):
        yield Difference("force", lost, gained, clause)


def _sides_changed(
    lost: Iterable[Atom], gained: Iterable[Atom], old: Iterable[Atom], new: Iterable[Atom]
) -> frozenset[str]:
    """Families in which the new passage takes another side than the old one, and only that."""
    before, after = _taken(old), _taken(new)
    left, taken = _taken(lost), _taken(gained)
    return frozenset(
        family
        for family in left.keys() & taken.keys()
        if left[family] != taken[family] and not (left[family] & after[family]) and not (taken[family] & before[family])
    )


def _taken(some: Iterable[Atom]) -> dict[str, frozenset[int]]:
    sides: dict[str, set[int]] = {}
    for atom in some:
        if atom.key in SIDES:
            family, side = SIDES[atom.key]
            sides.setdefault(family, set()).add(side)
    return {family: frozenset(taken) for family, taken in sides.items()}


def _negations(some: Iterable[Atom]) -> int:
    return sum(atom.key in NEGATIONS for atom in some)


def _signs(some: Iterable[Atom]) -> list[str]:
    return sorted(atom.key for atom in some if atom.key[0] in "<>=!")


# --- words ----------------------------------------------------------------------------------------------------------


def _words(
    old: Sequence[Atom], new: Sequence[Atom], steps: Sequence[_Step], elsewhere: frozenset[str]
) -> Iterable[Difference]:
    """Another word in the same place, and what takes something back."""
    still, known = {atom.key for atom in new} | elsewhere, {atom.key for atom in old}
    for step in steps:
        clause = _clause(old, step)
        lost = tuple(atom for atom in step.lost if atom.kind == "word" and atom.key not in still)
        gained = tuple(atom for atom in step.gained if atom.counts and atom.key not in known)
        if not step.lost and len(step.gained) <= _CLAUSE and _limits(step.gained) and not _limits(old):
            yield Difference("limit", (), gained, _clause(old, step, 3))
        elif any(atom.key in _DECISIVE for atom in lost) and not gained:
            yield Difference("force", lost, (), clause)
        elif lost and gained and max(len(lost), len(gained)) <= _FEW and not _all_loose(lost):
            yield Difference("word", lost, gained, clause)


def _limits(some: Iterable[Atom]) -> bool:
    return any(atom.text.lower() in LIMITERS for atom in some)


def _all_loose(lost: Iterable[Atom]) -> bool:
    """Whether nothing was lost but words that editors swap for others."""
    return all(atom.key in _loose() for atom in lost)


@cache
def _loose() -> frozenset[str]:
    return frozenset(concept(word) for word in LOOSE)


def _members(pair: Became, steps: Sequence[_Step]) -> Iterable[Difference]:
    """One more in an enumeration that stayed as it was otherwise."""
    if len(steps) > 2 or any(atom.counts for step in steps for atom in step.lost):
        return
    gained = tuple(atom for step in steps for atom in step.gained if atom.counts)
    if (
        1 <= len(gained) <= _FEW
        and pair.old.text.count(",") >= 2
        and pair.new.text.count(",") > pair.old.text.count(",")
    ):
        yield Difference("member", (), gained, pair.old.keys)
