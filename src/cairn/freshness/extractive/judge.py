"""What changes of a source mean for an entry: findings, each with the claim it touches and both excerpts."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.freshness.extractive.align import Weights, bond
from cairn.freshness.extractive.change import Became, Changes
from cairn.freshness.extractive.claims import Claim
from cairn.freshness.extractive.difference import Difference, Sort, differences
from cairn.freshness.extractive.finder import Finder
from cairn.freshness.extractive.notice import Notice, notice_in
from cairn.freshness.extractive.passages import Passage, passages
from cairn.kernel.model.verdict import Severity
from cairn.kernel.text.atoms import STRONG, Atom, bare, is_name
from cairn.kernel.text.lexicon import ENDED, SIDES

BONDS: dict[Sort, float] = {
    "value": 0.30,
    "name": 0.30,
    "polarity": 0.40,
    "force": 0.40,
    "limit": 0.50,
    "word": 0.50,
    "member": 0.70,
}
"""How strongly a claim must be bound to a passage before a change of this sort touches it; see bench/audit.py."""
ONLY_HERE = 0.10
SMALL_NUMBER = 0.38
TURNED = 0.25
"""Enough when the claim has the very word that was turned round."""
CLAUSE = 0.25
CLAUSE_OF_TWO = 0.4
FORCE = 0.05
"""More of it where only a duty became weaker or stronger."""
"""Share of a clause that a claim must hold when the clause was turned round."""
SURE = 0.45
KEPT = 0.8
GONE = 0.55
GONE_WEIGHT = 5.5
"""What a claim must share with a passage that is gone, unless a name or number is among it."""
REWRITTEN = 0.5
"""Below this likeness nothing of the old passage can be taken for granted."""
STILL = 0.75
"""Share of a bond that another passage must have to bear the claim out instead."""
_WORD_ALIKE = 0.38
_MOST_FINDINGS = 20
_LONGEST = 400
_WINDOW = 7
_BESIDE = 4
"""Atoms to each side of a small number that say what is counted."""
_SMALL = 12
"""Keys of a passage that is about one thing."""


class Touch(NamedTuple):
    """A change that touches a claim."""

    claim: Claim
    old: Passage | None
    new: Passage | None
    sort: Sort | str
    bond: float


class Judge:
    """One source's changes against one entry's claims."""

    def __init__(self, claims: Sequence[Claim], changes: Changes) -> None:
        self._claims = claims
        self._changes = changes
        self._weights = changes.weights
        self._kept = Finder(changes.kept)
        self._new = Finder([*changes.kept, *(pair.new for pair in changes.became), *changes.came])

    def touches(self) -> list[Touch]:
        """Each changed passage once, with the claim that relies on it most."""
        found = [touch for pair in self._changes.became if (touch := self._became(pair))]
        found += [touch for passage in self._changes.gone if (touch := self._gone(passage))]
        found += self._noticed()
        found.sort(key=lambda touch: -touch.bond)
        return found[:_MOST_FINDINGS]

    # --- became

    def _became(self, pair: Became) -> Touch | None:
        near = self._candidates(pair.old)
        if not near:
            return None
        best: Touch | None = None
        for difference in differences(pair, self._next_door(pair)):
            for claim in near:
                strength = self._relies(claim, pair, difference)
                if strength and (best is None or strength > best.bond):
                    best = Touch(claim, pair.old, pair.new, difference.sort, strength)
        if best is None and pair.alike < REWRITTEN and (gone := self._gone(pair.old)):
            return gone._replace(new=pair.new, sort="rewritten")
        return best

    def _relies(self, claim: Claim, pair: Became, difference: Difference) -> float:
        """How strongly a claim relies on what is different, or 0."""
        asked = frozenset(atom.key for atom in difference.lost)
        strength = bond(claim, pair.old, self._weights, asked)
        if strength < self._bar(claim, pair, difference) or _knows(claim, difference) or _another(claim, pair, asked):
            return 0.0
        if claim.code and (difference.sort not in ("value", "name") or not all(map(telling, difference.lost))):
            return 0.0
        if difference.sort in ("value", "name"):
            relied = self._relies_on_fact(claim, pair, difference, strength)
        elif difference.sort == "word":
            relied = pair.alike >= _WORD_ALIKE and bool(asked & claim.keys) and not self._kept_says(claim, pair)
        elif difference.sort == "member":
            relied = _share(pair.old.keys, claim.keys, self._weights) >= 0.7
        else:
            relied = self._relies_on_clause(claim, pair.old, difference, strength) and not self._kept_says(claim, pair)
        return strength if relied else 0.0

    def _bar(self, claim: Claim, pair: Became, difference: Difference) -> float:
        """A value that says what it is, and stands nowhere else on the page, needs less around it."""
        fact = difference.lost[0] if difference.sort in ("value", "name") and difference.lost else None
        if fact and fact.key in claim.keys and self._only_here(fact, pair):
            return ONLY_HERE
        if difference.sort in ("polarity", "force") and _turned(claim, difference):
            return TURNED
        return SMALL_NUMBER if fact and not telling(fact) else BONDS[difference.sort]

    def _only_here(self, fact: Atom, pair: Became) -> bool:
        if not telling(fact) or self._kept.with_key(fact.key):
            return False
        lost = [*(one.old for one in self._changes.became), *self._changes.gone]
        return not any(fact.key in one.keys for one in lost if one is not pair.old)

    def _relies_on_fact(self, claim: Claim, pair: Became, difference: Difference, strength: float) -> bool:
        if not difference.lost:
            return "default" in claim.keys and strength >= BONDS["polarity"]
        fact = difference.lost[0]
        if not _has(claim, pair.old, fact) or not _same_meaning(claim, pair.old, fact, difference):
            return False
        others = (one for one in self._new.with_key(fact.key) if one is not pair.new)
        return all(bond(claim, one, self._weights, frozenset({fact.key})) < STILL * strength for one in others)

    def _relies_on_clause(self, claim: Claim, passage: Passage, difference: Difference, strength: float) -> bool:
        """Two words of the clause, or one and a name that stands around it."""
        turned = _turned(claim, difference)
        small = len(passage.keys) <= _SMALL and difference.sort != "limit"
        clause = passage.keys if small else difference.clause
        shared = (clause & claim.keys) | turned
        if len(shared) < 2:
            return bool(shared) and strength >= SURE and any(map(is_name, claim.keys & passage.context))
        if turned:
            return True
        wanted = (CLAUSE if len(shared) > 2 else CLAUSE_OF_TWO) + (FORCE if difference.sort == "force" else 0.0)
        return _share(clause, claim.keys, self._weights) >= wanted

    def _kept_says(self, claim: Claim, pair: Became) -> bool:
        """Whether a passage that did not change says just as much of what the claim has in common with the old one."""
        shared = claim.keys & pair.old.keys
        return len(shared) > 1 and self._says(shared, self._kept, KEPT)

    def _says(self, keys: frozenset[str], among: Finder, share: float) -> bool:
        """Whether one passage holds that share of some keys. It must have one of the two rarest."""
        wanted = share * self._weights.total(keys)
        rarest = sorted(keys, key=lambda key: (-self._weights.of(key), key))[:2]
        return any(self._weights.total(keys & one.keys) >= wanted for key in rarest for one in among.with_key(key))

    # --- gone

    def _gone(self, passage: Passage) -> Touch | None:
        best: Touch | None = None
        for claim in self._candidates(passage):
            strength = bond(claim, passage, self._weights)
            if strength >= GONE and (best is None or strength > best.bond) and self._unsupported(claim, passage):
                best = Touch(claim, passage, None, "removed", strength)
        return best

    def _unsupported(self, claim: Claim, passage: Passage) -> bool:
        shared = claim.keys & passage.keys
        strong = any(atom.kind in STRONG and atom.key in shared for atom in passage.atoms)
        if len(shared) < 3 or not (strong or self._weights.total(shared) >= GONE_WEIGHT):
            return False
        return not self._says(shared, self._new, STILL)

    # --- notices

    def _noticed(self) -> Iterator[Touch]:
        news: list[tuple[Passage, Sequence[Atom]]] = [(passage, ()) for passage in self._changes.came]
        news += [(pair.new, pair.old.atoms) for pair in self._changes.became]
        for passage, known in news:
            for sentence in passages(passage.text, shortest=0):
                sentence.heading = passage.heading
                notice = notice_in(sentence, known)
                if notice and (claim := self._about(notice)):
                    yield Touch(claim, None, passage, "ended", 1.0 if notice.whole else 0.8)

    def _about(self, notice: Notice) -> Claim | None:
        if notice.whole:
            return self._claims[0] if self._claims else None
        names = {atom.key for atom in notice.subject if atom.kind == "name"}
        words = {atom.key for atom in notice.subject if atom.counts}
        for claim in self._claims:
            if any(atom.text.lower() in ENDED or atom.key == "nolonger" for atom in claim.atoms):
                continue
            if names and names <= claim.keys:
                return claim
            if (
                not names
                and len(words & claim.keys) >= 2
                and _share(frozenset(words), claim.keys, self._weights) >= 0.7
            ):
                return claim
        return None

    # --- who shares what

    def _candidates(self, passage: Passage) -> list[Claim]:
        """Claims that share at least two keys with a passage, or a name."""
        counts: defaultdict[int, int] = defaultdict(int)
        for key in passage.keys | passage.context:
            for number in self._claim_index.get(key, ()):
                counts[number] += 2 if is_name(key) or " " in key else 1
        return [self._claims[number] for number, count in sorted(counts.items()) if count >= 2]

    @cached_property
    def _claim_index(self) -> dict[str, list[int]]:
        index: defaultdict[str, list[int]] = defaultdict(list)
        for number, claim in enumerate(self._claims):
            for key in claim.keys:
                index[key].append(number)
        return index

    def _next_door(self, pair: Became) -> list[Passage]:
        """New passages in the same block: a sentence may have been split."""
        return [one for one in self._by_block.get(pair.new.block, ()) if one is not pair.new]

    @cached_property
    def _by_block(self) -> dict[int, list[Passage]]:
        blocks: defaultdict[int, list[Passage]] = defaultdict(list)
        for passage in self._changes.came:
            blocks[passage.block].append(passage)
        return blocks


def severity_of(touch: Touch) -> Severity:
    if touch.sort in ("polarity", "force", "value", "name") and _commands(touch):
        return "P1"
    if touch.sort in ("polarity", "force", "value", "name", "ended"):
        return "P1" if touch.bond == 1.0 and touch.sort == "ended" else "P2"
    return "P3"


def kind_of(touch: Touch) -> str:
    """In the words that audits by a model use, too."""
    return _KINDS[touch.sort]


_KINDS = {
    "value": "factual-error",
    "name": "factual-error",
    "polarity": "factual-error",
    "force": "factual-error",
    "limit": "wording",
    "word": "wording",
    "member": "new-category",
    "removed": "removed",
    "rewritten": "wording",
    "ended": "obsolete-recommendation",
}


def _commands(touch: Touch) -> bool:
    said = (*touch.claim.atoms, *(touch.old.atoms if touch.old else ()))
    return any(atom.key in ("must", "shall", "never", "required", "mandatory") for atom in said)


# --- claims and differences -----------------------------------------------------------------------------------------


def _knows(claim: Claim, difference: Difference) -> bool:
    """Whether the claim says already what the source says now."""
    gained = {atom.key for atom in difference.gained}
    said = {atom.key for atom in claim.atoms}
    lost = {atom.key for atom in difference.lost}
    if difference.sort in ("value", "name"):
        return bool(gained & claim.strong)
    return bool(gained & said) and not lost & said


_COMMON = frozenset({"may", "can", "could", "might", "should", "must", "shall", "not", "no", "all", "some", "only"})
"""Words of force that stand in every other sentence, so that sharing one says nothing."""


def _turned(claim: Claim, difference: Difference) -> frozenset[str]:
    """Words that were turned round and that the claim has, in whatever form: `including`, `included`."""
    lost = {atom.key for atom in difference.lost} - _COMMON
    sides = {SIDES[key] for key in lost if key in SIDES}
    return frozenset(atom.key for atom in claim.atoms if atom.key in lost or SIDES.get(atom.key) in sides)


def _has(claim: Claim, passage: Passage, fact: Atom) -> bool:
    """The value itself; or its number, where a name that both have says what is counted."""
    if fact.key in claim.keys or fact.kind != "number":
        return fact.key in claim.keys
    return bare(fact) in claim.numbers and any(map(is_name, claim.keys & passage.keys))


def _another(claim: Claim, pair: Became, asked: frozenset[str]) -> bool:
    """Whether the passage is about a name, and the claim about others."""
    subject = next((atom for atom in pair.old.atoms if atom.counts), None)
    if subject is None or subject.kind != "name" or subject.key in asked or subject.key in claim.keys | claim.context:
        return False
    return any(is_name(key) for key in claim.keys)


def _same_meaning(claim: Claim, passage: Passage, fact: Atom, difference: Difference) -> bool:
    """Whether a value stands for the same thing in both: something around it is the same."""
    if fact.kind in ("name", "word"):
        return True
    key = fact.key if fact.key in claim.strong else bare(fact)
    if not telling(fact):
        beside = _around(claim.atoms, key, _BESIDE) & _around(passage.atoms, fact.key, _BESIDE)
        return bool(beside) or any(map(is_name, claim.keys & (passage.keys | passage.context)))
    close = (
        passage.keys if len(passage.keys) <= _SMALL else difference.clause | frozenset(filter(is_name, passage.keys))
    )
    near = (close | passage.context) - {fact.key}
    return bool(_around(claim.atoms, key, _WINDOW) & near) or bool(claim.context & difference.clause)


def telling(fact: Atom) -> bool:
    """Whether a value says what it is: with a unit, a fraction, or more than two digits."""
    return fact.kind != "number" or " " in fact.key or "." in fact.key or len(fact.key) > 2


def _around(some: Sequence[Atom], key: str, reach: int) -> frozenset[str]:
    found: set[str] = set()
    for place, atom in enumerate(some):
        if atom.key == key:
            near = some[max(0, place - reach) : place + reach + 1]
            found.update(other.key for other in near if other.counts and other.key != key)
    return frozenset(found)


def _share(keys: frozenset[str], of: frozenset[str], weights: Weights) -> float:
    return weights.total(keys & of) / max(weights.total(keys), 0.001)


def cut(text: str) -> str:
    """What fits into a report, still literally a part of the source."""
    return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0]
