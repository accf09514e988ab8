"""Notices: that something came to an end, and what."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from cairn.freshness.extractive.passages import Passage
from cairn.kernel.text.atoms import Atom, atoms
from cairn.kernel.text.lexicon import ENDED, REPLACEMENTS

_WHOLE = re.compile(
    r"""\W*(?:(?:note|warning|important|notice)\W+)?(?:this|the)\s+(?:\w+\s+)?(?:page|document|documentation|specification|spec
    |standard|version|release|edition|guide|api|product|service|project|repository|repo|package|library|tool|plugin|rfc
    |article|recommendation|draft|program)\s+(?:is|has|was|will|are|have)\b""",
    re.IGNORECASE | re.VERBOSE,
)


class Notice(NamedTuple):
    passage: Passage
    subject: tuple[Atom, ...]
    """What came to an end, as far as it is said; empty when it is the page as a whole."""
    whole: bool


def notice_in(passage: Passage, known: Sequence[Atom] = ()) -> Notice | None:
    """What a passage says came to an end. `known` are the atoms of what it was before: only news is a notice."""
    ended = {atom.key for atom in known if _ends(atom)}
    for place, atom in enumerate(passage.atoms):
        if _ends(atom) and atom.key not in ended and _said_of_something(passage.atoms, place):
            subject = _subject(passage, place)
            return Notice(passage, subject, bool(_WHOLE.match(passage.text)) and not _named(subject))
    return None


def _ends(atom: Atom) -> bool:
    return atom.text.lower() in ENDED or atom.key == "nolonger"


def _said_of_something(some: Sequence[Atom], place: int) -> bool:
    """Not denied; and `removed` also says what people do, so that one has to be a state."""
    before = {atom.key for atom in some[max(0, place - 3) : place]}
    if before & _DENIALS:
        return False
    return some[place].text.lower() not in _ALSO_DONE or bool(before & _STATES)


_DENIALS = frozenset({"not", "never", "isn't", "aren't", "no"})
_ALSO_DONE = frozenset({"removed", "retired", "archived", "withdrawn"})
_STATES = frozenset({"been", "was", "were", "is", "are", "being"})


def _subject(passage: Passage, place: int) -> tuple[Atom, ...]:
    """What stands before the word; else what follows it up to the replacement; else the heading's names."""
    before = tuple(atom for atom in passage.atoms[:place] if atom.counts)
    after = tuple(atom for atom in passage.atoms[place + 1 :] if atom.counts or _turns(atom))
    return _unreplaced(before) or _unreplaced(after) or tuple(atoms(passage.heading))


def _unreplaced(some: tuple[Atom, ...]) -> tuple[Atom, ...]:
    for place, atom in enumerate(some):
        if place and _turns(atom):
            return some[:place]
    return tuple(atom for atom in some if not _turns(atom))


def _turns(atom: Atom) -> bool:
    return atom.text.lower() in REPLACEMENTS


def _named(subject: Sequence[Atom]) -> bool:
    return any(atom.kind == "name" for atom in subject)
