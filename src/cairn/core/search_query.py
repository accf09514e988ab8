"""What somebody typed, as things to look for. Four signs have a meaning; all else is taken as it stands."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from cairn.core.ports.search import Term
from cairn.errors import UsageError
from cairn.lib.text.search_words import ENGLISH, FORMS, LIGHT, STOP, runs, split_name, stem, without_marks
from cairn.lib.text.thesaurus import Other, Phrase, phrases

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
_LIGHT_PHRASE = 0.6
"""Of a phrase such as *turn off*, whose words say little each."""


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
    also: tuple[Other, ...] = ()
    """Other words that pages may have in its place."""


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

    @property
    def in_english(self) -> str:
        """A question in another language, word by word; empty where it is in English, or no word of it is known."""
        if not self.foreign or not any(unit.also for unit in self.units):
            return ""
        return " ".join(" ".join(unit.also[0].words) if unit.also else unit.shown for unit in self.units)

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
    foreign = any(unit.run and unit.weight for unit in reading.units) or _has_foreign_words(kept)
    found = _with_english(reading.units, kept) if foreign else with_synonyms([_as_english(u) for u in reading.units])
    units = tuple({unit.term: unit for unit in reversed(found)}.values())[::-1]
    if not units:
        raise UsageError(_why_empty(reading))
    telling = tuple(unit for unit in units if unit.weight) or tuple(replace(unit, weight=1.0) for unit in units)
    notes = () if len(kept) == len(text) and len(telling) <= MOST_UNITS else (_too_long(len(text)),)
    ignored = tuple(unit.shown for unit in units if not unit.weight and len(telling) < len(units))
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
            parts = tuple(unit for word in text.split() for unit in _word_units(word, False)) if len(words) > 1 else ()
            self.units.append(Unit(f'"{text}"', Term((words,)), parts, must=True))

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


# --- other words ----------------------------------------------------------------------------------------------------


def _as_english(unit: Unit) -> Unit:
    """A word such as *man* or *die* says nothing in other languages only."""
    word = unit.term.spellings[0]
    if unit.weight or unit.run or len(word) > 1 or word[0] in ENGLISH:
        return unit
    return replace(unit, weight=1.0 if len(word[0]) > 2 else LIGHT_WEIGHT)


def with_synonyms(units: Sequence[Unit]) -> list[Unit]:
    """Each with the words that pages may have in its place. A phrase with a little word, such as *get rid of*, becomes
    one unit; of a phrase such as *environment variable* each word gets the phrase's other words."""
    words, owners = _flat(units)
    also: list[tuple[Other, ...]] = [()] * len(units)
    whole: dict[int, tuple[int, Unit]] = {}
    done = 0
    for phrase in phrases(words):
        covered = owners[phrase.start : phrase.end]
        first, last = covered[0], covered[-1] + 1
        if phrase.start < done or owners.count(first) + owners.count(covered[-1]) > 2 * len(covered):
            continue
        some = units[first:last]
        if not any(unit.weight for unit in some):
            continue
        if last - first > 1 and any(not unit.weight for unit in some):
            whole[first] = last, _phrase_unit(some, phrase, words)
            done = phrase.end
        else:
            for at in range(first, last):
                also[at] = _joined(also[at], phrase.others)
    return list(_replaced([replace(unit, also=also[at]) if also[at] else unit for at, unit in enumerate(units)], whole))


def _with_english(units: Sequence[Unit], text: str) -> list[Unit]:
    """Of a question in another language: each word with English ones, and those with their synonyms."""
    from cairn.lib.text.thesaurus import languages_of

    languages = languages_of(text)
    found: list[Unit] = []
    for run, some in groupby(units, key=lambda unit: unit.run):
        found += (_words_in_english if run is None else _run_in_english)(list(some), languages)
    return found


def _words_in_english(units: Sequence[Unit], languages: Sequence[str]) -> Iterator[Unit]:
    from cairn.lib.text.thesaurus import translate_phrase

    at = 0
    while at < len(units):
        phrase = translate_phrase([unit.shown for unit in units[at:]], languages)
        if phrase is None:
            yield from _word_in_english(units[at], languages)
            at += 1
        else:
            length, (shown, english) = phrase
            yield Unit(shown, Term((words_of(shown),)), also=_with_their_synonyms(english))
            at += length


def _word_in_english(unit: Unit, languages: Sequence[str]) -> Iterator[Unit]:
    from cairn.lib.text.thesaurus import translate

    exact = unit.must or unit.name or not unit.weight or len(unit.term.spellings[0]) > 1
    parts = [] if exact else translate(unit.shown, languages)
    for part in parts:
        whole = len(parts) == 1
        term, shown = (unit.term, unit.shown) if whole else (Term(((part.word,),)), part.word)
        yield replace(unit, term=term, shown=shown, also=_with_their_synonyms(part.english))
    if not parts:
        yield unit


def _run_in_english(pieces: Sequence[Unit], languages: Sequence[str]) -> list[Unit]:
    """The words of the table that stand in it; the rest stays in pieces."""
    from cairn.lib.text.thesaurus import Translation, translate_run

    number = pieces[0].run or 0
    run = pieces[0].shown + "".join(piece.shown[-1] for piece in pieces[1:])
    found: list[Unit] = []
    for part in translate_run(run, languages):
        if isinstance(part, Translation):
            also = _with_their_synonyms(part.english)
            found.append(Unit(part.word, Term((tuple(part.word),)), run=number, also=also))
        else:
            found += [replace(unit, weight=0.0) if len(part) == 1 else unit for unit in _run_units(part, number)]
    return found


def _with_their_synonyms(english: tuple[Other, ...]) -> tuple[Other, ...]:
    synonyms = tuple(
        Other(other.words, other.share * one.share)
        for one in english
        for phrase in phrases(one.words)
        if phrase.end - phrase.start == len(one.words)
        for other in phrase.others
    )
    return _joined(english, synonyms)


def _flat(units: Sequence[Unit]) -> tuple[list[str], list[int]]:
    """All words in a row, and which unit each belongs to. Names and phrases in quotes have no synonyms."""
    words: list[str] = []
    owners: list[int] = []
    for at, unit in enumerate(units):
        exact = unit.must or unit.run or unit.name or unit.term.prefix
        mine = ("",) if exact else unit.term.spellings[0]
        words += mine
        owners += [at] * len(mine)
    return words, owners


def _phrase_unit(units: Sequence[Unit], phrase: Phrase, words: Sequence[str]) -> Unit:
    heaviest = max(unit.weight for unit in units)
    weight = heaviest if heaviest == 1 else _LIGHT_PHRASE
    term = Term((tuple(words[phrase.start : phrase.end]),))
    return Unit(" ".join(unit.shown for unit in units), term, weight=weight, also=phrase.others)


def _joined(one: tuple[Other, ...], other: tuple[Other, ...]) -> tuple[Other, ...]:
    shares = dict(one)
    for words, share in other:
        shares[words] = max(share, shares.get(words, 0.0))
    return tuple(Other(*pair) for pair in sorted(shares.items(), key=lambda pair: -pair[1]))


def _replaced(units: Sequence[Unit], whole: Mapping[int, tuple[int, Unit]]) -> Iterator[Unit]:
    at = 0
    while at < len(units):
        end, unit = whole.get(at, (at + 1, units[at]))
        yield unit
        at = end


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
    if len(names) == 1 and len(split) > 1 and whole[0] not in STOP:
        weight = 1.0  # `NaN`, whose parts say nothing
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
