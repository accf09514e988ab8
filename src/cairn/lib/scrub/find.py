"""Finds what must not leave in a text, and takes it out. What was found is never shown: a hit is a place and a rule."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cairn.lib.scrub.apart import NamedValue, named_values
from cairn.lib.scrub.checks import group_of
from cairn.lib.scrub.nearby import rules_near
from cairn.lib.scrub.places import LiteralPlaces, literal_places, places, wide_places
from cairn.lib.scrub.plan import ScrubPlan, in_columns, plan_of
from cairn.lib.scrub.rule import Category, ScrubRule
from cairn.lib.scrub.rules import GENERIC, KEPT

LONG = 15
"""A word that may be a token, a key or an account number has at least so many characters."""
LONGER = 24
"""The same of what has no known beginning."""
FEWEST_DIGITS = 6
MOST_DIGITS = 40

_WORD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_AS_WORDS = bytes(97 if char in _WORD else 32 for char in range(256))
_AS_SHAPES = bytes(
    48 if 48 <= char <= 57 else 65 if 65 <= char <= 90 else 97 if 97 <= char <= 122 else char for char in range(256)
)
_AS_LOWER = bytes(
    char + 32 if 65 <= char <= 90 or (192 <= char <= 222 and char != 215) else char for char in range(256)
)
_LONG_WORD = b"a" * LONG
_PRINTED = {
    "\xa0": "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff",
    "-": "\u2010\u2011\u2012\u2013\ufe63\uff0d",
}
"""Blanks and hyphens of printed numbers that are beyond Latin-1."""
_DASHES = re.compile(r"(?<=\d)[\u2014\u2015\u2212](?=\d)")
_DIGIT = re.compile(r"\d")
_FOREIGN_DIGIT = re.compile(r"[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]")
_DIGITS = {
    start + digit: str(digit) for start in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10) for digit in range(10)
}
_NUMBER = re.compile(rb"[0-9](?:(?:[ ./\xa0-]| [-/] )?[0-9]){%d,%d}+" % (FEWEST_DIGITS - 1, MOST_DIGITS - 1))


class Views:
    __slots__ = ("__dict__", "_flat", "text")

    def __init__(self, text: str) -> None:
        """Blanks, hyphens and digits of other scripts become plain ones, code point by code point."""
        if not text.isascii():
            text = _plain(text)
        self.text = text
        self._flat = text.encode("latin-1", "replace")  # what is beyond becomes one `?` a code point

    @cached_property
    def lower(self) -> bytes:
        return self._flat.translate(_AS_LOWER)

    @cached_property
    def shapes(self) -> bytes:
        return self._flat.translate(_AS_SHAPES)

    def numbers(self) -> Iterator[tuple[int, int]]:
        """Start and end of every number of `FEWEST_DIGITS` or more, with its gaps."""
        return (found.span() for found in _NUMBER.finditer(self._flat))

    def long_words(self) -> Iterator[tuple[int, int]]:
        """Start and end of every word of `LONG` characters or more."""
        view = self._flat.translate(_AS_WORDS)
        start = view.find(_LONG_WORD)
        while start >= 0:
            end = view.find(b" ", start + LONG)
            end = len(view) if end < 0 else end
            yield start, end
            start = view.find(_LONG_WORD, end)


def _plain(text: str) -> str:
    for plain, others in _PRINTED.items():
        for other in others:
            text = text.replace(other, plain)
    if _FOREIGN_DIGIT.search(text):
        text = text.translate(_DIGITS)
    return _DASHES.sub("-", text)


ROUNDS = 10
_MARK = re.compile(r"\[REDACTED:[a-z0-9-]{1,40}\]")
_JOINT = re.compile(r"[-_.]")


class SecretHit(NamedTuple):
    start: int
    end: int
    """In code points of the text."""
    rule: str
    category: Category


class RedactedText(NamedTuple):
    text: str
    counts: dict[str, int]
    """How often each rule took something out."""


def find(text: str, rules: Sequence[ScrubRule] = GENERIC) -> tuple[SecretHit, ...]:
    """Everything that the rules find, in order and without overlaps."""
    plan = plan_of(rules)
    views = Views(text)
    narrow, wide = literal_places(views.lower, plan), wide_places(views.text, plan)
    found = [*_raw(views, plan, narrow, wide), *_apart(views.text, plan, narrow, wide)]
    found += _again(text, found)
    return _settled(sorted((start, -end, order, category) for start, end, order, category in found), rules)


def redact(text: str, rules: Sequence[ScrubRule] = GENERIC) -> RedactedText:
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
    return RedactedText(text, counts)


# --- candidates -----------------------------------------------------------------------------------------------------

_Raw = tuple[int, int, int, Category]
"""Start, end, index of the rule, category."""
TRIES = 100
_BEFORE_DIGITS, _AFTER_DIGITS = 14, 12
"""Characters of a match that may stand before and after its digits."""


def _raw(
    views: Views, plan: ScrubPlan, narrow: Sequence[LiteralPlaces], wide: Sequence[LiteralPlaces]
) -> Iterator[_Raw]:
    yield from _in_long_words(views, plan)
    yield from _in_numbers(views, plan)
    yield from _in_tables(views.text, plan, narrow, wide)
    for literal in narrow:
        yield from _around(views.text, plan, literal.orders, literal.places)
    for shape, orders in plan.shapes:
        yield from _around(views.text, plan, orders, places(views.shapes, shape))
    for literal in wide:
        yield from _around(views.text, plan, literal.orders, literal.places)


def _in_tables(
    text: str, plan: ScrubPlan, narrow: Sequence[LiteralPlaces], wide: Sequence[LiteralPlaces]
) -> Iterator[_Raw]:
    """Below the heads of columns."""
    for literal in (*narrow, *wide):
        for order in literal.orders:
            if column := plan.rules[order].column:
                for start, end, category in in_columns(text, literal.places, plan.head(order), column.judge):
                    yield start, end, order, category


_BETWEEN = "\n" + "." * 120 + "\n"
"""Keeps one value from being read with the name of another."""


def _apart(
    text: str, plan: ScrubPlan, narrow: Sequence[LiteralPlaces], wide: Sequence[LiteralPlaces]
) -> Iterator[_Raw]:
    """Values that stand apart from their names: each is written right behind its name, and all are read at once."""
    naming = {
        at
        for literal in (*narrow, *wide)
        if any(plan.rules[order].column for order in literal.orders)
        for at in literal.places
    }
    values = list(dict.fromkeys(named_values(text, naming)))
    if values:
        yield from _as_if_beside(text, values, plan)


def _as_if_beside(text: str, values: Sequence[NamedValue], plan: ScrubPlan) -> Iterator[_Raw]:
    written, starts = [], []
    size = 0
    for name, start, end in values:
        starts.append(size + len(name) + 2)
        written.append(f"{name}: {text[start:end]}{_BETWEEN}")
        size += len(written[-1])
    views = Views("".join(written))
    hits = list(_raw(views, plan, literal_places(views.lower, plan), wide_places(views.text, plan)))
    for start, end, order, category in hits:
        at = bisect_right(starts, start) - 1
        value = values[at]
        size = value.end - value.start
        if at >= 0 and end - starts[at] <= size:
            yield start - starts[at] + value.start, end - starts[at] + value.start, order, category


def _in_long_words(views: Views, plan: ScrubPlan) -> Iterator[_Raw]:
    if plan.heads or plan.any_word:
        for start, end in views.long_words():
            yield from _in_one(views.text, plan, start, end)
            if end - start >= LONGER and _DIGIT.search(views.text, start, end):
                yield from _in_any(views.text, plan, start)


def _in_any(text: str, plan: ScrubPlan, start: int) -> Iterator[_Raw]:
    for order in plan.any_word:
        for at in _starts(text, start):
            if (match := plan.pattern(order).match(text, at)) and (hit := _hit(match, plan, order)):
                yield hit


def _starts(text: str, start: int) -> Iterator[int]:
    """A word may begin with the last letter of `\\n` or with the digits of `%3D`."""
    yield start
    if start and text[start - 1] == "\\":
        yield start + 1
    if start and text[start - 1] == "%":
        yield start + 2


def _in_one(text: str, plan: ScrubPlan, start: int, end: int) -> Iterator[_Raw]:
    """All tokens in a long word; a word full of what looks like beginnings and is none was made to waste our time."""
    tries = 0
    heads = plan.heads
    for at in _edges(text, start, end):
        for word, order in heads.get(text[at : at + 2], ()):
            if text.startswith(word, at) and (match := plan.pattern(order).match(text, at)):
                tries += 1
                if hit := _hit(match, plan, order):
                    yield hit
        if tries > TRIES:
            return


def _edges(text: str, start: int, end: int) -> Iterator[int]:
    """Where something may start in a long word."""
    yield from _starts(text, start)
    for found in _JOINT.finditer(text, start, end):
        yield found.end()


def _in_numbers(views: Views, plan: ScrubPlan) -> Iterator[_Raw]:
    """Each number by the rules that need no words, and by those whose words stand near it."""
    if not plan.numbers:
        return
    for start, end in views.numbers():
        size = sum(map(str.isdigit, views.text[start:end]))
        if size >= plan.fewest:
            for order in (*_lone(views.text, start, end, plan), *rules_near(views.text, start, end, plan)):
                if plan.rules[order].digits <= size:
                    yield from _in_number(views.text, plan, order, start, end)


def _lone(text: str, start: int, end: int, plan: ScrubPlan) -> Sequence[int]:
    """Rules that need no words, when one of them may find something."""
    found = plan.lone_number.search(text, max(0, start - _BEFORE_DIGITS), end + _AFTER_DIGITS)
    return plan.lone_numbers if found else ()


def _in_number(text: str, plan: ScrubPlan, order: int, start: int, end: int) -> Iterator[_Raw]:
    for match in plan.pattern(order).finditer(text, max(0, start - _BEFORE_DIGITS), end + _AFTER_DIGITS):
        if hit := _hit(match, plan, order):
            yield hit


def _around(text: str, plan: ScrubPlan, orders: Sequence[int], found: Iterable[int]) -> Iterator[_Raw]:
    done = dict.fromkeys(orders, 0)
    for at in found:
        for order in orders:
            if at >= done[order] and plan.is_behind(order, text, at):
                rule = plan.rules[order]
                match = plan.pattern(order).match(text, _start(text, rule, at), at + rule.reach)
                if hit := _hit(match, plan, order):
                    done[order] = hit[1]
                    yield hit


def _start(text: str, rule: ScrubRule, at: int) -> int:
    """Back over what may stand before; by `rstrip`, because a page of `@` must not take a minute."""
    if rule.back == "*":
        return max(0, at - rule.before, text.rfind("\n", max(0, at - rule.before), at) + 1)
    before = text[max(0, at - rule.before) : at]
    return at - len(before) + len(before.rstrip(rule.back)) if rule.before else at


def _hit(match: re.Match[str] | None, plan: ScrubPlan, order: int) -> _Raw | None:
    if match is None:
        return None
    rule = plan.rules[order]
    category = rule.check(match) if rule.check else rule.category
    if category is None:
        return None
    start, end = match.span(group_of(match))
    return None if _MARK.fullmatch(match.string, start, end) else (start, end, order, category)


_REPEATED, _SHORTEST = 40, 8
"""How many values are sought again, and how many characters such a value has."""


def _again(text: str, found: Sequence[_Raw]) -> list[_Raw]:
    """A secret that its surroundings gave away may stand elsewhere in the text without them."""
    values: dict[str, tuple[int, Category]] = {}
    for start, end, order, category in found:
        value = text[start:end]
        if category == "direct" and end - start >= _SHORTEST and _SPECIFIC.fullmatch(value) and len(values) < _REPEATED:
            values.setdefault(value, (order, category))
    known = {(start, end) for start, end, *_ in found}
    return [
        (at, at + len(value), order, category)
        for value, (order, category) in values.items()
        for at in places(text, value)
        if (at, at + len(value)) not in known and _stands_alone(text, at, at + len(value))
    ]


_SPECIFIC = re.compile(r"(?=.{0,60}?\d)(?!\d{8,9}$)(?:[!-~]|(?<=\d) (?=\d)){8,100}")


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum())


# --- hits -----------------------------------------------------------------------------------------------------------


def _settled(found: list[tuple[int, int, int, Category]], rules: Sequence[ScrubRule]) -> tuple[SecretHit, ...]:
    """Of those that overlap the first and longest counts, stretched over all of them: nothing may stick out."""
    hits: list[SecretHit] = []
    for start, minus_end, order, category in found:
        if hits and start < hits[-1].end:
            last = hits[-1]
            worse: Category = "direct" if "direct" in (last.category, category) else "indirect"
            hits[-1] = last._replace(end=max(last.end, -minus_end), category=worse)
        else:
            hits.append(SecretHit(start, -minus_end, rules[order].name, category))
    return tuple(hits)


def redact_kept(text: str) -> RedactedText:
    """As `redact`, and the value of everything that is called a password, a secret or a key goes, whatever it is."""
    return redact(text, KEPT)
