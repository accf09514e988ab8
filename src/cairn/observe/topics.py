"""Topics that are nearly the same, told apart from topics that only look so: precise before complete."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final

LONG_WORD: Final = 9
"""Letters from which on one that is missing, doubled or in the wrong place makes no other word."""
_MOST_FORMS: Final = 16
_LITTLE: Final = frozenset({"a", "an", "the", "of"})
"""The limits of the API are the API's limits. With `to`, `from` or `without` it would be something else."""


def related(topics: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of topics that differ in plural, hyphens, order of words, articles or a slip of the pen; those with one
    member, too. In the order of their first members."""
    groups = _Groups(topics)
    shared: dict[tuple[str, ...], str] = {}
    for topic in groups.members:
        for key in keys(topic):
            groups.join(shared.setdefault(key, topic), topic)
    for one, other in _slips(groups.members):
        groups.join(one, other)
    return groups.all()


class _Groups:
    def __init__(self, topics: Iterable[str]) -> None:
        self.members = sorted(set(topics))
        self._above = {topic: topic for topic in self.members}

    def top(self, topic: str) -> str:
        while self._above[topic] != topic:
            self._above[topic] = topic = self._above[self._above[topic]]
        return topic

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.top(one), self.top(other)))
        self._above[second] = first

    def all(self) -> list[tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for topic in self.members:
            found[self.top(topic)].append(topic)
        return [tuple(group) for group in found.values()]


# --- plural, hyphens, order -----------------------------------------------------------------------------------------


def keys(topic: str) -> Iterator[tuple[str, ...]]:
    """Two topics with one of these in common are written differently and the same."""
    forms = [_singulars(word) for word in topic.split("-")]
    if len(forms) > _MOST_FORMS:
        yield (topic,)
        return
    for words in _some(forms):
        yield ("".join(words),)
        content = [word for word in words if word not in _LITTLE]
        if len(content) > 1:
            yield tuple(sorted(content))
        elif len(words) > 1:
            yield tuple(sorted(words))


def _some(forms: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """All combinations, unless they are many: then only as written and all words in the singular."""
    if sum(len(each) > 1 for each in forms) > 4:
        yield tuple(each[0] for each in forms)
        yield tuple(each[-1] for each in forms)
        return
    yield from product(*forms)


def _singulars(word: str) -> tuple[str, ...]:
    """What a word may be the plural of; itself when it is none."""
    if len(word) < 4 or not word.isascii() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return (word,)
    if word.endswith("ies"):
        return (f"{word[:-3]}y", word[:-1])
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return (word[:-1], word[:-2])
    return (word[:-1],)


# --- slips of the pen -----------------------------------------------------------------------------------------------


def _slips(topics: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs in which one long word has a letter less, two letters exchanged, or s for z."""
    near: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for topic in topics:
        for key in _gapped(topic.split("-")):
            near[key].append(topic)
    for together in near.values():
        for at, one in enumerate(together):
            yield from ((one, other) for other in together[at + 1 :] if _is_slip(one.split("-"), other.split("-")))


def _gapped(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The topic with each letter of each long word left out, and as it is."""
    yield tuple(words)
    for at, word in enumerate(words):
        if len(word) >= LONG_WORD and word.isalpha():
            for gap in {word[:letter] + word[letter + 1 :] for letter in range(2, len(word))}:
                yield (*words[:at], gap, *words[at + 1 :])


def _is_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    different = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    return len(one) == len(other) and len(different) == 1 and _is_word_slip(*sorted(different[0], key=len))


def _is_word_slip(shorter: str, longer: str) -> bool:
    if len(shorter) < LONG_WORD or not (shorter + longer).isalpha() or shorter[:2] != longer[:2]:
        return False
    at = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    if len(longer) > len(shorter):
        return shorter[at:] == longer[at + 1 :]
    if shorter[at + 1 :] == longer[at + 1 :]:
        return {shorter[at], longer[at]} == {"s", "z"}  # serialise, serialize
    return shorter[at : at + 2] == longer[at : at + 2][::-1] and shorter[at + 2 :] == longer[at + 2 :]
