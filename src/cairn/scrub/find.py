"""Find what must not leave in a text, and take it out. What was found is never shown: a hit is a place and a rule."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cairn.scrub.rule import Category, Rule
from cairn.scrub.rules import GENERIC
from cairn.scrub.views import Views, places

ROUNDS = 10
_MARK = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")
_JOINT = re.compile(r"[-_.]")


class Hit(NamedTuple):
    start: int
    end: int
    """In code points of the text."""
    rule: str
    category: Category


class Redacted(NamedTuple):
    text: str
    counts: dict[str, int]
    """How often each rule took something out."""


def find(text: str, rules: Sequence[Rule] = GENERIC) -> tuple[Hit, ...]:
    """Everything that the rules find, in order and without overlaps."""
    views = Views(text)
    found = sorted((start, -end, order, category) for start, end, order, category in _raw(views, tuple(rules)))
    return _settled(found, rules)


def redact(text: str, rules: Sequence[Rule] = GENERIC) -> Redacted:
    """The text with a mark in place of each hit. Taking one out may uncover another that touched it, so it is looked
    again until nothing is found."""
    marks = {rule.name: rule.mark for rule in rules}
    counts: dict[str, int] = {}
    for _ in range(ROUNDS):
        hits = find(text, rules)
        if not hits:
            break
        pieces: list[str] = []
        position = 0
        for hit in hits:
            pieces += (text[position : hit.start], marks[hit.rule])
            position = hit.end
            counts[hit.rule] = counts.get(hit.rule, 0) + 1
        text = "".join((*pieces, text[position:]))
    return Redacted(text, counts)


# --- candidates -----------------------------------------------------------------------------------------------------

_Raw = tuple[int, int, int, Category]
"""Start, end, index of the rule, category."""
_Heads = Mapping[str, Sequence[tuple[str, int]]]
TRIES = 100


def _raw(views: Views, rules: tuple[Rule, ...]) -> Iterator[_Raw]:
    yield from _in_long_words(views, rules)
    for order, rule in enumerate(rules):
        for literal in rule.literals:
            yield from _around(views.text, rules, order, places(views.lower, literal.encode("latin-1")))
        for shape in rule.shapes:
            yield from _around(views.text, rules, order, places(views.shapes, shape.encode("latin-1")))


def _in_long_words(views: Views, rules: tuple[Rule, ...]) -> Iterator[_Raw]:
    heads = _heads(rules)
    if heads:
        for start, end in views.long_words():
            yield from _in_one(views.text, rules, heads, start, end)


def _in_one(text: str, rules: tuple[Rule, ...], heads: _Heads, start: int, end: int) -> Iterator[_Raw]:
    """All tokens in a long word; a word full of what looks like beginnings and is none was made to waste our time."""
    tries = 0
    for at in _edges(text, start, end):
        for word, order in heads.get(text[at : at + 2], ()):
            if text.startswith(word, at) and (match := _compiled(rules[order]).match(text, at)):
                tries += 1
                if hit := _hit(match, rules, order):
                    yield hit
        if tries > TRIES:
            return


@lru_cache(maxsize=8)
def _heads(rules: tuple[Rule, ...]) -> _Heads:
    """By the first two characters: a lookup instead of a search for eighty words."""
    heads: dict[str, list[tuple[str, int]]] = {}
    for order, rule in enumerate(rules):
        for word in rule.words:
            heads.setdefault(word[:2], []).append((word, order))
    return heads


def _edges(text: str, start: int, end: int) -> Iterator[int]:
    """Where something may start in a long word."""
    yield start
    for found in _JOINT.finditer(text, start, end):
        yield found.end()


def _around(text: str, rules: tuple[Rule, ...], order: int, found: Iterator[int]) -> Iterator[_Raw]:
    rule = rules[order]
    done = 0
    for at in found:
        if at >= done:
            match = _compiled(rule).match(text, _start(text, rule, at), at + rule.reach)
            if hit := _hit(match, rules, order):
                done = hit[1]
                yield hit


def _start(text: str, rule: Rule, at: int) -> int:
    """Back over what may stand before; by `rstrip`, because a page of `@` must not take a minute."""
    before = text[max(0, at - rule.before) : at]
    return at - len(before) + len(before.rstrip(rule.back)) if rule.before else at


@lru_cache(maxsize=512)
def _compiled(rule: Rule) -> re.Pattern[str]:
    """When the first candidate turns up: most texts need none of them."""
    return re.compile(rule.pattern, rule.flags)


def _hit(match: re.Match[str] | None, rules: tuple[Rule, ...], order: int) -> _Raw | None:
    if match is None:
        return None
    rule = rules[order]
    category = rule.check(match) if rule.check else rule.category
    if category is None:
        return None
    start, end = match.span("secret") if "secret" in match.re.groupindex else match.span()
    return None if _MARK.fullmatch(match.string, start, end) else (start, end, order, category)


# --- hits -----------------------------------------------------------------------------------------------------------


def _settled(found: list[tuple[int, int, int, Category]], rules: Sequence[Rule]) -> tuple[Hit, ...]:
    """Of those that overlap the first and longest counts, stretched over all of them: nothing may stick out."""
    hits: list[Hit] = []
    for start, minus_end, order, category in found:
        if hits and start < hits[-1].end:
            last = hits[-1]
            worse: Category = "direct" if "direct" in (last.category, category) else "indirect"
            hits[-1] = last._replace(end=max(last.end, -minus_end), category=worse)
        else:
            hits.append(Hit(start, -minus_end, rules[order].name, category))
    return tuple(hits)
