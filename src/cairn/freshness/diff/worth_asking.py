"""Ranks the lines of documents that a reader should be asked about, because they name something on changed code.

Nothing here proves that a line is false. A line that stays true costs one question, so a name counts for more if its
definition changed or if the file lost it, and for less the more often the file and the documents have it.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from math import log2
from typing import Final, NamedTuple

from cairn.core.repository.code import is_about_other_versions, is_shaped, is_versioned
from cairn.freshness.diff.code_forms import CODE_SPAN, is_placeholder
from cairn.freshness.diff.definition import ChangedFile, bounded
from cairn.freshness.diff.doubt import StaleReason, StaleSentence
from cairn.freshness.diff.name_forms import NAME, SHORTEST, is_distinct_name, plain_form, words_of
from cairn.freshness.diff.names import difference
from cairn.freshness.diff.occurrence import WrittenPage
from cairn.freshness.diff.pages import SurveyedPages
from cairn.freshness.diff.vanished import is_product
from cairn.lib.code.model import Probe, Symbol
from cairn.lib.markdown.frontmatter import decode

_QUALIFIED: Final = re.compile(r"(?<!\w)[A-Za-z_]\w*\.[A-Za-z_]\w*")
_TARGET: Final = re.compile(r"\]\([^()\s]*\)")
_NEAR: Final = 8
"""Lines around a changed one that belong to the same change."""
_MOST_PLACES: Final = 20
_LONGEST_LINE: Final = 2_000
_LEAST: Final = 0.6
"""The score of a line that is worth a question. On 60 commits of three repositories the median is no question, and nine
of ten commits have at most 6."""
_MOST_LINES: Final = 1_000
"""Lines of documents that are looked at for one name."""
_MOST_FILES: Final = 5
"""In which a name may be meant."""
_PAST: Final = 0.5
"""What a line about another version counts: an upgrade guide also says what holds today."""


class _Touch(IntEnum):
    """What the change did to a name, the most telling first."""

    DEFINITION = 0
    LOST = 1
    LINE = 2
    BODY = 3


_WEIGHT: Final = {_Touch.DEFINITION: 8.0, _Touch.LOST: 6.0, _Touch.LINE: 3.0, _Touch.BODY: 2.0}


class _Touched(NamedTuple):
    name: str
    touch: _Touch
    path: str
    old_line: int
    new_line: int | None
    share: float
    """Of the lines of the file that have the name, those that changed."""
    message: str
    old: str = ""
    new: str = ""
    words: frozenset[str] = frozenset()
    """Of the changed lines around it."""


class _NamedLine(NamedTuple):
    page: WrittenPage
    number: int
    written: str
    """The form of the name in this line."""


def worth_asking(files: Sequence[ChangedFile], pages: SurveyedPages, probe: Probe | None) -> list[StaleSentence]:
    """One for each line, the one that most likely became false first."""
    code = [file for file in files if file.old and file.new and is_product(file.path)]
    if not code:
        return []
    forms = _forms(pages)
    touched = _touched(code, probe, forms.keys())
    rarity = _Rarity(pages.texts)
    found: dict[tuple[str, int], tuple[float, StaleSentence]] = {}
    for name, lines in _lines_with(touched, forms, pages).items():
        for (page, number, written), (one, score) in zip(lines, _scored(touched[name], lines, rarity), strict=True):
            place = (page.path, number)
            if score >= _LEAST and (place not in found or found[place][0] < score):
                found[place] = (score, _mention(one, page, number, written))
    return [one for _, one in sorted(found.values(), key=lambda two: (-two[0], two[1].document, two[1].line))]


def _scored(
    touched: Sequence[_Touched], lines: Sequence[_NamedLine], rarity: "_Rarity"
) -> Iterator[tuple[_Touched, float]]:
    """For each line the file whose change it is most likely about, and how likely it became false. The fewer lines are
    about the change as much, the more it counts."""
    best = [max((_rated(one, line, rarity) for one in touched), key=lambda rated: rated[1]) for line in lines]
    contexts = sorted(context for _, _, context in best)
    for one, score, context in best:
        alike = len(contexts) - bisect_left(contexts, context)
        yield one, score / (1 + (log2(alike) + log2(len(lines))) / 2)


def _rated(one: _Touched, line: _NamedLine, rarity: "_Rarity") -> tuple[_Touched, float, float]:
    context = _context(one, line.page, line.number, rarity)
    return one, _score(one, *line, context), context


def _mention(one: _Touched, page: WrittenPage, number: int, written: str) -> StaleSentence:
    return StaleSentence(
        page.path, number, page.lines[number - 1], written, StaleReason.CHANGED, one.message, one.path, one.new_line,
        one.old, one.new, False, one.old_line, "Read the sentence; update it if it is no longer true.",
    )  # fmt: skip


class _Rarity:
    """How few documents have a word."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = [data.lower() for data in texts.values()]
        self._known: dict[str, float] = {}

    def of(self, word: str) -> float:
        if word not in self._known:
            there = sum(word.encode() in text for text in self._texts)
            self._known[word] = log2(1 + len(self._texts) / (there or 1))
        return self._known[word]


def _context(one: _Touched, page: WrittenPage, number: int, rarity: _Rarity) -> float:
    """How many other words of the line are on the changed lines, too; rare ones count for more."""
    words = words_of(page.lines[number - 1]) - _parts(one.name)
    return sum(rarity.of(word) for word in words & one.words)


def _score(one: _Touched, page: WrittenPage, number: int, written: str, context: float) -> float:
    line = page.lines[number - 1]
    says_more = len(words_of(line) - _parts(one.name)) >= 2
    near = len(words_of(page.path) & words_of(one.path))
    passes = one.touch is _Touch.DEFINITION and re.search(rf"{re.escape(written)}`*\(\s*[^\s)]", line) is not None
    return (
        _WEIGHT[one.touch]
        * (0.3 + 0.7 * one.share)
        * (1 + 0.1 * min(context, 40))
        * (1 + 0.25 * near)
        * (2 if passes else 1 if says_more else 0.5)
        * (_PAST if _is_past(page, number) else 1)
    )


# --- the code -------------------------------------------------------------------------------------------------------


def _touched(
    code: Sequence[ChangedFile], probe: Probe | None, plain: Collection[str]
) -> Mapping[str, Sequence[_Touched]]:
    """By name: where each file touched it most, in the files that touched it most. Only names that documents have, as
    `plain_form` writes them."""
    best: dict[str, dict[str, _Touched]] = defaultdict(dict)
    outlines = [_Outlines.of(file, probe) for file in code]
    defined = {name for one in outlines for name in one.new}
    for file, found in zip(code, outlines, strict=True):
        for one in _of_file(file, found, defined, plain):
            other = best[one.name].get(one.path)
            if other is None or _strength(one) < _strength(other):
                best[one.name][one.path] = one
    return {name: sorted(of_files.values(), key=_strength)[:_MOST_FILES] for name, of_files in best.items()}


def _strength(one: _Touched) -> tuple[_Touch, float]:
    return one.touch, -one.share


class _Side:
    """The lines of a file that the other side does not have."""

    def __init__(self, data: bytes | None, other: bytes | None) -> None:
        self.lines = _lines(data)
        kept = Counter(line.strip() for line in _lines(other))
        self.changed: list[tuple[int, str]] = []
        for number, line in enumerate(self.lines, 1):
            if kept[line.strip()]:
                kept[line.strip()] -= 1
            elif line.strip() and len(line) <= _LONGEST_LINE:
                self.changed.append((number, line))
        self._numbers = [number for number, _ in self.changed]
        self.often = Counter(name for line in self.lines for name in set(NAME.findall(line[:_LONGEST_LINE])))
        self.places: dict[str, list[int]] = defaultdict(list)
        for number, line in self.changed:
            for name in NAME.findall(line):
                self.places[name].append(number)

    def words_near(self, first: int, last: int) -> frozenset[str]:
        """Of the changed lines around some lines."""
        near = self.changed[bisect_left(self._numbers, first - _NEAR) : bisect_right(self._numbers, last + _NEAR)]
        return frozenset(words_of("\n".join(line for _, line in near)))

    def words_at(self, name: str) -> frozenset[str]:
        """Of the changed lines around those that have a name."""
        places = self.places.get(name, ())[:_MOST_PLACES]
        return frozenset().union(*(self.words_near(place, place) for place in places))


def _lines(data: bytes | None) -> list[str]:
    return decode(data or b"").text.replace("\r\n", "\n").split("\n")


class _Outlines(NamedTuple):
    """The definitions of a file on both sides, by name."""

    old: Mapping[str, Symbol]
    new: Mapping[str, Symbol]

    @classmethod
    def of(cls, file: ChangedFile, probe: Probe | None) -> "_Outlines":
        return cls(*({one.name: one for one in _symbols(file.path, data, probe)} for data in (file.old, file.new)))


def _of_file(
    file: ChangedFile, outlines: _Outlines, defined: Collection[str], plain: Collection[str]
) -> Iterator[_Touched]:
    old, new = _Side(file.old, file.new), _Side(file.new, file.old)
    yield from (one for one in _definitions(file.path, outlines, (old, new), defined) if plain_form(one.name) in plain)
    for name in old.places.keys() | new.places.keys():
        if len(name.strip("-")) >= SHORTEST and is_distinct_name(name) and plain_form(name) in plain:
            yield _on_lines(name, file.path, old, new)


def _on_lines(name: str, path: str, old: _Side, new: _Side) -> _Touched:
    before, after = old.places.get(name, []), new.places.get(name, [])
    lost = bool(before) and name not in new.often
    changed = len(set(before)) + len(set(after))
    return _Touched(
        name,
        _Touch.LOST if lost else _Touch.LINE,
        path,
        before[0] if before else 0,
        after[0] if after else None,
        changed / (old.often[name] + new.often[name]),
        f"`{name}` is {'no longer in' if lost else 'on changed lines of'} {path}.",
        words=old.words_at(name) | new.words_at(name),
    )


def _definitions(
    path: str, outlines: _Outlines, sides: tuple[_Side, _Side], defined: Collection[str]
) -> Iterator[_Touched]:
    for old in outlines.old.values():
        new = outlines.new.get(old.name)
        if old.kind == "module" or (new is None and old.name in defined):
            continue
        if new is not None and old.shown == new.shown and (old.content == new.content or old.kind == "class"):
            continue
        words = sides[0].words_near(old.line, old.end_line)
        words |= sides[1].words_near(new.line, new.end_line) if new else frozenset()
        one = _changed(path, old, new, words)
        owner, _, short = old.name.rpartition(".")
        if owner and old.kind not in ("flag", "key"):
            yield one._replace(name=".".join(old.name.split(".")[-2:]))
            if short in _CONSTRUCTORS:
                yield one._replace(name=owner.rpartition(".")[2])
        if new is not None or old.short not in sides[1].often:
            yield one._replace(name=old.short)


def _changed(path: str, old: Symbol, new: Symbol | None, words: frozenset[str]) -> _Touched:
    did = "changed inside"
    if new is None:
        did = f"was removed from {path}"
    elif old.shown != new.shown:
        did = difference(old.shown, new.shown)
    return _Touched(
        old.name,
        _Touch.BODY if new and old.shown == new.shown else _Touch.DEFINITION,
        path,
        old.line,
        new.line if new else None,
        1.0,
        f"`{old.name}` {did}.",
        old.shown,
        new.shown if new else "",
        words,
    )


_CONSTRUCTORS: Final = ("__init__", "__new__", "constructor", "initialize", "__construct")


def _symbols(path: str, data: bytes | None, probe: Probe | None) -> Sequence[Symbol]:
    from cairn.lib.code.read import outline

    found = outline(path, data, probe) if data else None
    return found.symbols if found else ()


# --- the documents --------------------------------------------------------------------------------------------------


_Forms = Mapping[str, Sequence[tuple[str, str]]]
"""By the plain form of a name: the documents that have it, with the form that they write."""


def _forms(pages: SurveyedPages) -> _Forms:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path, data in pages.texts.items():
        text = decode(data).text
        for written in {*NAME.findall(text), *_QUALIFIED.findall(text)} - pages.packages:
            found[plain_form(written)].append((path, written))
    return found


def _lines_with(touched: Collection[str], forms: _Forms, pages: SurveyedPages) -> Mapping[str, Sequence[_NamedLine]]:
    """By name: the lines that write it as code. Of a name that is everywhere, the first ones."""
    found: dict[str, Sequence[_NamedLine]] = {}
    for name in touched:
        lines = (
            _NamedLine(page, number, written)
            for path, written in forms[plain_form(name)]
            if _means(written, name, touched)
            for page in (pages.page(path),)
            for number in _written(page, written)
        )
        found[name] = list(islice(lines, _MOST_LINES))
    return found


def _means(written: str, name: str, touched: Collection[str]) -> bool:
    """Whether a document means this name: it writes the same word, or one of several words in another form
    (`storageFile` for `StorageFile`, `--dry-run` for `dry_run`) that is no name of its own."""
    return name == written or (written not in touched and is_distinct_name(name) and is_distinct_name(written))


def _is_shaped(name: str) -> bool:
    """Whether it is a name wherever it stands, also in prose."""
    return is_shaped(name) or name.startswith("--") or "." in name


def _written(page: WrittenPage, written: str) -> Iterator[int]:
    pattern = bounded(written)
    for number, line in page.lines_with((written,)):
        if any(_is_code(page, number, found) for found in pattern.finditer(line)):
            yield number


def _is_code(page: WrittenPage, number: int, found: re.Match[str]) -> bool:
    heading = found.string.startswith("#") and not page.in_block(number)
    linked = any(link.start() < found.start() < link.end() for link in _TARGET.finditer(found.string))
    if heading or linked or page.is_address(found) or is_placeholder(found):
        return False
    if _is_shaped(found[0]):
        return True
    in_span = any(span.start(2) <= found.start() < span.end(2) for span in CODE_SPAN.finditer(found.string))
    in_block = page.in_block(number)
    return in_span or (in_block and ("-" in found[0] or re.match(r"\s*\(", found.string[found.end() :]) is not None))


def _is_past(page: WrittenPage, number: int) -> bool:
    headings = page.outline.headings_above(number)
    return is_about_other_versions(headings) or (page.outline.format == "rst" and is_versioned(page.lines, number))


def _parts(name: str) -> set[str]:
    return words_of(name) | {name.lower()}
