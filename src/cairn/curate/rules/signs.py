"""What no reader took, and may be meant to last all the same: signs for and against it, weighed together.

Readers know forms of sentences, and people find others. The weights were fitted to sessions with known outcomes
(`bench/curate_weights.py`), and the line is where about two pieces of junk are taken in a hundred turns.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from cairn.curate.rules.clauses import led, reasoned
from cairn.curate.rules.scope import is_manners, is_question, is_story, passing, pointing
from cairn.curate.rules.subjects import is_seen
from cairn.curate.rules.words import DURABLE, ONCE, TASKS, VERBS, begun, is_plural, names_in, word_set
from cairn.kernel.model.candidate import Kind

_I: Final = re.IGNORECASE
LEAST, MOST = 4, 40
"""Words of a sentence that is looked at."""
LEAST_STATED: Final = 3
"""Words of what is left without the reason: `We decided` says nothing."""
LINE: Final = -0.2

_WORDS: Final = {
    "because": r"because|cause|since|so that|otherwise|or else|reason|due to|that way|bc|as it|as they|which is why|so",
    "check": r"fix|bug|errors?|fails?|failing|broken|crash\w*|stack|trace|debug|look at|check|see",
    "choice": r"instead|rather than|not|over|prefer|switch(?:ed)?|moved?|replaced?|no longer|any ?more|used to",
    "dont": r"don'?t|do not|dont|never|avoid|stop|no longer|no more|without",
    "i": r"i|i'm|i've|i'd|i'll|me|my",
    "lasting": (
        r"from now on|going forward|in (?:the )?future|remember|for the record|as a rule|in general|by default"
        r"|conventions?|policy|rules?|agreed|decided|standard|every time|whenever|fyi|note that|reminder"
        r"|in this (?:repo|project|codebase)|around here|here we|house"
    ),
    "maybe": (
        r"maybe|perhaps|might|could|probably|i think|i guess|not sure|what if|suppose|if we|would be|wonder|seems?"
        r"|looks? like|possibly|let'?s|lol|haha"
    ),
    "modal": (
        r"must(?:n'?t)?|should(?:n'?t)?|shall|ha(?:ve|s) to|needs? to|may only|(?:is|are) supposed|not allowed|can'?t"
        r"|cannot"
    ),
    "place": (
        r"lives?|sits?|is in|are in|located|under|folder|directory|repo|service|module|package"
        r"|goes? (?:in|into|to|through)"
    ),
    "polite": r"please|pls|thanks|thx|ok|okay|cool|great|nice|good|sure|yep|yes",
    "this": r"this|that|these|those|it|them|they|here|there",
    "when": r"if|when|whenever|unless|until|before|after|while",
}
_SEEN: Final = {name: re.compile(rf"\b(?:{words})\b", _I) for name, words in _WORDS.items()}
_COLON: Final = re.compile(r":\s|\s[-–—]\s")
_FIRST: Final = re.compile(r"^\W*(\w[\w'-]*)")
_PRONOUNS: Final = word_set("it that this they i you he she these those there")
_GOES_ON: Final = re.compile(r"^(?:otherwise|because|or|and|so|but|which|then|that way|since|same|also)\b", _I)
_THEN: Final = re.compile(r",\s+(?:so |please |then )?[a-z]+\s+(?:it|them|that|this)\b", _I)
_THING: Final = re.compile(
    r"^(?:the|our|all|every|`[^`]+`|[\w.-]*/[\w./-]+)\s.*?\b(?:lives?|sits?|is|are|goes|runs?|comes?|belongs?|owns?)\b",
    _I,
)


class Around(NamedTuple):
    """Where a sentence stands."""

    corrects: bool = False
    reacts: bool = False
    opens: bool = False
    """In the first message of the session, which says what to do."""
    in_task: bool = False
    alone: bool = False
    """It is all that the message says."""


class Telling(NamedTuple):
    kind: Kind
    statement: str
    reason: str


WEIGHTS: Final[Mapping[str, float]] = {
    "base": -2.27,
    "few words": -1.31,
    "opens": -1.21,
    "pointing": -0.61,
    "alone": -0.53,
    "maybe": -0.50,
    "in_task": -0.43,
    "begins with a task": -0.39,
    "polite": -0.36,
    "begins with a pronoun": -0.32,
    "this": -0.29,
    "i": -0.23,
    "begins with a verb": -0.15,
    "check": -0.12,
    "begins with many": 0.21,
    "modal": 0.21,
    "because": 0.24,
    "begins with a rule's verb": 0.24,
    "modal, reacting": 0.26,
    "begins with we": 0.29,
    "when": 0.30,
    "dont, reacting": 0.32,
    "dont": 0.32,
    "rule": 0.34,
    "names": 0.34,
    "choice": 0.36,
    "colon": 0.40,
    "number": 0.41,
    "lasting": 0.53,
    "corrects": 0.58,
    "place": 0.66,
    "usual length": 0.82,
    "a name": 0.84,
    "reason": 0.89,
    "reacts": 0.98,
}


def telling(sentence: str, around: Around) -> Telling | None:
    """What the sentence states, if more speaks for it than against."""
    core, corrects, rule = led(sentence.strip())
    statement, reason = reasoned(core.strip(" .!,;:"))
    if around.in_task or is_question(sentence) or not _stands_alone(core) or len(statement.split()) < LEAST_STATED:
        return None
    if passing(core, firm=True) or is_story(core) or is_manners(core):
        return None
    if not may_last(signs(core, around, corrects=corrects, rule=rule)):
        return None
    kind: Kind = "map" if _THING.match(statement) and not _SEEN["modal"].search(statement) else "practice"
    return Telling(kind, begun(statement), reason)


def _stands_alone(core: str) -> bool:
    """Neither a piece of what stands around it, nor an order for now, nor about what a screen shows."""
    first = _first(core)
    if not LEAST <= len(core.split()) <= MOST or _GOES_ON.match(core) or _THEN.search(core):
        return False
    subject = re.sub(r"^(?:the|our|all)\s+", "", core, flags=_I).split()
    return first not in _PRONOUNS | ((ONCE | TASKS) - DURABLE) and not is_seen(subject[0] if subject else "")


def may_last(seen: frozenset[str]) -> bool:
    return sum(WEIGHTS.get(name, 0.0) for name in ("base", *seen)) >= LINE


def _first(text: str) -> str:
    found = _FIRST.match(text)
    return found[1].lower() if found else ""


def signs(core: str, around: Around, *, corrects: bool, rule: bool) -> frozenset[str]:
    """Of a sentence without what leads into it."""
    statement, reason = reasoned(core.strip(" .!,;:"))
    first = _first(statement)
    words, names = len(core.split()), len(names_in(core))
    told = {
        "corrects": corrects or around.corrects,
        "reacts": around.reacts,
        "opens": around.opens,
        "in_task": around.in_task,
        "alone": around.alone,
        "rule": rule,
        "reason": bool(reason),
        "pointing": pointing(core),
        "few words": words <= LEAST,
        "usual length": 7 <= words <= 20,
        "a name": names == 1,
        "names": names > 1,
        "number": any(char.isdigit() for char in core),
        "colon": bool(_COLON.search(core)),
        "begins with a verb": first in VERBS,
        "begins with a task": first in ONCE,
        "begins with a rule's verb": first in DURABLE,
        "begins with many": first.isalpha() and is_plural(first),
        "begins with a pronoun": first in _PRONOUNS,
        "begins with we": first == "we",
    }
    seen = {name for name, pattern in _SEEN.items() if pattern.search(core)}
    seen |= {name for name, is_so in told.items() if is_so}
    if around.reacts:
        seen |= {f"{name}, reacting" for name in ("dont", "modal") if name in seen}
    return frozenset(seen)
