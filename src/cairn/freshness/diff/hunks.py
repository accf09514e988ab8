"""Takes the difference of two texts apart into hunks, and ranks them by the words that they share with a sentence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from math import log2
from typing import Final, NamedTuple

from cairn.core.scope import is_test
from cairn.freshness.diff.name_forms import plain_names, stems_of

_CONTEXT: Final = 3
_LONGEST_LINE: Final = 300
_NEAR: Final = 4
_GAP: Final = " […]"
_NAME, _WORD, _AROUND, _FOLLOWED = 3.0, 1.0, 0.3, 0.4
"""What a shared word counts: a name or a word of the sentence, a word around it, a name that changed at its place."""
_IN_CONTEXT: Final = 0.3
"""What it counts on a line that did not change."""
_LEAST: Final = 2.0
"""One name of the sentence, or two of its words, or more of the rest."""
_TEST: Final = 0.5
"""What a test counts, compared with the code that it tests."""
_OPENING: Final = 8
"""Lines at the start of a definition that is too long to be shown."""


class Hunk:
    """Lines that differ, with those around them."""

    def __init__(self, path: str, old_line: int, new_line: int, lines: Sequence[str]) -> None:
        self.path = path
        self.old_line, self.new_line = old_line, new_line
        self.lines = lines
        """Each with its mark."""

    @property
    def changed(self) -> list[str]:
        return [line for line in self.lines if line[:1] in "+-"]

    @cached_property
    def context_stems(self) -> set[str]:
        return stems_of("\n".join(line for line in self.lines if line[:1] == " "))

    @property
    def head(self) -> str:
        old, new = (sum(line[:1] != other for line in self.lines) for other in "+-")
        return f"@@ -{self.old_line},{old} +{self.new_line},{new} @@"

    def changes(self, old: int, new: int) -> bool:
        """Whether the hunk has one of these lines, of the old and the new text; 0 is none."""
        before, after = (sum(line[:1] != other for line in self.lines) for other in "+-")
        return bool(
            (old and self.old_line <= old < self.old_line + before)
            or (new and self.new_line <= new < self.new_line + after)
        )


def hunks_of(path: str, old: str, new: str) -> list[Hunk]:
    """Those of one file, in their order."""
    before, after = (_lines(text) for text in (old, new))
    first = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    start = max(0, (min(len(before), len(after)) if first is None else first) - _CONTEXT)
    match = SequenceMatcher(None, before[start:], after[start:])
    return [_hunk(path, group, before[start:], after[start:], start) for group in match.get_grouped_opcodes(_CONTEXT)]


def _lines(text: str) -> list[str]:
    return [line[:_LONGEST_LINE] for line in text.split("\n")] if text else []


def _hunk(
    path: str,
    group: Sequence[tuple[str, int, int, int, int]],
    before: Sequence[str],
    after: Sequence[str],
    start: int,
) -> Hunk:
    lines: list[str] = []
    for kind, a, b, c, d in group:
        if kind == "equal":
            lines += (f" {line}" for line in before[a:b])
        else:
            lines += (f"-{line}" for line in before[a:b])
            lines += (f"+{line}" for line in after[c:d])
    return Hunk(path, start + group[0][1] + 1, start + group[0][3] + 1, lines)


# --- ranking ----------------------------------------------------------------------------------------------------------


class SentenceTerms(NamedTuple):
    """What code has to speak about so that it may decide a sentence. Names stand as `=name`."""

    names: frozenset[str]
    stems: frozenset[str]
    around: frozenset[str]
    """Of its paragraph, headings and path."""

    def weighed(self, followed: Iterable[str] = ()) -> dict[str, float]:
        """By term, what it counts. Names that changed where the sentence is concerned lead on to other files."""
        weights = dict.fromkeys(followed, _FOLLOWED)
        weights |= dict.fromkeys(self.around, _AROUND) | dict.fromkeys(self.stems, _WORD)
        return weights | dict.fromkeys(self.names, _NAME)


class HunkRanking:
    """The more of the rare terms a hunk has, the more likely it decides. Lines that only moved count for nothing."""

    def __init__(self, hunks: Sequence[Hunk]) -> None:
        sides = [{line[1:].strip() for hunk in hunks for line in hunk.lines if line[:1] == mark} for mark in "+-"]
        moved = sides[0] & sides[1]
        self.hunks = hunks
        self._terms = {hunk: _terms([line for line in hunk.changed if line[1:].strip() not in moved]) for hunk in hunks}
        self._often = Counter(term for terms in self._terms.values() for term in terms)

    def names_in(self, hunks: Iterable[Hunk]) -> set[str]:
        return {term for hunk in hunks for term in self._terms.get(hunk, ()) if term[0] == "="}

    def ranked(self, weights: Mapping[str, float]) -> list[Hunk]:
        """Those that speak about the sentence, the most telling first."""
        scored = [
            (self._score(hunk, weights), hunk)
            for hunk in self.hunks
            if sum(weights[term] for term in self._terms[hunk] & weights.keys()) >= _LEAST
        ]
        return [hunk for _, hunk in sorted(scored, key=lambda one: -one[0])]

    def _score(self, hunk: Hunk, weights: Mapping[str, float]) -> float:
        own = sum(weights[term] * self._rarity(term) for term in self._terms[hunk] & weights.keys())
        own += sum(_IN_CONTEXT * weights[term] for term in hunk.context_stems & weights.keys())
        return own * _TEST if is_test(hunk.path) else own

    def _rarity(self, term: str) -> float:
        return log2(1 + len(self.hunks) / (self._often[term] or 1))


def _terms(lines: Sequence[str]) -> set[str]:
    return {f"={name}" for name in plain_names(line[1:] for line in lines)} | stems_of("\n".join(lines))


# --- showing ----------------------------------------------------------------------------------------------------------


def shown_hunk(hunk: Hunk, weights: Mapping[str, float], longest: int, inside: str = "") -> str:
    """A hunk with its head; of a long one the lines around those that share a word with the sentence."""
    return _fitting(f"{hunk.head} {inside}".rstrip(), hunk.lines, weights, longest)


def shown_definition(lines: Sequence[str], weights: Mapping[str, float], longest: int) -> str:
    """A definition; of a long one its start, and the lines around those that share a word with the sentence."""
    if sum(map(len, lines)) + len(lines) <= longest:
        return "\n".join(lines)
    opening, rest = lines[:_OPENING], lines[_OPENING:]
    return _fitting("\n".join(opening)[:longest], rest, weights, longest - sum(map(len, opening)) - len(opening))


def _fitting(head: str, lines: Sequence[str], weights: Mapping[str, float], longest: int) -> str:
    if sum(map(len, lines)) + len(lines) > longest:
        lines = list(_windows(lines, weights)) or lines
    kept = [head]
    for line in lines:
        longest -= len(line) + 1
        if longest < 0:
            kept.append(_GAP)
            break
        kept.append(line)
    return "\n".join(kept)


def _windows(lines: Sequence[str], weights: Mapping[str, float]) -> Iterator[str]:
    telling = [at for at, line in enumerate(lines) if _tells(line, weights)]
    near = {at for one in telling for at in range(one - _NEAR, one + _NEAR + 1) if 0 <= at < len(lines)}
    last = -1
    for at in sorted(near):
        if at != last + 1:
            yield _GAP
        yield lines[at]
        last = at
    if 0 <= last < len(lines) - 1:
        yield _GAP


def _tells(line: str, weights: Mapping[str, float]) -> bool:
    plain = line.lstrip("+-")
    found = _terms([f" {plain}"]) & weights.keys()
    return any(weights[term] >= _WORD for term in found)
