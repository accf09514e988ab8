"""Other words for those of a question, from a table of synonyms. They only rank pages; they never say anything."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from cairn.lib.text.search_words import LIGHT, LITTLE, STOP, stem

CLOSE: Final = 0.7
"""How much a synonym counts, of what the typed word counts."""
RELATED: Final = 0.4
_LIGHTER: Final = 0.5
"""A word that says little by itself says still less in place of another."""


class Other(NamedTuple):
    """A word or phrase that pages may have in place of the one that was typed."""

    words: tuple[str, ...]
    share: float


class Phrase(NamedTuple):
    """Where words of a question are in the table: several together, such as *get rid of*, or one alone."""

    start: int
    end: int
    others: tuple[Other, ...]


def phrases(words: Sequence[str]) -> list[Phrase]:
    """Of each stretch of a question that the table knows, its other words; longer stretches first where they begin
    together. Words in small letters, in the order in which they were typed, little ones included."""
    stems = [stem(word) for word in words]
    return [found for at in range(len(words)) for found in _at(stems, words[at], at)]


def others(word: str) -> tuple[Other, ...]:
    """Of a single word."""
    return next((found.others for found in phrases([word])), ())


def _at(stems: Sequence[str], word: str, at: int) -> list[Phrase]:
    found: dict[int, dict[tuple[str, ...], float]] = {}
    for group, entry in _groups(word):
        parts = _words(entry)
        if tuple(map(stem, parts)) == tuple(stems[at : at + len(parts)]):
            shares = found.setdefault(len(parts), {})
            for other in _others(group, entry):
                shares[other.words] = max(other.share, shares.get(other.words, 0.0))
    return [
        Phrase(at, at + length, tuple(Other(*one) for one in sorted(shares.items(), key=lambda one: -one[1])))
        for length, shares in sorted(found.items(), reverse=True)
    ]


def _groups(word: str) -> Iterator[tuple[str, str]]:
    """Lines of the table with an entry whose first word may have the same stem. Searched as text: a table of stems
    would take longer to build than a search."""
    table = _table()
    if not re.fullmatch(r"[\w-]+", word):
        return
    for entry in re.finditer(rf"(?<![^\s]){re.escape(word[:3])}[^\s]*", table):
        start, end = table.rfind("\n", 0, entry.start()) + 1, table.find("\n", entry.end())
        yield table[start:end], entry[0]


def _others(group: str, entry: str) -> Iterator[Other]:
    close, _, related = (part.split() for part in group.partition(" ~ "))
    among = entry in close
    for share, entries in ((CLOSE if among else RELATED, close), (RELATED, related if among else ())):
        for one in entries:
            words = _words(one)
            if one == entry or (len(words) == 1 and words[0] in STOP):
                continue
            yield Other(words, share * (_LIGHTER if all(stem(word) in LIGHT for word in words) else 1.0))


def _words(entry: str) -> tuple[str, ...]:
    return tuple(re.split("[_-]", entry))


@cache
def _table() -> str:
    text = (Path(__file__).parent / "words" / "synonyms.txt").read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("#")).join("\n\n")


TRANSLATED: Final = 0.9
"""How much an English word counts, of what the typed word counts."""
_ENDING: Final = 5
"""Letters that an entry may lack at the end of a word, if it has four or more itself; …"""
_SHORT_ENDING: Final = 2
"""… and if it has fewer."""
_COMPOUND: Final = ("de", "nl")
_LONGEST: Final = 4
"""Words of an entry."""
_LETTERS: Final = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "æ": "ae", "đ": "d", "ё": "е"})
_VOICED: Final = "\u3099\u309a"
_SCRIPTS: Final = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7a3"),
    ("zh", "\u4e00", "\u9fff"),
    ("ru", "\u0400", "\u04ff"),
)


class Translation(NamedTuple):
    """A part of a word, with what it may be in English."""

    word: str
    english: tuple[Other, ...]


def languages_of(text: str) -> tuple[str, ...]:
    """Which languages a question may be in: by its script, or by its little words. English is none of them."""
    for language, first, last in _SCRIPTS:
        if any(first <= letter <= last for letter in text):
            return (language,)
    words = [word.strip(".,;:!?¿¡()'\"") for word in text.lower().replace("'", "' ").split()]
    counted = {language: sum(word in little for word in words) for language, little in LITTLE.items()}
    most = max(counted.values())
    return tuple(language for language, number in counted.items() if number == most and most)


def translate(word: str, languages: Sequence[str]) -> list[Translation]:
    """The parts of a word that the table knows: one, or those of a compound."""
    word = plain(word)
    for language in languages:
        entries = _entries(language)
        if (entry := _entry(word, entries)) and word not in LITTLE.get(language, ()):
            return [Translation(word, entries[entry])]
        if language in _COMPOUND and (parts := _parts(word, entries)):
            return [Translation(part, entries[entry]) for part, entry in parts]
    return []


def translate_phrase(words: Sequence[str], languages: Sequence[str]) -> tuple[int, Translation] | None:
    """How many of these words are an entry of several words, such as *mot de passe*, and what that is in English."""
    for length in range(min(_LONGEST, len(words)), 1, -1):
        phrase = " ".join(map(plain, words[:length]))
        for language in languages:
            if english := _entries(language).get(phrase):
                return length, Translation(" ".join(words[:length]), english)
    return None


def plain(word: str) -> str:
    """In small letters, without accents. The marks of Japanese stay: they make another letter, as ハ and バ."""
    letters = unicodedata.normalize("NFD", word.lower().translate(_LETTERS))
    kept = (letter for letter in letters if letter in _VOICED or not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(kept))


def translate_run(run: str, languages: Sequence[str]) -> Iterator[Translation | str]:
    """The words in a stretch of a script without blanks, the longest first at each place; what is between them as it
    stands."""
    at, since = 0, 0
    while at < len(run):
        found = next((entry for entry in _starting(run[at], languages) if _stands(entry, run, at, since)), "")
        if not found:
            at += 1
            continue
        if since < at:
            yield run[since:at]
        english = next(_entries(language)[found] for language in languages if found in _entries(language))
        yield Translation(found, english)
        at = since = at + len(found)
    if since < len(run):
        yield run[since:]


def _stands(entry: str, run: str, at: int, since: int) -> bool:
    """A single character is a word only where no other word can go on: between known words, endings and the edges."""
    if not run.startswith(entry, at):
        return False
    ends = at + 1 == len(run) or "\u3040" <= run[at + 1] <= "\u309f"
    return len(entry) > 1 or (ends and (at == since or "\u3040" <= run[at - 1] <= "\u309f"))


def _starting(letter: str, languages: Sequence[str]) -> list[str]:
    found = {entry for language in languages for entry in _entries(language) if entry[0] == letter}
    return sorted(found, key=lambda entry: (-len(entry), entry))


def _entry(word: str, entries: Mapping[str, object]) -> str:
    """The longest that the word begins with, when what is left may be an ending."""
    for length in range(len(word), 1, -1):
        if word[:length] in entries:
            left = len(word) - length
            return word[:length] if left <= (_ENDING if length > 3 else _SHORT_ENDING) else ""
    return ""


def _parts(word: str, entries: Mapping[str, object]) -> list[tuple[str, str]]:
    """(part, entry) of a compound of two or three words, such as *Konfigurationsdatei*."""
    for length in range(len(word) - 3, 3, -1):
        entry = word[:length]
        if entry not in entries:
            continue
        for end in range(length, min(length + 7, len(word) - 2)):
            rest = word[end:]
            if last := _entry(rest, entries):
                return [(word[:end], entry), (rest, last)]
            if end - length <= 2 and (more := _parts(rest, entries)):
                return [(word[:end], entry), *more]
    return []


@cache
def _entries(language: str) -> dict[str, tuple[Other, ...]]:
    """By entry. Lines above in the table come first where several have the same."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    rows = _languages_table()
    column = rows[0].index(language) if language in rows[0] else 0
    for row in rows[1:]:
        english = [tuple(word.split("_")) for word in row[0].split()]
        for entry in row[column].split() if column else ():
            shares = found.setdefault(plain(entry.replace("_", " ")), {})
            shares |= {words: TRANSLATED for words in english if words not in shares}
    return {entry: tuple(Other(*one) for one in shares.items()) for entry, shares in found.items()}


@cache
def _languages_table() -> list[list[str]]:
    text = (Path(__file__).parent / "words" / "dictionary.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [[cell.strip() for cell in line.split("|")] for line in lines]
