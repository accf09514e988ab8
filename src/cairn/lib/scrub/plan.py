"""Rules, sorted by what finds their candidates, so that a text is searched once; tables by their columns."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cairn.lib.scrub.names import folded
from cairn.lib.scrub.rule import Category, ScrubRule

_ROWS = 200
_WIDEST = 600
"""Characters of the head of a table."""
_LINE = re.compile(r"[^\n]*")
_CELL = re.compile(r"[ \t\"'`]*(?P<value>[^ \t\"'`]+(?: [^ \t\"'`]+){0,3})[ \t\"'`]*")
_OF_CODE = frozenset("(){}[]=<>")
"""Signs of code, which has commas, too."""
_COLUMNS_MOST_WORDS = 4
_Judge = Callable[[str], Category | None]


def head_pattern(head: str) -> re.Pattern[str]:
    """With what may stand around it."""
    return re.compile(
        rf"[ \t\"'`*]{{0,40}}(?:[^\W_]{{1,20}}[.°º#]?[ _.'’-]{{1,2}}){{0,4}}(?:{head})(?:[ _.#№°º-]{{1,3}}\w{{0,24}}\.?){{0,2}}[ \t\"'`*]{{0,40}}",
        re.IGNORECASE,
    )


def in_columns(
    text: str, found: Iterable[int], head: re.Pattern[str], judge: _Judge
) -> Iterator[tuple[int, int, Category]]:
    """Start, end and category of cells below a head that stands at one of these places."""
    done = 0
    for at in found:
        if at < done:
            continue
        line = text.rfind("\n", max(0, at - _WIDEST), at) + 1
        end = text.find("\n", at, at + _WIDEST)
        done = end if end > 0 else at + 1
        if end > 0 and (line or at < _WIDEST) and (sign := _sign(text, line, end)):
            for start, stop, worth in _below(text, line, end, sign, head, judge):
                done = max(done, stop)
                if worth:
                    yield start, stop, worth


def _sign(text: str, line: int, end: int) -> str:
    """What separates the cells: it stands as often in the line below."""
    for sign in "|,;\t":
        number = text.count(sign, line, end)
        if number and text.count(sign, end + 1, _end(text, end + 1)) == number:
            return sign if sign != "," or _is_head(text[line:end]) else ""
    return ""


def _is_head(line: str) -> bool:
    """Commas stand in code and in sentences, too."""
    return _OF_CODE.isdisjoint(line) and all(cell.count(" ") < _COLUMNS_MOST_WORDS for cell in line.split(","))


def _end(text: str, at: int) -> int:
    """Where the line that begins here ends."""
    end = text.find("\n", at, at + _WIDEST)
    return end if end >= 0 else min(len(text), at + _WIDEST)


def _below(
    text: str, line: int, end: int, sign: str, head: re.Pattern[str], judge: _Judge
) -> Iterator[tuple[int, int, Category | None]]:
    """Cells, and None as the worth of those that hold nothing: whatever was read is not read again."""
    heads = text[line:end].split(sign)
    columns = [place for place, one in enumerate(heads) if len(heads) > 2 - (sign != "|") and head.fullmatch(one)]
    if not columns:
        return
    at = end + 1
    for _ in range(_ROWS):
        row = _LINE.match(text, at)
        if row is None or row[0].count(sign) + 1 != len(heads):
            return
        yield from _cells(row[0], at, sign, columns, judge)
        at = row.end() + 1


def _cells(
    row: str, at: int, sign: str, columns: list[int], judge: _Judge
) -> Iterator[tuple[int, int, Category | None]]:
    cells = row.split(sign)
    for column in columns:
        start = at + sum(len(cell) + 1 for cell in cells[:column])
        cell = _CELL.fullmatch(cells[column])
        worth = judge(cell["value"]) if cell else None
        if cell:
            yield start + cell.start("value"), start + cell.end("value"), worth


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
        self._inside: dict[bytes, tuple[tuple[bytes, ...], tuple[bytes, ...]]] = {}
        self._without: set[bytes] = set()

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
                if word != "*":
                    heads.setdefault(word[:2], []).append((word, order))
        return heads

    @cached_property
    def any_word(self) -> Sequence[int]:
        """Rules that look at every long word."""
        return [order for order, rule in enumerate(self.rules) if "*" in rule.words]

    @cached_property
    def literals(self) -> Sequence[tuple[bytes, bytes, Sequence[int]]]:
        """Each with its longest word, which a text has when it has all of it; empty when that is a letter or none."""
        found = _gathered((literal, order) for order, rule in enumerate(self.rules) for literal in rule.literals)
        return [(literal, _longest_word(literal), orders) for literal, orders in found]

    @cached_property
    def orders(self) -> Mapping[bytes, Sequence[int]]:
        """Rules by their literals."""
        return {literal: orders for literal, _, orders in self.literals}

    @cached_property
    def wide_orders(self) -> Mapping[str, Sequence[int]]:
        return {literal: orders for literal, _, orders in self.wide_literals}

    @cached_property
    def longest(self) -> int:
        """Characters of any literal."""
        return max((len(literal) for rule in self.rules for literal in rule.literals), default=0)

    @cached_property
    def known(self) -> re.Pattern[bytes]:
        """Finds the words of literals, wherever one of them begins."""
        return re.compile(b"(?=(%s))" % _trie(sorted({word for _, word, _ in self.literals if word})))

    def words_in(self, words: frozenset[bytes]) -> tuple[set[bytes], set[bytes]]:
        """Words of literals that stand in these, also in the middle of a longer one, and edges of literals. Most texts
        share most words, so what stands in one is kept."""
        if len(self._inside) + len(self._without) > _MOST_WORDS:
            self._inside.clear()
            self._without.clear()
        found: set[bytes] = set()
        edges: set[bytes] = set()
        for word in words - self._without:
            inside = self._inside.get(word) or self._kept(word)
            found.update(inside[0])
            edges.update(inside[1])
        return found, edges

    def _kept(self, word: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        inside = self._words_inside(word), self._edges_of(word)
        if len(word) <= _LONGEST_WORD:
            if any(inside):
                self._inside[word] = inside
            else:
                self._without.add(word)
        return inside

    def _words_inside(self, word: bytes) -> tuple[bytes, ...]:
        starts = set(self.known.findall(word)) - {b""}
        return tuple(inside for start in starts for inside in self.begun_by[start] if inside in word)

    def _edges_of(self, word: bytes) -> tuple[bytes, ...]:
        """Those that begin or end it, or are all of it."""
        sizes = range(1, min(len(word), self.longest) + 1)
        ends = [edge for size in sizes for edge in (b"\n" + word[:size], word[-size:] + b"\n")]
        return tuple(edge for edge in (*ends, b"\n%s\n" % word) if edge in self.edges)

    @cached_property
    def edges(self) -> frozenset[bytes]:
        """Of all literals."""
        return frozenset(edge for literals in self.by_word.values() for _, edges, _ in literals for edge in edges)

    @cached_property
    def begun_by(self) -> Mapping[bytes, Sequence[bytes]]:
        """The trie stops at the shortest word; all that begin with it."""
        words = {word for _, word, _ in self.literals if word}
        short = [word for word in words if not any(word != other and word.startswith(other) for other in words)]
        return {start: [word for word in words if word.startswith(start)] for start in short}

    @cached_property
    def by_word(self) -> Mapping[bytes, Sequence[tuple[bytes, frozenset[bytes], Sequence[int]]]]:
        """Literals by their longest word, with what else the vocabulary of a text has that has them."""
        found: dict[bytes, list[tuple[bytes, frozenset[bytes], Sequence[int]]]] = {}
        for literal, word, orders in self.literals:
            found.setdefault(word, []).append((literal, frozenset(_edges(literal)), orders))
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


def _longest_word(literal: bytes) -> bytes:
    """A single letter stands in every word, so it tells nothing."""
    word = max(_LETTERS.findall(literal), key=len, default=b"")
    return word if len(word) > 1 else b""


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
