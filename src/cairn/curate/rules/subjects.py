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
_BEHIND: Final = re.compile(r"\s+(?:of|in|for|from|on|with|that|to|between|against)\s", _I)
_LEADS_IN: Final = re.compile(r"^(?:for|in|on|with|to|if|when|at|by|please|also|from|as|or|and|but|then)\b", _I)
PEOPLE: Final = re.compile(r"\b(?:users?|customers?|admins?|visitors?|people|clients?|guests?)$", _I)
TROUBLE: Final = re.compile(
    r"^(?:run|runs) (?:into|out of)\b|^keep \w+ing\b|\b(?:errors?|bugs?|fail\w*|broken|crash\w*|slow"
    r"|twice|wrong|leak\w*)\b",
    _I,
)


def is_generic(subject: str) -> bool:
    """`Migrations`, `all handlers`, `tests of the API`: not one of them."""
    if not not_pronoun(subject) or _LEADS_IN.match(subject):
        return False
    if _UNIVERSAL.match(subject):
        return True
    head = _BEHIND.split(subject, maxsplit=1)[0].split()
    return bool(head) and not DET.match(subject) and is_plural(head[-1])


def not_pronoun(subject: str) -> bool:
    return subject.lower().split()[0] not in _WHO
