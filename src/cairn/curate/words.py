"""Reduces a text to the keys that rank pages by similarity. Ranking only: no decision is based on them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cairn.lib.text.atoms import VALUES, Atom, atoms
from cairn.lib.text.search_words import runs

Keys = frozenset[str]

_WEAK: Final = frozenset({"us", "use", "prefer", "alway", "keep", "call", "set", "do", "plea", "need", "make"})
"""Verbs that occur in nearly every rule, so they say nothing about which page it belongs to."""


@lru_cache(2048)
def keys_of(text: str) -> Keys:
    """The stems of its words and names, without values and stop words."""
    found = (atom for atom in atoms(text) if atom.counts and atom.kind not in VALUES)
    return frozenset(key for atom in found for key in _keys(atom))


def _keys(atom: Atom) -> Iterator[str]:
    if atom.text.isascii() or not runs().search(atom.text):
        if atom.key not in _WEAK:
            yield atom.key
        return
    for run in runs().findall(atom.text):  # scripts without blanks between words: pairs of letters stand for words
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
