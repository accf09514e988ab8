"""Compares the changes of a source with an entry's claims: facts that were lost, and passages that somebody must read.

A fact (a value, version, name or path) that the claim states, the old passage stated and the new one does not is drift.
Any other difference in a passage that a claim is aligned with is for a reader: nothing is said about its meaning.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from cairn.core.model.verdict import FACTUAL_ERROR, REMOVED, TO_BE_READ, Severity
from cairn.freshness.extractive.change import ChangedPassage, PassageChanges
from cairn.freshness.extractive.claims import Claim, Fact, PassageRanking, bond, facts_of, lost, quoted
from cairn.freshness.extractive.passages import Passage, PassageFinder
from cairn.lib.text.atoms import Atom, bare, is_name

Sort = Literal["value", "name", "removed", "read"]

FACT = 0.30
"""How strongly a claim must be bound to a passage before a fact that the passage lost counts as the claim's."""
NAME_GONE = 0.10
"""Enough for a name that the source contains nowhere any more."""
SMALL_NUMBER = 0.38
READ = 0.30
"""From here on a claim and a passage are aligned, so that any difference is for a reader. See bench/audit.py."""
READ_NEW = 0.55
"""The same, of a passage that was added."""
STILL = 0.75
"""Share of a bond that another passage must have to bear the claim out instead."""
LONGEST = 400
_WINDOW = 7
_BESIDE = 4
"""Atoms to each side of a small number that say what is counted."""
_SMALL = 12
"""Keys of a passage that is about one thing."""


class TouchedClaim(NamedTuple):
    """A change of a source, with the claim that is aligned with it most."""

    claim: Claim
    old: Passage | None
    new: Passage | None
    sort: Sort
    bond: float
    fact: Fact | None = None
    """What was lost; None where it takes a reader."""

    @property
    def exact(self) -> bool:
        return self.sort != "read"


class Judge:
    """One source's changes against one entry's claims."""

    def __init__(self, claims: Sequence[Claim], changes: PassageChanges, elsewhere: Callable[[Claim], float]) -> None:
        """`elsewhere` is how strongly a claim is bound to a passage of another source of the entry."""
        self._claims = claims
        self._elsewhere = elsewhere
        self._kept = PassageRanking(changes.kept, changes.weights)
        self._changes = changes
        self._weights = changes.weights
        self._known: dict[int, tuple[Fact, ...]] = {}
        new = [*changes.kept, *(pair.new for pair in changes.became), *changes.came]
        self._new = PassageFinder(new)
        self._new_words = "\n".join(passage.wording.lower() for passage in new)

    def touches(self) -> list[TouchedClaim]:
        """Each changed passage once: lost facts first, then what has to be read, the closest first."""
        found = [touch for pair in self._changes.became if (touch := self._became(pair))]
        found += [touch for passage in self._changes.gone if (touch := self._gone(passage))]
        found += [touch for passage in self._changes.came if (touch := self._came(passage))]
        found.sort(key=lambda touch: (not touch.exact, -touch.bond))
        return found

    # --- became

    def _became(self, pair: ChangedPassage) -> TouchedClaim | None:
        near = self._candidates(pair.old)
        named = (claim for claim in near if not _another(claim, pair.old))
        facts = [touch for claim in named if (touch := self._lost_fact(claim, pair))]
        return max(facts, key=_bond, default=None) or self._to_read(near, pair)

    def _lost_fact(self, claim: Claim, pair: ChangedPassage) -> TouchedClaim | None:
        """The fact of the claim that the passage lost, where the claim is bound to the passage without it."""
        beside = self._next_door(pair)
        for fact in self._facts(claim):
            if not lost(fact, (pair.old, pair.new), beside, claim):
                continue
            strength = self._bond(claim, pair.old, frozenset({fact.indexed}))
            if strength >= self._bar(fact) and self._is_the_same(fact, claim, pair, strength):
                return TouchedClaim(claim, pair.old, pair.new, fact.kind, strength, fact)
        return None

    def _bar(self, fact: Fact) -> float:
        if fact.kind == "name" and not self._new.with_key(fact.indexed):
            return NAME_GONE
        return FACT if fact.telling else SMALL_NUMBER

    def _is_the_same(self, fact: Fact, claim: Claim, pair: ChangedPassage, strength: float) -> bool:
        """Whether both mean one thing by a fact, and no other passage of the new text bears the claim out."""
        if self._was_quoted(claim, pair.old):
            return True
        if fact.atom is not None and not _same_meaning(claim, pair.old, fact):
            return False
        if any(atom.key in claim.strong and atom.key not in pair.old.keys for atom in _values(pair.new)):
            return False  # the claim states the new value, too
        others = (one for one in self._new.with_key(fact.indexed) if one is not pair.new)
        return all(bond(claim, one, self._weights, frozenset({fact.indexed})) < STILL * strength for one in others)

    def _to_read(self, near: Sequence[Claim], pair: ChangedPassage) -> TouchedClaim | None:
        best: TouchedClaim | None = None
        for claim in near:
            strength = self._aligned(claim, pair.old)
            if (best is None or strength > best.bond) and self._relies(claim, strength):
                best = TouchedClaim(claim, pair.old, pair.new, "read", strength)
        return best

    # --- gone and came

    def _gone(self, passage: Passage) -> TouchedClaim | None:
        """A fact that the source contains nowhere any more, else something to read."""
        best: TouchedClaim | None = None
        for claim in self._candidates(passage):
            strength = self._aligned(claim, passage)
            if (best and strength <= best.bond) or not self._relies(claim, strength):
                continue
            fact = next((one for one in self._facts(claim) if self._is_gone(one, passage)), None)
            best = TouchedClaim(claim, passage, None, "removed" if fact else "read", strength, fact)
        return best

    def _is_gone(self, fact: Fact, passage: Passage) -> bool:
        return fact.telling and fact.indexed in passage.keys and not self._new.with_key(fact.indexed)

    def _came(self, passage: Passage) -> TouchedClaim | None:
        scored = [(self._aligned(claim, passage), claim) for claim in self._candidates(passage)]
        best, claim = max(scored, key=lambda one: one[0], default=(0.0, None))
        return TouchedClaim(claim, None, passage, "read", best) if claim and best >= READ_NEW else None

    # --- who shares what

    def _candidates(self, passage: Passage) -> list[Claim]:
        """Claims that share two keys with a passage, or a name, or all that a short claim has, or its words. Whether
        they rely on the passage is a matter of rank."""
        counts: defaultdict[int, int] = defaultdict(int)
        for key in passage.keys | passage.context:
            for number in self._claim_index.get(key, ()):
                counts[number] += 2 if is_name(key) or " " in key else 1
        words = passage.wording.lower()
        return [
            claim
            for number, claim in enumerate(self._claims)
            if counts.get(number, 0) >= max(1, min(2, len(claim.keys))) or quoted(claim, words)
        ]

    def _aligned(self, claim: Claim, passage: Passage) -> float:
        """How strongly; 0 where only titles, headings and neighbours have something in common."""
        if claim.own & passage.keys or self._was_quoted(claim, passage):
            return self._bond(claim, passage)
        return 0.0

    def _bond(self, claim: Claim, passage: Passage, without: frozenset[str] = frozenset()) -> float:
        """Nothing is closer than a passage in the claim's own words, however few they are."""
        return 1.0 if self._was_quoted(claim, passage) else bond(claim, passage, self._weights, without)

    def _was_quoted(self, claim: Claim, passage: Passage) -> bool:
        """Whether a passage of the old text has the claim's own words, and the new text has them nowhere."""
        return quoted(claim, passage.wording.lower()) and not quoted(claim, self._new_words)

    def _relies(self, claim: Claim, strength: float) -> bool:
        """Whether a changed passage is the one that a claim relies on: the bond is strong, or no passage that stayed,
        here or in another source, ranks before it."""
        if strength >= READ or strength <= 0:
            return strength >= READ
        return strength > max(self._kept.best(claim), self._elsewhere(claim))

    def _facts(self, claim: Claim) -> tuple[Fact, ...]:
        if id(claim) not in self._known:
            self._known[id(claim)] = facts_of(claim)
        return self._known[id(claim)]

    @cached_property
    def _claim_index(self) -> dict[str, list[int]]:
        index: defaultdict[str, list[int]] = defaultdict(list)
        for number, claim in enumerate(self._claims):
            for key in claim.keys:
                index[key].append(number)
        return index

    def _next_door(self, pair: ChangedPassage) -> list[Passage]:
        """New passages in the same block: a sentence may have been split."""
        return [one for one in self._by_block.get(pair.new.block, ()) if one is not pair.new]

    @cached_property
    def _by_block(self) -> dict[int, list[Passage]]:
        blocks: defaultdict[int, list[Passage]] = defaultdict(list)
        for passage in self._changes.came:
            blocks[passage.block].append(passage)
        return blocks


_KINDS: dict[Sort, str] = {
    "value": FACTUAL_ERROR,
    "name": FACTUAL_ERROR,
    "removed": REMOVED,
    "read": TO_BE_READ,
}
"""In the words that audits by a model use, too."""


def kind_of(touch: TouchedClaim) -> str:
    return _KINDS[touch.sort]


def severity_of(touch: TouchedClaim) -> Severity:
    return "P2" if touch.exact else "P3"


# --- claims and passages --------------------------------------------------------------------------------------------


def _bond(touch: TouchedClaim) -> float:
    return touch.bond


def _values(passage: Passage) -> list[Atom]:
    return [atom for atom in passage.atoms if atom.kind in ("number", "version", "date")]


def _another(claim: Claim, passage: Passage) -> bool:
    """Whether the passage is about a name, and the claim about others."""
    subject = next((atom for atom in passage.atoms if atom.counts), None)
    if subject is None or subject.kind != "name" or subject.key in claim.keys | claim.context:
        return False
    return any(is_name(key) for key in claim.keys)


def _same_meaning(claim: Claim, passage: Passage, fact: Fact) -> bool:
    """Whether a value stands for the same thing in both: something around it is the same."""
    assert fact.atom is not None
    key = fact.key if fact.key in passage.keys else bare(fact.atom)
    if not fact.telling:
        beside = _around(claim.atoms, fact.key, _BESIDE) & _around(passage.atoms, key, _BESIDE)
        return bool(beside) or any(map(is_name, claim.keys & (passage.keys | passage.context)))
    close = passage.keys if len(passage.keys) <= _SMALL else _around(passage.atoms, key, _WINDOW + 1)
    near = (close | frozenset(filter(is_name, passage.keys)) | passage.context) - {key}
    return bool(_around(claim.atoms, fact.key, _WINDOW) & near) or bool(claim.context & close)


def _around(some: Sequence[Atom], key: str, reach: int) -> frozenset[str]:
    found: set[str] = set()
    for place, atom in enumerate(some):
        if atom.key == key:
            near = some[max(0, place - reach) : place + reach + 1]
            found.update(other.key for other in near if other.counts and other.key != key)
    return frozenset(found)


def cut(text: str) -> str:
    """What fits into a report, still literally a part of the source."""
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0]
