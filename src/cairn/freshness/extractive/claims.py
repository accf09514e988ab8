"""Sentences of an entry, the facts that they state, and the passages of a source that they rely on."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise
from math import log
from typing import Literal, NamedTuple

from cairn.core.model.knowledge import Entry
from cairn.freshness.extractive.passages import Passage, PassageFinder, passages, wording
from cairn.lib.text.atoms import STRONG, VALUES, Atom, atoms, bare, concept, is_name, parts


class Claim(NamedTuple):
    text: str
    """On one line."""
    atoms: tuple[Atom, ...]
    keys: frozenset[str]
    """Of everything in it that is about something."""
    strong: frozenset[str]
    """Of its names, numbers, versions and dates."""
    context: frozenset[str]
    """Of its heading, its paragraph and the entry's title, as far as it does not say them itself."""
    own: frozenset[str]
    """Of its keys, those that the entry's title has not: what the claim says of the subject."""
    quote: str
    """What a source has that states the claim in the same words; empty for a single word, which states nothing."""
    code: bool = False
    """A line of an example, which shows names and values but claims nothing."""


def claims(entry: Entry, body: str) -> list[Claim]:
    """The entry's description and every passage of its body but the headings."""
    title = frozenset(_keys(atoms(f"{entry.title} {entry.name.replace('-', ' ')}")))
    found = [_claim(entry.summary, title, title, atoms(entry.summary))] if entry.summary else []
    for passage in passages(body, shortest=0):
        if passage.kind != "heading":
            found.append(
                _claim(passage.text, title, title | passage.context, passage.atoms)._replace(
                    code=passage.kind == "code"
                )
            )
    return [claim for claim in found if claim.keys or claim.quote]


def _claim(text: str, title: frozenset[str], context: frozenset[str], some: list[Atom]) -> Claim:
    found = tuple(some)
    keys = frozenset(_keys(found))
    strong = frozenset(atom.key for atom in found if atom.kind in STRONG)
    line = " ".join(text.split())
    return Claim(line, found, keys, strong, (context | parts(found)) - keys, keys - title, _quote(line))


def _quote(line: str) -> str:
    words = wording(line).lower().rstrip(".!?")
    return words if " " in words else ""


def _keys(found: "tuple[Atom, ...] | list[Atom]") -> list[str]:
    return [atom.key for atom in found if atom.counts]


_WORD = re.compile(r"[^\W\d_]{2,}")
_CONTEXT = 0.4
"""What a heading or the paragraph shares counts less than what the sentence says itself."""
_NAMED = 0.8
"""A name in a heading says what all of the section is about."""
_NAME = 1.6
"""Of a name, compared with a word as rare: people choose names so that they can be told apart."""
_LEAST = 6.0
"""Weight that a passage or claim is taken to have at least, so that two words alone bind nothing."""


@dataclass(slots=True)
class Weights:
    """How much each key says on this page."""

    counts: Mapping[str, int]
    passages: int
    known: dict[str, float] = field(default_factory=dict)

    def of(self, key: str) -> float:
        weight = self.known.get(key)
        if weight is None:
            weight = self.known[key] = self._fresh(key)
        return weight

    def total(self, keys: Iterable[str]) -> float:
        return sum(map(self.of, keys))

    def _fresh(self, key: str) -> float:
        rare = log(1 + self.passages / (1 + self.counts.get(key, 0)))
        return rare * (_NAME if is_name(key) or key[:1].isdigit() else 1.0)


def weights_of(text: str, passages: int) -> Weights:
    """From the words of the old text; counting words is enough, and costs a tenth of taking everything apart."""
    counts: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text.lower())).items():
        counts[concept(word)] += count
    return Weights(counts, max(passages, 20))


def bond(claim: Claim, passage: Passage, weights: Weights, without: frozenset[str] = frozenset()) -> float:
    """From 0 (nothing in common) to 1 (one says all that the other does). Leaves out keys that are in question."""
    shared = (claim.keys & passage.keys) - without
    near = ((claim.keys & passage.context) | (claim.context & passage.keys)) - shared - without
    if not shared and not near:
        return 0.0
    weight = weights.total(shared) + sum(weights.of(key) * (_NAMED if is_name(key) else _CONTEXT) for key in near)
    smaller = min(weights.total(claim.keys - without), weights.total(passage.keys - without))
    return min(1.0, weight / max(smaller, _LEAST))


def quoted(claim: Claim, text: str) -> bool:
    """Whether a text in small letters has the claim's own words."""
    if not claim.quote or claim.quote not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(claim.quote)}(?!\w|[.,]\d)", text) is not None


_KEYS = 4
"""Of a claim's rarest keys; a passage that shares none of them does not rank before one that does."""


class PassageRanking:
    def __init__(self, passages: Sequence[Passage], weights: Weights) -> None:
        self._finder, self._weights = PassageFinder(passages), weights
        self._known: dict[int, float] = {}

    def best(self, claim: Claim) -> float:
        """How strongly the claim is bound to the passage that ranks first; 0 where none has anything of it."""
        if id(claim) not in self._known:
            bonds = (bond(claim, one, self._weights) for one in self._candidates(claim))
            self._known[id(claim)] = max(bonds, default=0.0)
        return self._known[id(claim)]

    def _candidates(self, claim: Claim) -> Iterable[Passage]:
        """Passages with one of the rarest keys that any has."""
        telling = sorted(claim.own, key=lambda key: (-self._weights.of(key), key))
        there = (some for key in telling if (some := self._finder.with_key(key)))
        return {id(one): one for some in islice(there, _KEYS) for one in some}.values()


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
