"""Finds the values, versions, names and paths that a claim states, and whether a passage contains them."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from cairn.freshness.extractive.claims import Claim
from cairn.freshness.extractive.passages import Passage
from cairn.lib.text.atoms import VALUES, Atom, atoms, bare, is_name

Kind = Literal["value", "name"]

_CODE_SPAN = re.compile(r"`([^`\s]{2,80})`")
_CODE_LIKE = re.compile(r"[_./:$@#=\\<>()]|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|^-")
"""A form that people give to names only: `max_size`, `a/b.md`, `fooBar`, `--flag`. `real-time` is no such form."""
_ENDS = "()[]{}.,;:!?'\"`"
_TOKEN = re.compile(r"[^\s`*|\"“”‘’(),;]+")
_CURRENCIES = frozenset("$€£¥")


class Fact(NamedTuple):
    kind: Kind
    key: str
    """Of a value: its number in the base of its unit. Of a name: the name in small letters."""
    text: str
    """As the claim writes it."""
    indexed: str
    """As `Passage.keys` has it."""
    atom: Atom | None = None
    """Of a value."""

    @property
    def telling(self) -> bool:
        """Whether it identifies itself: a name, a number with a unit, a fraction, or more than two digits."""
        plain = self.atom is not None and self.atom.kind == "number"
        return not plain or " " in self.key or "." in self.key or len(self.key) > 2


def facts_of(claim: Claim) -> tuple[Fact, ...]:
    """Each once, in the order of the claim."""
    found = [*_atomic(claim.atoms), *_in_code(claim.text)]
    return tuple({(fact.kind, fact.key): fact for fact in reversed(found)}.values())[::-1]


def _atomic(some: Iterable[Atom]) -> Iterable[Fact]:
    for atom in some:
        if atom.kind in VALUES:
            yield Fact("value", atom.key, atom.text, atom.key, atom)
        elif is_name(atom.key) and _CODE_LIKE.search(atom.text):
            yield _named(atom.text, atom.key)


def _in_code(text: str) -> Iterable[Fact]:
    """A single word between backticks is a name, whatever its form; a number there is a value."""
    for span in _CODE_SPAN.findall(text):
        found = atoms(span)
        if any(map(str.isalpha, span)) and not any(atom.kind in VALUES for atom in found):
            yield _named(span, found[0].key if len(found) == 1 else span.lower())


def _named(text: str, index: str) -> Fact:
    name = text.strip(_ENDS)
    return Fact("name", name.lower(), name, index)


# --- is it in a passage? --------------------------------------------------------------------------------------------


def stands_in(fact: Fact, passage: Passage, claim: Claim) -> bool:
    """Whether a passage states a fact of the claim: the value itself; or its number, where a name that both have says
    what is counted (`…Seconds: 30` is 30 seconds)."""
    if fact.kind == "name":
        return _has_name(fact, passage.plain)
    if fact.key in passage.keys:
        return True
    return _number(fact) in _numbers(passage) and any(map(is_name, claim.keys & passage.keys))


def lost(fact: Fact, pair: tuple[Passage, Passage], beside: Sequence[Passage], claim: Claim) -> bool:
    """Whether the old passage states a fact that neither the new one nor its block does."""
    old, new = pair
    if not stands_in(fact, old, claim) or any(stands_in(fact, one, claim) for one in (new, *beside)):
        return False
    if fact.kind == "value" and _other_currency(fact, new):
        return False
    return fact.kind == "value" or not any(_respelled(fact, one.plain) for one in (new, *beside))


def _has_name(fact: Fact, text: str) -> bool:
    return fact.key in text.lower() and _pattern(fact.key).search(text.lower()) is not None


@lru_cache(1024)
def _pattern(key: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-]|\.\w)")


def _number(fact: Fact) -> str:
    return bare(fact.atom) if fact.atom and fact.atom.kind == "number" else ""


def _numbers(passage: Passage) -> set[str]:
    return {atom.key for atom in passage.atoms if atom.kind == "number" and " " not in atom.key}


def _other_currency(fact: Fact, new: Passage) -> bool:
    """A page that shows another currency says nothing about the price in this one."""
    own = fact.key.partition(" ")[2]
    return own in _CURRENCIES and any(atom.key.partition(" ")[2] in _CURRENCIES - {own} for atom in new.atoms)


def _respelled(fact: Fact, text: str) -> bool:
    """`node.js` that became `Node JS`: the same letters, in one word or in two."""
    words = [_letters(word) for word in _TOKEN.findall(text.lower())]
    both = (f"{one}{other}" for one, other in pairwise(words))
    wanted = _letters(fact.key)
    return wanted in words or wanted in both


def _letters(key: str) -> str:
    return "".join(sign for sign in key if sign.isalnum())
