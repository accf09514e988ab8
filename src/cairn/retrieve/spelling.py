"""A word that nobody here wrote is often one that somebody mistyped: which one may have been meant."""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import Protocol

from cairn.core.ports.search import Term
from cairn.lib.text.stem import stem, without_ending

_SHORTEST, _LONGEST = 5, 32
"""One letter more or less makes another word of a short one, and nobody types a long one by heart."""
_LONG = 8
"""Letters of a word that has an ending to slip in."""
_AT_ONCE = 64
_COUNTED = 1_000
_DOUBLED = "bcdfglmnprst"
_SPELLED = {"k": ("c",), "f": ("ph",), "t": ("th",), "i": ("y",), "z": ("c", "s")}
"""How English spells a sound that other languages write with this letter."""
_ALIKE = ("aeiouy", "ckqsxz", "bp", "dt", "fvw", "gj", "mn", "lr")
_CONFUSED = {letter: group for group in _ALIKE for letter in group}
"""Letters that are mistaken for each other by their sound. Any letter for any other would make words of other words:
*broker* is no slip for *broken*."""


class WrittenTerms(Protocol):
    """Where somebody wrote something: pages, or notes."""

    def text_frequency(self, term: Term, *, at_most: int, beside: tuple[Term, ...] = ()) -> int: ...


def meant(word: str, index: WrittenTerms, company: tuple[Term, ...] = ()) -> str | None:
    """The word one slip away that most pages have beside the rest of the question, or else that most pages have. `word`
    is in small letters, without accents."""
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    near, others = _candidates(word)
    return _likeliest(near, index, company) or (_likeliest(others, index, company) if len(word) >= _LONG else None)


def _likeliest(slips: Iterable[str], index: WrittenTerms, company: tuple[Term, ...]) -> str | None:
    asked = sorted(slips)
    known = [slip for at in range(0, len(asked), _AT_ONCE) for slip in _written(asked[at : at + _AT_ONCE], index)]
    together = {slip: index.text_frequency(_term(slip), at_most=_COUNTED, beside=company) for slip in known}
    if company and not any(together.values()):
        together = {slip: index.text_frequency(_term(slip), at_most=_COUNTED) for slip in known}
    return min(known, key=lambda slip: (-together[slip], slip), default=None)


def shared_beginning(word: str, index: WrittenTerms) -> str | None:
    """The longest beginning that words here share with a word of another language, more than half of it."""
    if not (_SHORTEST < len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return None
    spellings = list(dict.fromkeys((word, *_transliterated(word))))
    for length in range(len(word), max(_SHORTEST, len(word) // 2 + 1) - 1, -1):
        beginnings = tuple(dict.fromkeys(spelling[:length] for spelling in spellings))
        if index.text_frequency(Term(tuple((one,) for one in beginnings), True), at_most=1):
            return next(one for one in beginnings if index.text_frequency(Term(((one,),), True), at_most=1))
    return None


def _transliterated(word: str) -> Iterator[str]:
    """As English may spell it: *comando* with two m, *método* with th, *Konfiguration* with c."""
    for at, letter in enumerate(word):
        if letter in _DOUBLED and letter not in (word[at - 1 : at], word[at + 1 : at + 2]):
            yield word[:at] + letter + word[at:]
        yield from (word[:at] + other + word[at + 1 :] for other in _SPELLED.get(letter, ()))


def is_slip(typed: str, written: str) -> bool:
    """Whether one may be typed where the other was meant, be it in the plural or in the past. Small letters."""
    if len(typed) > _LONGEST or abs(len(typed) - len(written)) > _LONGEST:
        return False
    return any(
        other in {*_slips(one), *_swapped(one)}
        for one, other in ((typed, written), (without_ending(typed), without_ending(written)))
    )


def _candidates(word: str) -> tuple[Iterable[str], Iterable[str]]:
    """One for each stem, the shortest: those whose stems are a slip apart too, and the others. Those are `state` and
    `start`, by way of a `starte` that nobody wrote; but also `configuraton` and `configuration`, since a slip in the
    ending of a long word leaves an ending that no rule knows. Letters that changed places are always taken for a
    slip."""
    swapped = set(_swapped(word))
    near = {*_slips(_root(word)), *map(_root, swapped), *map(_root, _doubled(word))}
    longest_first = sorted({*_slips(word), *swapped}, key=lambda slip: (-len(slip), slip))
    by_root = {_root(slip): slip for slip in longest_first}
    others = [slip for root, slip in by_root.items() if root not in near]
    return [slip for root, slip in by_root.items() if root in near], others


def _root(word: str) -> str:
    """Its stem, without the `e` that stemming gives back to words such as `scaling`."""
    root = stem(word)
    return root[:-1] if root.endswith("e") and not word.endswith("e") else root


def _slips(word: str) -> Iterator[str]:
    """A letter left out, too many, or mistaken for another. The first letter is rarely wrong."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in ascii_lowercase)
        if tail and (len(tail) > 1 or head.endswith(tail)):  # `systemd` is no slip for *system*
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _CONFUSED.get(tail[0], "") if letter != tail[0])


def _doubled(word: str) -> Iterator[str]:
    """With a letter twice that stands once: `setings`."""
    return (word[:at] + word[at] + word[at:] for at in range(1, len(word)) if word[at] in _DOUBLED)


def _swapped(word: str) -> Iterator[str]:
    """Two letters the wrong way round."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _written(words: Sequence[str], index: WrittenTerms) -> list[str]:
    """Those that are in the index. Asked for together first: mostly none of them is."""
    if not words or not index.text_frequency(_term(*words), at_most=1):
        return []
    if len(words) == 1:
        return list(words)
    half = len(words) // 2
    return _written(words[:half], index) + _written(words[half:], index)


def _term(*words: str) -> Term:
    return Term(tuple((word,) for word in words))
