"""Statements: what a sentence is about and what it says of that, so that two can be told to agree, differ or oppose.

Words are compared by what they mean and not by their form (`kernel/text/atoms`). Where two sentences can't be told to
be about the same thing they are not compared: what is missed is found by a person, what is invented costs one's trust.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from cairn.kernel.text.atoms import VALUES, Atom, atoms, spellings
from cairn.kernel.text.lexicon import BINARY, NEGATIONS, SIDES
from cairn.kernel.text.search import runs
from cairn.kernel.text.sentences import Sentence, sentences

Keys = frozenset[str]

ALIKE: Final = 0.6
"""Share of their words that two sentences must have in common to be about the same."""
SAME_PURPOSE: Final = 0.75
SAID: Final = 0.85
"""Share of a sentence's words that another must have to say it too."""
HALF: Final = 0.5
_DENIES: Final = 0.2
"""Share of a sentence that has to be about what is denied: the *no* of a long one is about a part of it."""
_FILLER: Final = 4
"""What was chosen, or where something is, takes few words; more are a sentence of its own."""

_WEAK: Final = frozenset({"us", "use", "prefer", "alway", "keep", "call", "set", "do", "plea", "need"})
"""Concepts of verbs that nearly every rule has."""
_REASON: Final = re.compile(
    r"[\s,;(–—-]+(?:because|since|so that|so|otherwise|as it|as they|as this|due to|reason:)\s+(?P<why>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_HELPS: Final = "".join(f"(?<!{word})" for word in ("must", "should", "may", "can", "will", "shall", "do", "does"))
"""Verbs whose `not` denies the whole sentence."""
_CONTRAST: Final = re.compile(
    rf"(?:(?:,\s+(?:and\s+|but\s+)?|\s+(?:and|but)\s+|{_HELPS}\s+)(?:not|never)"
    r"|,?\s+instead\s+of|,?\s+rather\s+than|,?\s+in\s+place\s+of)\s+"
    r"(?P<no>(?:[^,;.]|\.(?=\d))+?)(?=\s+(?:for|when|in|on|to|as|at|with|if|inside)\s|[,;)]|\.(?!\d)|$)",
    re.IGNORECASE,
)
_PREFERRED: Final = re.compile(
    r"\b(?P<yes>prefer\s+.+?)\s+(?:over|to)\s+(?P<no>[^,;.]+?)(?=\s+(?:for|when|in)\s|[,;.]|$)", re.IGNORECASE
)
_NEGATED_CHOICE: Final = re.compile(
    r"^(?:do\s+not|don'?t|never|avoid|no\s+longer)\s+(?:use\s+|using\s+|run\s+|call\s+|write\s+)?(?P<no>[^,;.]+?)"
    r"(?:\s+(?:for|when|in|on|as|with|inside)\s+(?P<rest>.+))?$",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(
    r"^(?:(?:always|please|we|you|must|should|to|only)\s+)*"
    r"(?:use|prefer|choose|pick|adopt|take)"
    r"\s+(?P<what>.+?)(?:\s+(?:for|to|when|in|on|as|with|at|under|inside)\s+(?P<rest>.+))?$",
    re.IGNORECASE,
)
_MANNER: Final = re.compile(
    r"^(?:(?:always|please|we|you|must|should|to|only)\s+)*"
    r"(?P<rest>(?:write|name|log|indent|format|install|generate|deploy)\s+.+?)\s+"
    r"(?:with|using|via|by|(?<!deploy\s)(?<!install\s)in)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"^(?P<rest>.+?)\s+(?:live|lives|sit|sits|stand|stands|reside|resides|go|goes|belong|belongs"
    r"|(?:is|are)(?:\s+\w+ed|\s+kept|\s+found|\s+built)?)\s+(?:in|at|under|inside|into|on)\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_IS: Final = re.compile(r"^(?P<rest>.+?)\s+(?:is|are|equals?|defaults?\s+to|means)\s+(?P<what>.+)$", re.IGNORECASE)
_DONE: Final = re.compile(r"^(\w+(?:ed|en))\s+(?:by|with|in|on|from|as|for|to|at)\b", re.IGNORECASE)
"""What is done to something is part of the question: *backed by* what, *sorted by* what."""
_PATHS: Final = re.compile(r"[\w.@-]*/[\w./@-]*\w")
_EMPHASIS: Final = frozenset({"often"})
"""*Always* do it says no more than do it."""
_DENIED: Final = re.compile(r"^(?:do\s+not|don'?t|never)\s+(?P<what>[^,;:]+)$", re.IGNORECASE)
_AVOID: Final = re.compile(r"\b(?:avoid|refrain from|stop)\b", re.IGNORECASE)


class Slot(NamedTuple):
    """One question and its answer: what to use for something, where something is, what it is."""

    frame: str
    """`use`, `manner`, `place`, `path` or `is`."""
    about: Keys
    filler: Keys


_PROGRAM: Final = "make"
"""Mostly the program, which has nothing to do with what is generated; and what is made says more than that it is."""


@lru_cache(2048)
def keys_of(text: str) -> Keys:
    """What a text is about: its words and names, without values and without what only holds it together."""
    return _keys_in(atoms(text))


def _keys_in(found: Sequence[Atom]) -> Keys:
    return frozenset(key for atom in found if atom.counts and atom.kind not in VALUES for key in _keys(atom))


def _keys(atom: Atom) -> Iterator[str]:
    if atom.text.isascii() or not runs().search(atom.text):
        if atom.key not in _WEAK and atom.text.lower() != _PROGRAM:
            yield atom.key
        return
    for run in runs().findall(atom.text):  # no blanks between words: pairs of letters stand for them
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))


class Statement(NamedTuple):
    text: str
    keys: Keys
    values: Keys
    amounts: frozenset[tuple[str, str]]
    """Of what, and how much: seconds, or what a number counts."""
    names: Keys
    negated: bool
    sides: frozenset[tuple[str, int]]
    rejected: Keys
    """What it says not to take: *use pnpm, not npm*."""
    reason: Keys
    slots: tuple[Slot, ...]

    @property
    def empty(self) -> bool:
        return not (self.keys or self.values or self.rejected)


@lru_cache(2048)
def statement(text: str) -> Statement:
    """One sentence, taken apart."""
    plain = " ".join(text.replace("`", "").split()).strip(" .!#*-•>")
    why = _REASON.search(plain)
    core = plain[: why.start()] if why else plain
    core, rejected = _without_contrast(core)
    found = atoms(core)
    logic = [atom.key for atom in found if atom.kind == "logic"]
    denials = sum(key in NEGATIONS for key in logic) + (_AVOID.search(core) is not None)
    refused = _NEGATED_CHOICE.match(core)
    if refused:
        rejected |= keys_of(refused["no"])
    return Statement(
        text,
        _keys_in(found) - keys_of("avoid"),
        frozenset(atom.key for atom in found if atom.kind in VALUES),
        frozenset(_amounts(found)),
        frozenset(atom.key for atom in found if atom.kind == "name"),
        denials % 2 == 1,
        frozenset(SIDES[key] for key in logic if key in SIDES and SIDES[key][0] in BINARY),
        rejected,
        keys_of(why["why"]) if why else frozenset(),
        () if denials % 2 else tuple(_slots(core)),
    )


def _amounts(found: Sequence[Atom]) -> Iterator[tuple[str, str]]:
    for at, atom in enumerate(found):
        if atom.kind == "number":
            value, _, unit = atom.key.partition(" ")
            if of := unit or next((other.key for other in found[at + 1 : at + 2] if other.counts), ""):
                yield of, value


def _without_contrast(core: str) -> tuple[str, Keys]:
    found = _CONTRAST.search(core)
    if found and found.start() > 0:
        return core[: found.start()] + core[found.end() :], keys_of(found["no"])
    preferred = _PREFERRED.search(core)
    if preferred:
        return core[: preferred.end("yes")] + core[preferred.end() :], keys_of(preferred["no"])
    return core, frozenset()


def _slots(core: str) -> Iterator[Slot]:
    for frame, pattern in (("use", _CHOICE), ("manner", _MANNER), ("place", _PLACE), ("is", _IS)):
        found = pattern.match(core)
        if not found or not found["what"]:
            continue
        what = atoms(found["what"])
        filler = frozenset(atom.key for atom in what if atom.kind != "stop" and atom.key not in _WEAK)
        if frame == "place" and (paths := _PATHS.findall(found["what"])):
            yield Slot("path", keys_of(found["rest"] or ""), frozenset(paths))
            return
        hard = any(atom.kind in ("name", *VALUES) for atom in what)
        if 0 < len(filler) <= _FILLER and (hard or frame in ("use", "manner")):
            done = _DONE.match(found["what"]) if frame == "is" else None
            yield Slot(frame, keys_of(f"{found['rest'] or ''} {done[1] if done else ''}"), filler)
        return


def statements(text: str, about: Keys | None = None) -> tuple[Statement, ...]:
    """Those of a body, headings and fenced blocks left out; `about` some words, only those that may have one of them:
    taking a sentence apart costs more than looking for a few letters in it."""
    texts = [one.text for one in _sentences(text) if one.fence is None and not one.text.startswith("#")]
    if about is not None:
        needles = tuple(needle for key in about for needle in spellings(key))
        texts = [one for one in texts if any(needle in one.lower() for needle in needles)]
    return tuple(one for one in map(statement, texts) if not one.empty)


@lru_cache(256)
def _sentences(text: str) -> tuple[Sentence, ...]:
    return tuple(sentences(text))


# --- two of them ------------------------------------------------------------------------------------------------------


class Relation(Enum):
    """How one statement stands to another."""

    SAID = "said"
    OPPOSED = "opposed"
    ALIKE = "alike"
    OTHER = "other"


class Compared(NamedTuple):
    relation: Relation
    why: str = ""
    """Of an opposition: in what they differ."""


def compare(new: Statement, old: Statement) -> Compared:
    """What the old statement makes of the new one."""
    if why := _opposed(new, old):
        return Compared(Relation.OPPOSED, why)
    if _is_said(new, old):
        return Compared(Relation.SAID)
    return Compared(Relation.ALIKE if similar(new.keys, old.keys) >= ALIKE else Relation.OTHER)


def similar(one: Keys, other: Keys) -> float:
    """Jaccard."""
    both = len(one & other)
    return both / len(one | other) if both else 0.0


def covered(part: Keys, whole: Keys) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _is_said(new: Statement, old: Statement, around: Keys = frozenset()) -> bool:
    if new.negated != old.negated and not (new.rejected and new.rejected <= old.rejected):
        return False
    if new.negated and old.keys and covered(old.keys, new.keys | old.rejected) < _DENIES:
        return False
    known = old.keys | old.reason
    return (
        new.values <= old.values
        and new.names <= known | old.rejected
        and {side for side in new.sides if side[0] not in _EMPHASIS} <= old.sides
        and new.rejected <= old.rejected | (known if old.negated else frozenset())
        and covered(new.reason, known) >= (SAID if new.reason else 0)
        and (_has_words(new.keys, known, around) if new.keys else new.values == old.values)
    )


def _has_words(keys: Keys, known: Keys, around: Keys) -> bool:
    """All but a few; or half, where the head of the page has the others: it says what its sentences are about."""
    if covered(keys, known) >= SAID:
        return True
    return covered(keys, known) >= HALF and covered(keys, known | around) == 1


def _opposed(new: Statement, old: Statement) -> str:
    if why := _other_choice(new, old) or _other_answer(new, old):
        return why
    alike = similar(new.keys, old.keys)
    shared = len(new.keys & old.keys) + len(new.values & old.values)
    if _ordered_anyway(new, old) or _ordered_anyway(old, new):
        return "one says that it is so, the other that it is not"
    if other_amount(new, old, within=1):
        return "they name different values"
    if alike < ALIKE or shared < 2:
        return ""
    if new.negated != old.negated:
        denied, other = (new, old) if new.negated else (old, new)
        limits = denied.values - other.values  # *never below 3.4 volts* says when, and denies nothing
        return "" if limits or _other_side(new, old) else "one says that it is so, the other that it is not"
    if _other_side(new, old):
        return "they take opposite sides"
    return "they name different values" if _other_value(new.values, old.values) else ""


def _ordered_anyway(one: Statement, denying: Statement) -> bool:
    """*In API tests, mock the database*, where *do not mock the database* is what the other says."""
    denied = _DENIED.match(denying.text)
    if one.negated or not denied or len(denying.keys) < 2 or not denying.keys <= one.keys:
        return False
    text = " ".join(one.text.lower().split())
    what = " ".join(denied["what"].lower().split()).strip(" .!`")
    return text.startswith(what) or f", {what}" in text


def _other_choice(new: Statement, old: Statement) -> str:
    """One takes what the other rejects."""
    for chooser, rejecter in ((new, old), (old, new)):
        if not rejecter.keys:
            continue  # *avoid: not REST* is a piece of a table, and says nothing by itself
        for slot in chooser.slots:
            wanted = similar(slot.filler, rejecter.rejected) >= HALF  # *deep imports* are no *wildcard imports*
            if slot.frame == "use" and wanted and _fits(slot.about, rejecter):
                theirs = frozenset().union(*(one.filler for one in rejecter.slots))
                if not slot.filler <= theirs:
                    return "one takes what the other rejects"
        if _rejects(rejecter, chooser):
            return "one takes what the other rejects"
    return ""


def _rejects(one: Statement, other: Statement) -> bool:
    """*Services log as text, not JSON* and *services log as JSON lines*: the same thing, but for what is rejected."""
    if one.negated or other.negated or not one.rejected or not one.rejected <= other.keys:
        return False
    if len(one.keys & other.keys) < 2 and not (other.keys - one.rejected <= one.keys and one.keys & other.keys):
        return False
    alike = covered if _first(one) == _first(other) else similar
    if alike(one.keys, other.keys - one.rejected) < HALF:
        return False
    return not (one.keys <= other.keys and one.sides <= other.sides)


def _first(one: Statement) -> str:
    """The word that it begins with, mostly what it says something of."""
    return next((key for atom in atoms(one.text) if atom.counts for key in _keys(atom)), "")


def _fits(about: Keys, other: Statement) -> bool:
    """Whether a choice may be about the same purpose: both name it, or one doesn't say."""
    theirs = other.slots[0].about if other.slots else other.keys - other.rejected
    return not about or not theirs or similar(about, theirs) >= 0.5


def _other_answer(new: Statement, old: Statement) -> str:
    for mine in new.slots:
        for theirs in old.slots:
            line = SAME_PURPOSE if mine.frame in ("use", "manner") else ALIKE
            asked = mine.frame == theirs.frame and mine.about and similar(mine.about, theirs.about) >= line
            if asked and not mine.filler & theirs.filler and not _nested(mine.filler, theirs.filler):
                return "they answer the same question differently"
    return ""


def _nested(one: Keys, other: Keys) -> bool:
    """`src` and `src/worker.py` are both right."""
    pairs = [(a.lstrip("·"), b.lstrip("·")) for a in one for b in other]
    return any(a.startswith(b.rstrip("/") + "/") or b.startswith(a.rstrip("/") + "/") for a, b in pairs)


def _other_side(new: Statement, old: Statement) -> bool:
    mine, theirs = dict(new.sides), dict(old.sides)
    return any(family in theirs and mine[family] != theirs[family] for family in mine)


def _other_value(mine: Keys, theirs: Keys) -> bool:
    """Values of the same sort that don't meet."""
    if not mine or not theirs or mine & theirs:
        return False
    return {_unit(key) for key in mine} == {_unit(key) for key in theirs}


def other_amount(new: Statement, old: Statement, *, within: float) -> bool:
    """Whether two sentences, one of which has so many of the words of the other, give another number of the same."""
    mine, theirs = dict(new.amounts), dict(old.amounts)
    both = mine.keys() & theirs.keys()
    if not both or new.negated != old.negated or len(new.keys & old.keys) < 2:
        return False
    if max(covered(new.keys, old.keys), covered(old.keys, new.keys)) < within or _other_side(new, old):
        return False
    return all(mine[of] != theirs[of] for of in both) and not new.amounts & old.amounts


def _unit(key: str) -> str:
    return key.partition(" ")[2]


def all_said(new: Sequence[Statement], old: Sequence[Statement], around: Keys = frozenset()) -> bool:
    """Whether each is said by one of the others; `around` are words in the head of the page that those stand on."""
    return bool(new) and all(any(_is_said(one, other, around) for other in old) for one in new)
