"""Compares two texts letter by letter: whether one states the other, or the same words with another value in them.

Texts that mean the same in other words are different texts, and a reader has to tell.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from cairn.core.cues import behind_cue, equals
from cairn.core.model.candidate import CONFIDENCES, CandidateDecision, Fate, KnowledgeCandidate
from cairn.lib.text.atoms import Atom, atoms, bare
from cairn.lib.text.sentences import Sentence, sentences

_MARKUP: Final = re.compile(
    r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|^[ \t]*+(?:[-*+]|\d++[.)]|#{1,6}|>)[ \t]++", re.MULTILINE
)
_LINK: Final = re.compile(r"\[([^\[\]\n]*+)\]\([^)\n]{0,2000}+\)")
_CLAUSES: Final = re.compile(r",\s+(?!\d)|[;(]\s*|:\s+(?!\d)|\s[–—-]\s|，|；|：")
_NAMES: Final = re.compile(r"(`[^`\n]+`|(?<!\S)[\w.-]*/\S*\w|:(?=\s+\d))")
"""Names in code, paths, and a colon in front of a number."""
_SLOT: Final = "\x00"
_LEAST_WORDS: Final = 3
_BEFORE: Final = 2
"""Words in front of a number; `port 80` and `step 2` are names."""
_READ: Final = 20_000
"""Characters of a page that are compared."""


def plain(text: str) -> str:
    """One form for texts that differ only in case, blanks, marks of Markdown, and the full stop at the end."""
    shown = _MARKUP.sub("", normalize("NFKC", text).replace("`", "").replace("’", "'"))
    return " ".join(shown.casefold().split()).strip(" .!:;,。！")


class Value(NamedTuple):
    key: str
    """However it is spelled: `60 s` and `1 minute` have the same one."""
    number: str = ""
    """Without its unit, if it is a number."""
    is_stated: bool = False
    """Whether its sentence states it of something: a number behind two words or more, or any value right behind `is` or
    `=`. A command or a path elsewhere in a sentence may stand beside another one."""

    def is_same(self, other: "Value") -> bool:
        """A number without a unit may have any."""
        is_bare = self.number != "" and self.number in (self.key, other.key)
        return self.key == other.key or (is_bare and self.number == other.number)


class Frame(NamedTuple):
    """A clause without its values, and the values."""

    words: tuple[str, ...]
    values: tuple[Value, ...]


@lru_cache(1024)
def frames(text: str) -> tuple[Frame, ...]:
    """Of the clauses that have a value: a number, a version, a path, or code."""
    shown = _LINK.sub(r"\1", _MARKUP.sub("", normalize("NFKC", behind_cue(text))))
    found = (_frame(clause) for clause in _CLAUSES.split(shown))
    return tuple(one for one in found if one.values and len(one.words) - len(one.values) >= _LEAST_WORDS)


def _frame(clause: str) -> Frame:
    words: list[str] = []
    values: list[Value] = []
    for token in _tokens(clause):
        if isinstance(token, str):
            words.append(token)
            continue
        is_measured = " " in token.key  # a number with a unit is never a name
        is_behind = token.number != "" and (len(words) >= _BEFORE or is_measured)
        values.append(token._replace(is_stated=is_behind or (bool(words) and words[-1] in equals())))
        words.append(_SLOT)
    return Frame(tuple(words), tuple(values))


def _tokens(clause: str) -> Iterator[str | Value]:
    """Words, a date among them, and values."""
    for at, part in enumerate(_NAMES.split(clause)):
        if at % 2:
            yield part if part == ":" else Value(part.strip("`").casefold())
        else:
            yield from map(_token, atoms(part))


def _token(atom: Atom) -> str | Value:
    if atom.kind == "number":
        return Value(atom.key, bare(atom))
    return Value(atom.key) if atom.kind == "version" else atom.text.casefold()


def other_value(one: str, other: str) -> bool:
    """Whether two sentences have a clause in the same words around different values, all of which they state."""
    theirs = {frame.words: frame.values for frame in frames(other)}
    return any(_differ(frame.values, theirs.get(frame.words, frame.values)) for frame in frames(one))


def _differ(mine: tuple[Value, ...], theirs: tuple[Value, ...]) -> bool:
    others = [(one, two) for one, two in zip(mine, theirs, strict=True) if not one.is_same(two)]
    return bool(others) and all(one.is_stated or two.is_stated for one, two in others)


@lru_cache(256)
def prose(body: str) -> tuple[Sentence, ...]:
    """The sentences of a page, headings among them, without code blocks."""
    return tuple(one for one in sentences(body[:_READ]) if one.fence is None)


@lru_cache(256)
def stated(body: str) -> frozenset[str]:
    """All sentences of a text, each in its plain form and without a cue that it opens with."""
    return frozenset(text for one in prose(body) if (text := plain(behind_cue(one.text))))


_QUOTES = 5


class FoldedCandidates(NamedTuple):
    leader: KnowledgeCandidate
    """With the provenance of all."""
    followers: tuple[KnowledgeCandidate, ...]


def fold(candidates: Iterable[KnowledgeCandidate]) -> list[FoldedCandidates]:
    """Groups in the order in which they were first said. Of equals the first leads, and taint is the worst of all."""
    groups: dict[tuple[object, ...], list[KnowledgeCandidate]] = {}
    for candidate in candidates:
        groups.setdefault(_identity(candidate), []).append(candidate)
    return [_folded(group) for group in groups.values()]


def _identity(candidate: KnowledgeCandidate) -> tuple[object, ...]:
    return candidate.kind, plain(candidate.body), candidate.supports, candidate.contradicts


def _folded(group: Sequence[KnowledgeCandidate]) -> FoldedCandidates:
    leader = max(group, key=lambda one: CONFIDENCES.index(one.confidence))
    others = tuple(one for one in group if one is not leader)
    if not others:
        return FoldedCandidates(leader, ())
    return FoldedCandidates(
        replace(
            leader,
            derived_from=tuple(dict.fromkeys(place for one in (leader, *others) for place in one.derived_from)),
            quotes=tuple(quote for one in (leader, *others) for quote in one.quotes)[:_QUOTES],
            tags=tuple(dict.fromkeys(tag for one in (leader, *others) for tag in one.tags))[:5],
            taint=max(one.taint for one in group),
        ),
        others,
    )


FOLLOWS = "It says the same as "
"""Before the origin of the one that speaks."""


def follows(candidate: KnowledgeCandidate, leader: KnowledgeCandidate) -> CandidateDecision:
    reason = f"{FOLLOWS}{leader.origin}, which carries on for both."
    return CandidateDecision(Fate.DROP, candidate.origin, reason)


Key = tuple[str, str, str]


def key_of(action: CandidateDecision) -> Key | None:
    """What an action does; None if it changes nothing. The fate is part of it, so that a contradiction survives beside
    a modification; so is the text, so that two modifications of one page both survive."""
    node = action.proposed_node
    if action.fate is Fate.DROP or node is None:
        return None
    about = action.target_node_id or f"{node.kind}-{plain(node.title)}"
    return action.fate.value, about, plain(f"{node.title}\n{node.body}")
