"""What a rule is about: all of a kind, not one of them, and nobody in particular."""

import re
from typing import Final

from cairn.curate.rules.words import DET, is_plural, word_set

_I: Final = re.IGNORECASE
_UNIVERSAL: Final = re.compile(r"^(?:all|every|each|any|no|new|public|everything|anything|nothing)\b", _I)
_WHO: Final = word_set(
    """
    you we i they he she it one this that there somebody someone who
    """
)
_BEHIND: Final = re.compile(r"\s+(?:of|in|for|from|on|with|that|to|between|against|over|under|above|below)\s", _I)
_PARTICIPLE: Final = re.compile(r"(?:ed|wn|en|ing)$", _I)
_LEADS_IN: Final = re.compile(r"^(?:for|in|on|with|to|if|when|at|by|please|also|from|as|or|and|but|then)\b", _I)
_PEOPLE: Final = re.compile(r"\b(?:users?|customers?|admins?|visitors?|people|clients?|guests?)$", _I)
_SEEN: Final = word_set(
    """
    buttons labels icons colors colours images rows columns cards lines titles headers links tooltips menus numbers
    values fonts points markers dots bars axes ticks dialogs pages screens items entries results fields texts words
    letters cells paragraphs sentences slides chapters pictures sections
    """
)
"""What people look at: what these should be is what a feature should do."""
TROUBLE: Final = re.compile(
    r"^(?:run|runs) (?:into|out of)\b|^keep \w+ing\b|\b(?:errors?|bugs?|fail\w*|broken|crash\w*|slow"
    r"|twice|wrong|leak\w*|too \w+|outdated|missing)\b",
    _I,
)


def is_generic(subject: str) -> bool:
    """`Migrations`, `all handlers`, `tests of the API`: not one of them."""
    if not not_pronoun(subject) or _LEADS_IN.match(subject):
        return False
    if _UNIVERSAL.match(subject):
        return True
    return not DET.match(subject) and is_plural(head_of(subject))


def head_of(subject: str) -> str:
    """`strings` of `strings shown to users`."""
    words = _BEHIND.split(f"{subject} ", maxsplit=1)[0].split()
    if len(words) > 1 and _PARTICIPLE.search(words[-1]) and is_plural(words[-2]):
        words.pop()
    return words[-1] if words else ""


def are_people(subject: str) -> bool:
    return bool(_PEOPLE.search(head_of(subject)))


def is_seen(subject: str) -> bool:
    return head_of(subject).lower().removesuffix("s") + "s" in _SEEN


def is_universal(subject: str) -> bool:
    return bool(_UNIVERSAL.match(subject)) and not_pronoun(subject)


def not_pronoun(subject: str) -> bool:
    return subject.lower().split()[0] not in _WHO
