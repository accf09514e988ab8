"""Lists the traits of a passage: its words, and combinations of the classes that they belong to.

The classes are in `instructions.toml`, in twelve languages. Combinations of classes are the same in every language, so
what was learned from an English example also holds for a Korean one.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Final, NamedTuple

from cairn.lib.injection.entities import ENTITIES, with_entities

_FAR: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_FAR_CHARACTER: Final = re.compile(f"[{_FAR}]")
_FAR_RUN: Final = re.compile(f"[{_FAR}]+")
_FAR_LANGUAGES: Final = frozenset({"zh", "ja", "ko"})
_TOKEN: Final = re.compile(r"[A-Z]{4,}\b|--?[a-zA-Z][\w-]*|[^\W\d_]+(?:[-'][^\W\d_]+)*:?|\d+|<!--|[^\w\s]")
_DIGITS_AS_LETTERS: Final = str.maketrans("013457@$", "oieastas")
_DISGUISED: Final = re.compile(r"\b(?=\w*[a-z])[a-z]*[013457@$][a-z013457@$]*\b", re.IGNORECASE)
_SPACED: Final = re.compile(r"\b(?:\w ){3,}\w\b")
_QUOTED: Final = re.compile(r"[\"“„«「][^\"”“»」\n]{8,}[\"”“»」]")
_MOST_FOR_TRIPLES: Final = 12
_NEAR: Final = 4

Placed = tuple[int, str]
"""A class and the number of the word that belongs to it."""


class Lexicon(NamedTuple):
    words: dict[str, frozenset[str]]
    beginnings: dict[str, frozenset[str]]
    lengths: tuple[int, ...]
    """Of the beginnings."""
    far: dict[str, frozenset[str]]
    """Words of languages that are written without blanks."""
    far_pattern: "re.Pattern[str]"


@cache
def lexicon() -> Lexicon:
    words: dict[str, set[str]] = {}
    beginnings: dict[str, set[str]] = {}
    far: dict[str, set[str]] = {}
    for name, language, word in _table():
        if language in _FAR_LANGUAGES:
            far.setdefault(word.replace("_", " "), set()).add(name)
        elif word.endswith("*"):
            beginnings.setdefault(word[:-1], set()).add(name)
        else:
            words.setdefault(word, set()).add(name)
    pattern = "|".join(sorted(map(re.escape, far), key=len, reverse=True))
    return Lexicon(
        _frozen(words),
        _frozen(beginnings),
        tuple(sorted({len(word) for word in beginnings})),
        _frozen(far),
        re.compile(f"(?=({pattern}))"),
    )


def _table() -> Iterator[tuple[str, str, str]]:
    table = tomllib.loads((files("cairn.lib.injection") / "instructions.toml").read_text("utf-8"))
    for name, languages in table.items():
        for language, words in languages.items():
            for word in words.split():
                yield name, language, word if word in ENTITIES else word.lower()


def _frozen(found: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {word: frozenset(names) for word, names in found.items()}


# --- words ------------------------------------------------------------------------------------------------------------


def tokens(text: str) -> list[str]:
    plain = with_entities(_SPACED.sub(lambda hit: hit[0].replace(" ", ""), text).replace("`", "").replace("*", ""))
    plain = _DISGUISED.sub(lambda hit: undisguised(hit[0].lower()), plain)
    return [word if word in ENTITIES else word.lower() for word in _TOKEN.findall(plain)]


def undisguised(word: str) -> str:
    """`s3nd` as `send`, where that is a word that counts."""
    plain = word.translate(_DIGITS_AS_LETTERS)
    return plain if classes_of(plain) else word


@cache
def _classes_by_beginning(beginning: str) -> frozenset[str]:
    known = lexicon()
    return frozenset().union(*(known.beginnings.get(beginning[:length], ()) for length in known.lengths))


def classes_of(word: str) -> frozenset[str]:
    bare = word[:-1] if word.endswith(":") and len(word) > 1 else word
    known = lexicon()
    longest = known.lengths[-1] if known.lengths else 0
    own = known.words.get(word, frozenset()) | known.words.get(bare, frozenset())
    return own | _classes_by_beginning(bare[:longest])


def far_pieces(text: str) -> Iterator[str]:
    """Pairs and triples of characters, where no blank separates words."""
    for run in _FAR_RUN.findall(text):
        for size in (2, 3):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


# --- traits -----------------------------------------------------------------------------------------------------------


def traits(text: str) -> set[str]:
    """`text` without unseen characters, as `cairn.lib.injection.marks` prepares it."""
    words = tokens(text)
    classes = [_classes_at(words, at) for at in range(len(words))]
    placed = [(at, name) for at, names in enumerate(classes) for name in sorted(names)]
    found: set[str] = set()
    if _FAR_CHARACTER.search(text):
        placed += _far_classes(text)
        found.update(f"K{piece}" for piece in far_pieces(text.lower()))
    present = sorted({name for _, name in placed})
    found.update(_word_traits(words, classes))
    found.update(_class_traits(present, placed))
    found.update(_opening(words, classes))
    found.update(_quoted(text, present))
    return found


def classes_in(text: str) -> set[str]:
    return {trait[1:] for trait in traits(text) if trait.startswith("C")}


def _classes_at(words: Sequence[str], at: int) -> frozenset[str]:
    own = classes_of(words[at])
    return own | lexicon().words.get(f"{words[at - 1]}_{words[at]}", frozenset()) if at else own


def _far_classes(text: str) -> list[Placed]:
    known = lexicon()
    return [
        (hit.start() // _NEAR, name)
        for hit in known.far_pattern.finditer(text.lower())
        for name in sorted(known.far[hit[1]])
    ]


def _word_traits(words: Sequence[str], classes: Sequence[frozenset[str]]) -> Iterator[str]:
    short = [word[:5] for word in words]
    for at, word in enumerate(words):
        if _FAR_CHARACTER.match(word):
            continue
        yield f"U{word}"
        if len(word) > len(short[at]):
            yield f"P{short[at]}"
        yield from (f"{'B' if back == 1 else 'S'}{short[at - back]} {short[at]}" for back in (1, 2, 3) if at >= back)
        for name in classes[at]:
            if at:
                yield f"X{short[at - 1]} {name}"
            if at + 1 < len(words):
                yield f"Y{name} {short[at + 1]}"


def _class_traits(present: Sequence[str], placed: Sequence[Placed]) -> Iterator[str]:
    yield from (f"C{name}" for name in present)
    yield from (f"D{one} {other}" for one, other in combinations(present, 2))
    if len(present) <= _MOST_FOR_TRIPLES:
        yield from (f"T{' '.join(three)}" for three in combinations(present, 3))
    for number, (at, name) in enumerate(placed):
        for later, other in placed[number + 1 :]:
            if later - at > _NEAR:
                break
            if name != other:
                yield f"N{name}>{other}"


def _opening(words: Sequence[str], classes: Sequence[frozenset[str]]) -> Iterator[str]:
    """An order begins with its verb."""
    if words:
        yield f"G{words[0][:6]}"
        yield from (f"F{name}" for name in classes[0])
        yield from (f"H{name}" for names in classes[:3] for name in names)


def _quoted(text: str, present: Sequence[str]) -> Iterator[str]:
    """A quoted order is usually an example in a text about security."""
    for hit in _QUOTED.finditer(text):
        yield "QQ"
        yield from (f"Q{name}" for word in tokens(hit[0]) for name in classes_of(word))
        if _FAR_CHARACTER.search(hit[0]):
            yield from (f"Q{name}" for _, name in _far_classes(hit[0]))
        yield from (f"R{name}" for name in present)
