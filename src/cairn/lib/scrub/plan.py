"""Rules, sorted by what finds their candidates, so that a text is searched once for what several of them look for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from cairn.lib.scrub.columns import head_pattern
from cairn.lib.scrub.letters import folded
from cairn.lib.scrub.rule import ScrubRule

_LETTERS = re.compile(rb"[a-z\xc0-\xff]+")
BEHIND = 40
_KEPT = 8
_MOST_WORDS, _LONGEST_WORD = 100_000, 40
_BEYOND = 256
"""Code points that the views have no byte for."""


class ScrubPlan:
    """How a tuple of rules is applied; `order` is the index of a rule."""

    def __init__(self, rules: tuple[ScrubRule, ...]) -> None:
        self.rules = rules
        self._patterns: dict[int, re.Pattern[str]] = {}
        self._behind: dict[int, re.Pattern[str]] = {}
        self._heads: dict[int, re.Pattern[str]] = {}
        self._inside: dict[bytes, tuple[bytes, ...]] = {}

    def pattern(self, order: int) -> re.Pattern[str]:
        """Compiled when the first candidate turns up: most texts need few of them."""
        found = self._patterns.get(order)
        if found is None:
            rule = self.rules[order]
            found = self._patterns[order] = re.compile(rule.pattern, rule.flags)
        return found

    def is_behind(self, order: int, text: str, at: int) -> bool:
        """Whether the few words before a place make a match possible."""
        rule = self.rules[order]
        if not rule.behind:
            return True
        found = self._behind.get(order)
        if found is None:
            found = self._behind[order] = re.compile(rule.behind, rule.flags)
        return found.search(text, max(0, at - BEHIND), at) is not None

    @cached_property
    def heads(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """By the first two characters: a lookup instead of a search for eighty words."""
        heads: dict[str, list[tuple[str, int]]] = {}
        for order, rule in enumerate(self.rules):
            for word in rule.words:
                heads.setdefault(word[:2], []).append((word, order))
        return heads

    @cached_property
    def literals(self) -> Sequence[tuple[bytes, bytes, Sequence[int]]]:
        """Each with its longest word, which a text has when it has all of it; empty when it has no letters."""
        found = _gathered((literal, order) for order, rule in enumerate(self.rules) for literal in rule.literals)
        return [(literal, max(_LETTERS.findall(literal), key=len, default=b""), orders) for literal, orders in found]

    @cached_property
    def known(self) -> re.Pattern[bytes]:
        """Finds the words of literals, wherever one of them begins."""
        return re.compile(b"(?=(%s))" % _trie(sorted({word for _, word, _ in self.literals if word})))

    def words_in(self, words: Iterable[bytes]) -> set[bytes]:
        """Words of literals that stand in these, also in the middle of a longer one. Most texts share most words, so
        what stands in one is kept."""
        if len(self._inside) > _MOST_WORDS:
            self._inside.clear()
        found: set[bytes] = set()
        for word in words:
            inside = self._inside.get(word)
            if inside is None:
                inside = self._words_inside(word)
                if len(word) <= _LONGEST_WORD:
                    self._inside[word] = inside
            if inside:
                found.update(inside)
        return found

    def _words_inside(self, word: bytes) -> tuple[bytes, ...]:
        starts = set(self.known.findall(word))
        return tuple(inside for start in starts for inside in self.begun_by[start] if inside in word)

    @cached_property
    def begun_by(self) -> Mapping[bytes, Sequence[bytes]]:
        """The trie stops at the shortest word; all that begin with it."""
        words = {word for _, word, _ in self.literals if word}
        short = [word for word in words if not any(word != other and word.startswith(other) for other in words)]
        return {start: [word for word in words if word.startswith(start)] for start in short}

    @cached_property
    def by_word(self) -> Mapping[bytes, Sequence[tuple[bytes, Sequence[bytes], Sequence[int]]]]:
        """Literals by their longest word, with what else the vocabulary of a text has that has them."""
        found: dict[bytes, list[tuple[bytes, Sequence[bytes], Sequence[int]]]] = {}
        for literal, word, orders in self.literals:
            found.setdefault(word, []).append((literal, _edges(literal), orders))
        return found

    @cached_property
    def wide_literals(self) -> Sequence[tuple[str, frozenset[str], Sequence[int]]]:
        """Those in other scripts, which only a text that has such letters can have."""
        found: dict[str, list[int]] = {}
        for order, rule in enumerate(self.rules):
            for literal in rule.literals:
                if not _is_narrow(literal):
                    found.setdefault(literal, []).append(order)
        return [(literal, frozenset(literal), orders) for literal, orders in found.items()]

    @cached_property
    def shapes(self) -> Sequence[tuple[bytes, Sequence[int]]]:
        return _gathered((shape, order) for order, rule in enumerate(self.rules) for shape in rule.shapes)

    @cached_property
    def numbers(self) -> Sequence[int]:
        return [order for order, rule in enumerate(self.rules) if rule.digits]

    @cached_property
    def columns(self) -> frozenset[int]:
        return frozenset(order for order, rule in enumerate(self.rules) if rule.column)

    def head(self, order: int) -> re.Pattern[str]:
        """Of the columns of a rule."""
        found = self._heads.get(order)
        if found is None:
            column = self.rules[order].column
            found = self._heads[order] = head_pattern(column.head if column else "(?!)")
        return found

    @cached_property
    def lone_numbers(self) -> Sequence[int]:
        return [order for order in self.numbers if not self.rules[order].near]

    @cached_property
    def all_numbers(self) -> Sequence[int]:
        """Rules that look at the words themselves; their `near` is `*`."""
        return [order for order in self.numbers if self.rules[order].near == ("*",)]

    @cached_property
    def lone_number(self) -> re.Pattern[str]:
        """Finds what any of them may find."""
        return re.compile(
            "|".join(self.rules[order].pattern.replace("?P<secret>", "?:") for order in self.lone_numbers) or "(?!)"
        )

    @cached_property
    def near(self) -> Mapping[str, Sequence[int]]:
        """Rules for numbers by the words that lead to them."""
        found: dict[str, list[int]] = {}
        for order in self.numbers:
            for word in self.rules[order].near:
                found.setdefault(folded(word), []).append(order)
        return found

    @cached_property
    def stems(self) -> Sequence[tuple[str, int]]:
        """Words that end with `*` stand for everything that begins so, as compounds of German and Finnish do."""
        return [(word[:-1], order) for word, orders in self.near.items() if word[1:].endswith("*") for order in orders]

    @cached_property
    def near_stems(self) -> tuple[str, ...]:
        return tuple({stem for stem, _ in self.stems})

    @cached_property
    def near_unspaced(self) -> Sequence[str]:
        """Words of scripts that put no blanks between words, or marks into them."""
        return [word for word in self.near if ord(max(word)) > 0x052F and not word.endswith(("*", "!"))]

    @cached_property
    def fewest(self) -> int:
        return min((self.rules[order].digits for order in self.numbers), default=0)


def _gathered(pairs: Iterable[tuple[str, int]]) -> Sequence[tuple[bytes, Sequence[int]]]:
    found: dict[bytes, list[int]] = {}
    for text, order in pairs:
        if _is_narrow(text):
            found.setdefault(text.encode("latin-1"), []).append(order)
    return list(found.items())


def _edges(literal: bytes) -> Sequence[bytes]:
    """The words of a literal as a vocabulary has them: `pp no` has a word that ends with `pp`, and one that begins
    with `no`. None when it is one word, or has none."""
    found = []
    for word in _LETTERS.finditer(literal):
        before = b"\n" if word.start() else b""
        after = b"\n" if word.end() < len(literal) else b""
        if before or after:
            found.append(before + word[0] + after)
    return found


def _trie(words: Sequence[bytes], depth: int = 0) -> bytes:
    """A pattern that decides letter by letter, and takes the shortest word: what begins with it is found with it."""
    heads: dict[bytes, list[bytes]] = {}
    for word in words:
        heads.setdefault(word[:1], []).append(word[1:])
    parts = []
    for head, rests in sorted(heads.items()):
        parts.append(re.escape(head) + (b"" if b"" in rests else _trie(rests, depth + 1)))
    return b"(?:" + b"|".join(parts) + b")"


def _is_narrow(text: str) -> bool:
    return ord(max(text)) < _BEYOND


_plans: dict[int, ScrubPlan] = {}


def plan_of(rules: Sequence[ScrubRule]) -> ScrubPlan:
    """By identity: to hash hundreds of rules takes longer than to read a short text."""
    known = _plans.get(id(rules))
    if known is not None and known.rules is rules:
        return known
    plan = ScrubPlan(tuple(rules))
    if isinstance(rules, tuple):
        if len(_plans) >= _KEPT:
            _plans.clear()
        _plans[id(rules)] = plan
    return plan
