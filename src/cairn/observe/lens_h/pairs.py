"""Which texts are worth comparing: those on two pages that share what few others talk about."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from cairn.kernel.text.atoms import concept
from cairn.kernel.text.lexicon import NEGATIONS, NUMBER_WORDS, UNITS
from cairn.observe.lens_h.claims import Claim
from cairn.observe.lens_h.passages import Passage
from cairn.observe.lens_h.words import DECORATION, SIDE_OF

RAREST = 5
"""Of so many of its rarest words each pair is looked up. Two texts about one thing differ in fewer."""
FEW = 3
MOSTLY = 0.5
"""So much of the shorter text must be in the longer one."""
CROWD = 80
"""What more texts than these have in common tells nothing."""
_WORD = re.compile(r"[^\W\d]\w+(?:[./_-]\w+)*")
_PASSED_OVER = (
    DECORATION
    | SIDE_OF.keys()
    | {concept(word) for word in (*UNITS, *NUMBER_WORDS, *NEGATIONS)}
    | {
        concept(word)
        for word in [
            "must",
            "should",
            "shall",
            "may",
            "can",
            "could",
            "might",
            "will",
            "always",
            "required",
            "optional",
            "allowed",
        ]
    }
)
"""Words that two texts about one thing may well differ in."""

Lookup = tuple[str, ...]


def promising(passages: Sequence[Passage]) -> list[Passage]:
    """Those that say nearly what a passage of another page says: most of a corpus is said once."""
    words = [_words(passage.text) for passage in passages]
    buckets: dict[Lookup, list[int]] = defaultdict(list)
    for number, lookups in enumerate(_lookups(words)):
        for lookup in lookups:
            buckets[lookup].append(number)
    kept: set[int] = set()
    for bucket in buckets.values():
        for one, other in combinations(bucket, 2) if 1 < len(bucket) <= CROWD else ():
            if one in kept and other in kept:
                continue
            if passages[one].path != passages[other].path and _overlap(words[one], words[other]):
                kept |= {one, other}
    return [passages[number] for number in sorted(kept)]


def _overlap(some: frozenset[str], others: frozenset[str]) -> bool:
    return len(some & others) >= MOSTLY * min(len(some), len(others))


def _words(text: str) -> frozenset[str]:
    return frozenset(key for word in _WORD.findall(text.lower()) if (key := concept(word)) not in _PASSED_OVER)


def _lookups(keys: Sequence[frozenset[str]]) -> Iterator[list[Lookup]]:
    """Of each set, the pairs among its rarest members; of a small one, each member too."""
    common = Counter(key for some in keys for key in some)
    for some in keys:
        told_twice = (key for key in some if common[key] > 1)
        rarest = sorted(told_twice, key=lambda key: (common[key], key))[:RAREST]
        alone = [(key,) for key in rarest] if len(rarest) <= FEW else []
        yield [*alone, *(tuple(sorted(pair)) for pair in combinations(rarest, 2))]


def candidates(claims: Iterable[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Pairs of claims of one kind on two pages, each once, the first of both in order first."""
    ordered = sorted(set(claims), key=lambda claim: claim.key)
    buckets: dict[tuple[str, Lookup], list[int]] = defaultdict(list)
    for number, lookups in enumerate(_lookups([claim.subject - DECORATION for claim in ordered])):
        for lookup in lookups:
            buckets[ordered[number].kind, lookup].append(number)
    seen: set[tuple[int, int]] = set()
    for _, bucket in sorted(buckets.items()):
        if len(bucket) <= CROWD:
            yield from _within(ordered, bucket, seen)


def _within(
    claims: Sequence[Claim], bucket: Sequence[int], seen: set[tuple[int, int]]
) -> Iterator[tuple[Claim, Claim]]:
    for first, second in combinations(bucket, 2):
        if (first, second) not in seen and claims[first].path != claims[second].path:
            seen.add((first, second))
            yield claims[first], claims[second]
