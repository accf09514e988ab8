"""Rules, sorted by what finds their candidates, so that a text is searched once for what several of them look for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from cairn.scrub.rule import Rule

_LETTERS = re.compile(rb"[a-z\xc0-\xff]+")
_KEPT = 8
_BEYOND = 256
"""Code points that the views have no byte for."""


class Plan:
    """How a tuple of rules is applied; `order` is the index of a rule."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._patterns: dict[int, re.Pattern[str]] = {}

    def pattern(self, order: int) -> re.Pattern[str]:
        """Compiled when the first candidate turns up: most texts need few of them."""
        found = self._patterns.get(order)
        if found is None:
            rule = self.rules[order]
            found = self._patterns[order] = re.compile(rule.pattern, rule.flags)
        return found

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
                found.setdefault(word, []).append(order)
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
        return [word for word in self.near if ord(max(word)) > 0x052F and not word.endswith("*")]

    @cached_property
    def fewest(self) -> int:
        return min((self.rules[order].digits for order in self.numbers), default=0)


def _gathered(pairs: Iterable[tuple[str, int]]) -> Sequence[tuple[bytes, Sequence[int]]]:
    found: dict[bytes, list[int]] = {}
    for text, order in pairs:
        if _is_narrow(text):
            found.setdefault(text.encode("latin-1"), []).append(order)
    return list(found.items())


def _is_narrow(text: str) -> bool:
    return ord(max(text)) < _BEYOND


_plans: dict[int, Plan] = {}


def plan_of(rules: Sequence[Rule]) -> Plan:
    """By identity: to hash hundreds of rules takes longer than to read a short text."""
    known = _plans.get(id(rules))
    if known is not None and known.rules is rules:
        return known
    plan = Plan(tuple(rules))
    if isinstance(rules, tuple):
        if len(_plans) >= _KEPT:
            _plans.clear()
        _plans[id(rules)] = plan
    return plan
