"""Pages that a candidate may be about, and how its text differs from theirs."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import cycle
from math import log
from typing import Final, NamedTuple
from unicodedata import normalize

from cairn.core.cues import behind_cue, counting, equals
from cairn.core.model.candidate import CONFIDENCES, CandidateDecision, Confidence, Fate, KnowledgeCandidate
from cairn.lib.markdown.blocks import Sentence, sentences
from cairn.lib.text.atoms import VALUES, Atom, atoms, bare, spellings
from cairn.lib.text.lexicon import NEGATIONS
from cairn.lib.text.search_words import runs

Keys = frozenset[str]

_WEAK: Final = frozenset({"us", "use", "prefer", "alway", "keep", "call", "set", "do", "plea", "need", "make"})
"""Verbs that occur in nearly every rule, so they say nothing about which page it belongs to."""


@lru_cache(2048)
def keys_of(text: str) -> Keys:
    """The stems of its words and names, without values and stop words."""
    found = (atom for atom in atoms(text) if atom.counts and atom.kind not in VALUES)
    return frozenset(key for atom in found for key in _keys(atom))


def _keys(atom: Atom) -> Iterator[str]:
    if atom.text.isascii() or not runs().search(atom.text):
        if atom.key not in _WEAK:
            yield atom.key
        return
    for run in runs().findall(atom.text):  # scripts without blanks between words: pairs of letters stand for words
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))


TOP: Final = 8
"""Pages that a candidate is compared with."""
LOOKED_AT: Final = 12
"""As many as the index names."""
TERMS: Final = 8
"""Words that the index is asked for."""
BUDGET: Final = 150
"""About so many rows of the index one candidate may touch, so that a large base costs what a small one does."""
FREQUENT: Final = 100
"""Pages are counted up to here; a word that more have tells little."""

SEARCHED: Final = 1_000
"""Characters of a body that pages are searched for by."""

_WEIGHTS: Final = {"title": 4.0, "summary": 2.5, "tags": 2.0, "body": 1.0}
_SATURATION: Final = 1.2
_LENGTH: Final = 0.4
_READ: Final = 20_000
_STRONG: Final = 0.2
"""Of a candidate's words, the share that a page about the same has, or that ten pages of its language have."""
_SAMPLE: Final = 10
_FEWEST: Final = 5
"""Pages; fewer say little about the language of a base."""
_BEGINNING: Final = 1_500
_WORD: Final = re.compile(r"[^\W\d_]+")
_USUAL: Final = 120
"""Words of an ordinary page."""


@dataclass(frozen=True, slots=True)
class Near:
    """A page that may be about the same."""

    id: str
    path: str
    kind: str
    title: str
    summary: str = ""
    tags: tuple[str, ...] = ()
    body: str = ""
    """All that follows the frontmatter."""
    confidence: Confidence | None = None
    derived_from: tuple[str, ...] = ()
    relates_to: tuple[str, ...] = ()
    planned: bool = False
    """Not in the base yet: this run, or a request that is still open, makes it."""
    broken: str = ""
    """What is wrong with its frontmatter; it is not edited then."""
    search_rank: int = 0
    """Its place among the pages that a search for the candidate finds; 0 where that does not find it."""


Shortlist = Callable[[KnowledgeCandidate], Sequence[Near]]
"""A port: the pages of the base that come nearest to a candidate, best first, at most `TOP`."""


def words_of(candidate: KnowledgeCandidate) -> list[str]:
    """What to ask the index for, in order of importance."""
    found: dict[str, None] = {}
    for text in (candidate.title, *candidate.tags, candidate.summary, candidate.body[:SEARCHED]):
        for word in _plain_words(text):
            found.setdefault(word)
    return list(found)


def _plain_words(text: str) -> Iterable[str]:
    from cairn.lib.text.lexicon import STOP

    for chunk in text.lower().replace("`", " ").split():
        word = chunk.strip(".,;:!?()[]{}<>\"'*_–—")
        if len(word) > 1 and word not in STOP and word not in NEGATIONS:
            yield word


def telling(words: Sequence[str], pages: Callable[[str], int]) -> list[str]:
    """Those that fewest pages have, as many as are affordable; words that nobody wrote find nothing."""
    counted = sorted((n, at, word) for at, word in enumerate(words[:40]) if (n := pages(word)))
    taken: list[str] = []
    spent = 0
    for number, _, word in counted:
        common = number >= FREQUENT  # nobody counted further: it may be on every page
        if taken and (common or spent + number > BUDGET or len(taken) == TERMS):
            break
        taken.append(word)
        spent += number
    return taken


def best(candidate: KnowledgeCandidate, pages: Iterable[Near], *, top: int = TOP) -> list[Near]:
    """By turns two pages of the search, which knows synonyms and other languages, and one by BM25 over title, summary,
    tags and body. Pages that neither finds are left out."""
    asked = keys_of(f"{candidate.title}\n{candidate.summary}\n{candidate.body}") | keys_of(" ".join(candidate.tags))
    look = _Look.of(asked)
    known = [(page, _fields(page, look)) for page in _once_each(pages)]
    if not known or not asked:
        return []
    having = Counter(key for _, fields in known for key in asked & frozenset().union(*fields.values()))
    rarity = {key: log(1 + (len(known) - n + 0.5) / (n + 0.5)) for key, n in having.items()}
    scored = [(_score(fields, rarity, len(page.body.split())), page) for page, fields in known]
    wanted = [(-score, page.path, page) for score, page in scored if score > 0]
    by_words = [page for *_, page in sorted(wanted, key=lambda one: one[:2])]
    searched = sorted((page for page, _ in known if page.search_rank), key=lambda page: page.search_rank)
    hints = {candidate.supports, candidate.contradicts} - {None}
    return sorted(_by_turns(searched, by_words), key=lambda page: page.id not in hints)[:top]


def _once_each(pages: Iterable[Near]) -> Iterable[Near]:
    """The last of each path: it is as this run leaves it."""
    found: dict[str, Near] = {}
    for page in pages:
        rank = page.search_rank or (found[page.path].search_rank if page.path in found else 0)
        found[page.path] = page if rank == page.search_rank else replace(page, search_rank=rank)
    return found.values()


def _by_turns(searched: Sequence[Near], by_words: Sequence[Near]) -> list[Near]:
    """One page of the search, one by words, one of the search; then again."""
    taken: dict[str, Near] = {}
    most = len({page.path for page in (*searched, *by_words)})
    search, words = iter(searched), iter(by_words)
    turns = cycle((search, words, search))
    while len(taken) < most:
        page = next((page for page in next(turns) if page.path not in taken), None)
        if page is not None:
            taken[page.path] = page
    return list(taken.values())


def is_weak(candidate: KnowledgeCandidate, pages: Iterable[Near]) -> bool:
    """Whether the nearest pages share so little with it that another one may be about the same: in another language,
    for instance."""
    asked = keys_of(f"{candidate.title}\n{candidate.summary}\n{candidate.body}") | keys_of(" ".join(candidate.tags))
    look = _Look.of(asked)
    shares = (len(frozenset().union(*_fields(page, look).values()) & asked) for page in pages)
    return max(shares, default=0) < _STRONG * len(asked)


def is_foreign(candidate: KnowledgeCandidate, pages: Sequence[Near]) -> bool:
    """Whether it shares so few words of any kind with the base that it is in another language. Of a set of 60, those in
    the language of the base shared a third of their words with ten pages, the others a seventh at most."""
    some = pages[:_SAMPLE]
    mine = _letters(f"{candidate.title} {candidate.summary} {candidate.body}")
    theirs = frozenset().union(*(_letters(f"{one.title} {one.summary} {one.body[:_BEGINNING]}") for one in some))
    return len(some) >= _FEWEST and len(mine & theirs) < _STRONG * len(mine)


def _letters(text: str) -> frozenset[str]:
    """Its words, without names in code, which are the same in every language."""
    return frozenset(_WORD.findall(re.sub(r"`[^`]*`", " ", text).lower()))


class _Look(NamedTuple):
    """Finds words in a long text by how they begin, which is quicker than taking it apart."""

    pattern: "re.Pattern[str]"
    keys: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, keys: Iterable[str]) -> "_Look":
        known = {key: spellings(key) for key in keys}
        needles = sorted({needle for some in known.values() for needle in some}, key=len, reverse=True)
        return cls(re.compile(f"(?<![a-z0-9])(?:{'|'.join(map(re.escape, needles))})"), known)

    def found(self, text: str) -> frozenset[str]:
        seen = set(self.pattern.findall(text.lower()))
        return frozenset(key for key, some in self.keys.items() if not seen.isdisjoint(some))


def _fields(page: Near, look: _Look) -> dict[str, frozenset[str]]:
    return {
        "title": keys_of(f"{page.title} {page.id.replace('-', ' ')}"),
        "summary": keys_of(page.summary),
        "tags": keys_of(" ".join(page.tags)),
        "body": look.found(page.body[:_READ]),
    }


def _score(fields: Mapping[str, frozenset[str]], rarity: Mapping[str, float], words: int) -> float:
    length = 1 - _LENGTH + _LENGTH * min(words, 10 * _USUAL) / _USUAL
    total = 0.0
    for key, weight in rarity.items():
        amount = sum(_WEIGHTS[name] for name, keys in fields.items() if key in keys)
        total += weight * amount / (_SATURATION * length + amount)
    return total


# --- what a run has planned already ---------------------------------------------------------------------------------


@dataclass(slots=True)
class PlannedPages:
    """Pages as they will be once this run is through, found by any of the words in their heads."""

    pages: dict[str, Near] = field(default_factory=dict)
    """By path."""
    _by_key: dict[str, set[str]] = field(default_factory=dict)

    def take(self, other: "PlannedPages") -> None:
        """All that another one has now."""
        for page in other.pages.values():
            self.put(page)

    def put(self, page: Near) -> None:
        self.pages[page.path] = page
        for key in _heads(page):
            self._by_key.setdefault(key, set()).add(page.path)

    def near(self, candidate: KnowledgeCandidate, *, most: int = LOOKED_AT) -> list[Near]:
        asked = keys_of(f"{candidate.title}\n{candidate.summary}") | keys_of(" ".join(candidate.tags))
        shared = Counter(path for key in asked for path in self._by_key.get(key, ()))
        return [self.pages[path] for path, _ in sorted(shared.items(), key=lambda one: (-one[1], one[0]))[:most]]

    def over(self, pages: Iterable[Near]) -> list[Near]:
        """Pages of the base, each as it is planned where it is."""
        return [replace(self.pages.get(page.path, page), search_rank=page.search_rank) for page in pages]


def _heads(page: Near) -> frozenset[str]:
    return keys_of(f"{page.title}\n{page.summary}") | keys_of(" ".join(page.tags))


_MARKUP: Final = re.compile(
    r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}|^[ \t]*+(?:[-*+]|\d++[.)]|#{1,6}|>)[ \t]++", re.MULTILINE
)
_LINK: Final = re.compile(r"\[([^\[\]\n]*+)\]\([^)\n]{0,2000}+\)")
_CLAUSES: Final = re.compile(r",\s+(?!\d)|[;(]\s*|:\s+(?!\d)|\s[–—-]\s|，|；|：")
_NAMES: Final = re.compile(r"(`[^`\n]+`|(?<!\S)[\w.-]*/\S*\w|:(?=\s+\d))")
"""Names in code, paths, and a colon in front of a number."""
_LEAST_ABOUT: Final = 2
_SLOT: Final = "\x00"
_LEAST_WORDS: Final = 3
_BEFORE: Final = 2
"""Words in front of a number; `port 80` and `step 2` are names."""
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


class StatedClause(NamedTuple):
    about: frozenset[str]
    """Keys of its words, without values and negations."""
    values: frozenset[str]
    """Of values with a unit, and of numbers of things."""
    is_negated: bool


@lru_cache(1024)
def clauses(text: str) -> tuple[StatedClause, ...]:
    """Of a sentence, those that are about two things or more."""
    shown = _LINK.sub(r"\1", _MARKUP.sub("", normalize("NFKC", behind_cue(text))))
    found = (_clause(atoms(part)) for part in _CLAUSES.split(shown))
    return tuple(one for one in found if len(one.about) >= _LEAST_ABOUT)


def _clause(some: Sequence[Atom]) -> StatedClause:
    negations = [atom for atom in some if atom.key in NEGATIONS]
    about = frozenset(a.key for a in some if a.kind not in ("stop", *VALUES) and a.key not in NEGATIONS)
    measured = frozenset(atom.key for atom in some if atom.kind == "number" and " " in atom.key)
    return StatedClause(about, measured | frozenset(_counts(some)), len(negations) % 2 == 1)


def _counts(some: Sequence[Atom]) -> Iterator[str]:
    """Numbers of things. The thing stands behind the number; in front of a name, such as `step 2`, it stands before."""
    for before, atom, thing in zip([None, *some], some, some[1:], strict=False):
        is_count = before is None or before.kind == "logic" or before.text.casefold() in counting()
        if atom.kind == "number" and bare(atom) == atom.key and thing.kind == "word" and is_count:
            yield f"{atom.key} {thing.key}"


def rivals(one: str, other: str) -> bool:
    """Whether two sentences have clauses about the same things that can hardly both hold: with other values of one
    unit, or with a negation in one of them. That is no proof, and a reason to ask a person."""
    return any(_are_rivals(mine, theirs) for mine in clauses(one) for theirs in clauses(other))


def _are_rivals(mine: StatedClause, theirs: StatedClause) -> bool:
    if mine.about != theirs.about:
        return False
    if mine.is_negated != theirs.is_negated:
        return mine.values == theirs.values
    units = [{value.partition(" ")[2] for value in one.values} for one in (mine, theirs)]
    return bool(mine.values) and units[0] == units[1] and mine.values.isdisjoint(theirs.values)


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
