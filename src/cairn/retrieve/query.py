"""What somebody typed, as things to look for. Four signs have a meaning; all else is taken as it stands."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cairn.errors import UsageError
from cairn.kernel.ports.search import Term
from cairn.kernel.text.search import runs, split_name, without_marks
from cairn.retrieve.little import ENGLISH, FORMS, LIGHT, STOP
from cairn.retrieve.stem import stem

FILTERS = ("kind", "tag", "type", "path", "status")
LONGEST = 2_000
"""Characters of a query that are read."""
MOST_UNITS = 24
"""Different things that one query looks for."""

_TOKEN = re.compile(rf'(-?)(?:({"|".join(FILTERS)}):)?"([^"]*)"|({"|".join(FILTERS)}):([^\s"]+)|([^\s"]+)|"')
_WORD = re.compile(r"[^\W_]+")
_HIRAGANA = re.compile("[\u3040-\u309f\u30fc]+")
_THREES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Alphabets without blanks between words: two letters say little there, three say more."""
_QUESTION = re.compile(
    "如何|怎么|怎样|什么|为什么|哪些|哪里|是否|可以|我们|多久|多少|吗|呢|请|どうやって|ですか|ますか|ください|いつ|誰が"
    "|어떻게|얼마나|자주|무엇|무슨|언제|어디|누가|방법|있나요|습니까|하나요|되나요|인가요|กี่|อย่างไร|ทำไม|ที่ไหน|เมื่อไร|เมื่อไหร่|หรือไม่|ไหม"
)
"""What questions in such scripts are made of."""

_INFLECTED = re.compile("[\u0370-\u03ff\u0400-\u04ff]{6,}")
"""Long words of alphabets whose languages bend the ends of words; nobody's stems are known for them, so two letters
are left off."""

_NAME = re.compile(r"\w_\w|\w\.\w|[a-z][A-Z]")

LIGHT_WEIGHT = 0.35


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to look for."""

    shown: str
    """As it was typed."""
    term: Term
    parts: "tuple[Unit, ...]" = ()
    """Its words, for a name such as `docs/keys.md`: asked for one by one when nobody wrote the whole."""
    must: bool = False
    """A page without it is no hit."""
    weight: float = 1.0
    """0 for words that say nothing, little for those that say little."""
    name: bool = False
    """Somebody's identifier rather than words that happen to be joined."""
    run: int | None = None
    """Pieces of the same stretch of a script without blanks have the same number."""
    read_as: str = ""
    """Another word that was looked for instead, since nobody wrote this one."""


class Filters(NamedTuple):
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()

    def __or__(self, other: object) -> "Filters":
        assert isinstance(other, Filters)
        return Filters(*(tuple(dict.fromkeys((*mine, *theirs))) for mine, theirs in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class Query:
    units: tuple[Unit, ...]
    never: tuple[Term, ...] = ()
    filters: Filters = field(default_factory=Filters)
    ignored: tuple[str, ...] = ()
    """Words that say nothing, as they were typed."""
    notes: tuple[str, ...] = ()
    """What was left out, as sentences."""
    foreign: bool = False
    """It is in another language than English, by its script or its little words."""

    def is_language_of(self, text: str) -> bool:
        """Whether a text has what this question in another language is made of: pieces of its script, or at least half
        of its little words."""
        pieces = [unit.shown for unit in self.units if unit.run]
        if pieces:
            return any(piece in text for piece in pieces)
        little = {word.lower() for word in self.ignored} - ENGLISH
        return bool(little) and 2 * len(little & {word.lower() for word in _WORD.findall(text)}) >= len(little)


def parse_query(text: str) -> Query:
    """Raises a sentence when there is nothing in it to look for."""
    kept = _shortened(text)
    reading = _Reading()
    for token in _TOKEN.finditer(unicodedata.normalize("NFC", kept)):
        reading.take(token)
    units = tuple({unit.term: unit for unit in reversed(reading.units)}.values())[::-1]
    if not units:
        raise UsageError(_why_empty(reading))
    telling = tuple(unit for unit in units if unit.weight) or tuple(replace(unit, weight=1.0) for unit in units)
    notes = () if len(kept) == len(text) and len(telling) <= MOST_UNITS else (_too_long(len(text)),)
    ignored = tuple(unit.shown for unit in units if not unit.weight and len(telling) < len(units))
    foreign = any(unit.run for unit in telling) or _has_foreign_words(kept)
    return Query(telling[:MOST_UNITS], tuple(reading.never), reading.filters(), ignored, notes, foreign)


def _has_foreign_words(text: str) -> bool:
    words = [word.lower() for word in _WORD.findall(text)]
    return sum(word in STOP - ENGLISH for word in words) > sum(word in ENGLISH for word in words)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]


def _too_long(length: int) -> str:
    return f"the query is long ({length:,} characters); only its first {MOST_UNITS} words count"


def _why_empty(reading: "_Reading") -> str:
    if reading.never:
        return "The query only says what to leave out; add a word to look for, such as `keys -locks`."
    if any(reading.filters()):
        return "The query only has filters; add a word to look for, or list them all with `cairn list`."
    return "There is no word in the query; give one or more to look for, such as `cairn search rotate keys`."


class _Reading:
    """Gathers what the tokens of a query mean."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.never: list[Term] = []
        self._filters: dict[str, list[str]] = {name: [] for name in FILTERS}
        self._runs = 0

    def filters(self) -> Filters:
        return Filters(*(tuple(self._filters[name]) for name in FILTERS))

    def take(self, token: re.Match[str]) -> None:
        minus, quoted_filter, quoted, name, value, chunk = token.groups()
        if quoted is not None and quoted_filter:
            self._filters[quoted_filter] += [quoted.strip()] if quoted.strip() else []
        elif quoted is not None:
            self._phrase(quoted, bool(minus) and _at_start(token))
        elif name:
            self._filters[name] += [part for part in value.split(",") if part]
        elif chunk:
            self._chunk(chunk, _at_start(token))

    def _phrase(self, text: str, negated: bool) -> None:
        words = words_of(text)
        if words and negated:
            self.never.append(Term((words,)))
        elif words:
            self.units.append(Unit(f'"{text}"', Term((words,)), must=True))

    def _chunk(self, chunk: str, at_start: bool) -> None:
        if at_start and chunk[0] == "-" and len(chunk) > 2 and chunk[1].isalpha():
            words = words_of(chunk)
            self.never += [Term((words,), _goes_on(chunk))] if words else []
            return
        for piece, unspaced in _pieces(_QUESTION.sub(" ", without_marks(chunk))):
            if unspaced:
                self._runs += 1
                self.units += _run_units(piece, self._runs)
            else:
                self.units += _word_units(piece, _goes_on(chunk))


def _at_start(token: re.Match[str]) -> bool:
    return token.start() == 0 or token.string[token.start() - 1].isspace()


def _goes_on(chunk: str) -> bool:
    """`lock*`, but not `**bold**`."""
    return chunk.endswith("*") and not chunk.endswith("**") and not chunk.startswith("*")


def _pieces(chunk: str) -> Iterator[tuple[str, bool]]:
    """(text, whether of a script without blanks)."""
    at = 0
    for run in runs().finditer(chunk):
        yield chunk[at : run.start()], False
        yield run[0], True
        at = run.end()
    yield chunk[at:], False


def words_of(text: str) -> tuple[str, ...]:
    """The words that the index has of such a text, in small letters."""
    found: list[str] = []
    for piece, unspaced in _pieces(without_marks(text)):
        found += list(piece) if unspaced else [word.lower() for word in _WORD.findall(piece)]
    return tuple(found)


def _word_units(piece: str, prefix: bool) -> list[Unit]:
    names = _WORD.findall(piece)
    if not names:
        return []
    whole = tuple(name.lower() for name in names)
    split = tuple(part.lower() for name in names for part in split_name(name).split())
    spellings = tuple(dict.fromkeys((whole, split, *_with_article(whole), *_other_forms(whole))))
    if len(names) == 1 and _INFLECTED.fullmatch(whole[0]):
        spellings, prefix = ((whole[0][:-2],),), True
    parts = tuple(_part(word) for word in dict.fromkeys(split) if len(word) > 1 or word.isdigit())
    weight = max((part.weight for part in parts), default=0.0 if whole[0] in STOP else LIGHT_WEIGHT)
    term = Term(spellings, prefix)
    shown = piece.strip(".,;:!?()[]{}*'`")
    return [Unit(shown, term, parts if len(split) > 1 else (), weight=weight, name=bool(_NAME.search(shown)))]


def _part(word: str) -> Unit:
    light = stem(word) in LIGHT or (word.isdigit() and len(word) < 3)
    weight = 0.0 if word in STOP else LIGHT_WEIGHT if light else 1.0
    return Unit(word, Term(((word,),)), weight=weight)


def _other_forms(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Of a single word that English bends inside."""
    return [(form,) for form in FORMS.get(words[0], ())] if len(words) == 1 else []


def _with_article(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """In Arabic the article is written as part of the word."""
    if len(words) != 1 or not "\u0620" <= words[0][0] <= "\u064a":
        return ()
    (word,) = words
    return ((word[2:],),) if word.startswith("ال") and len(word) > 4 else ((f"ال{word}",),)


def _run_units(run: str, number: int) -> list[Unit]:
    """Overlapping pieces of two or three characters; there is no dictionary that would know the words."""
    size = min(3 if _THREES.match(run) else 2, len(run))
    pieces = [run[at : at + size] for at in range(len(run) - size + 1)]
    return [Unit(piece, Term((tuple(piece),)), weight=_run_weight(piece), run=number) for piece in pieces]


def _run_weight(piece: str) -> float:
    """Japanese endings say nothing; a single syllable of Korean says little."""
    if _HIRAGANA.fullmatch(piece):
        return 0.0
    return LIGHT_WEIGHT if len(piece) == 1 and "\uac00" <= piece <= "\ud7a3" else 1.0
