"""How things are here, said of all of a kind: under a heading that promises rules, `A test has one reason to fail`."""

import re
from typing import Final

from cairn.curate.rules.words import is_plural, word_set

_I: Final = re.IGNORECASE
_NORM: Final = re.compile(
    r"^(?P<subject>(?:(?:an?|every|each|no|one|all)\s+)?(?:[\w`-]+\s+){1,4}?)"
    r"(?P<verb>is|are|has|have|uses?|goes|go|comes?|brings?|opens?|says?|lives?|belongs?|takes?|returns?|gets?|stays?"
    r"|starts?|begins?|ends?|contains?|does|do|mirrors?|follows?|carr(?:y|ies)|names?|reads?|writes?|imports?|happens?)\s+"
    r"(?P<rest>\S.*)$",
    _I,
)
_ALL: Final = re.compile(r"^(?:an?|every|each|no|one)\s+(?!few\b|lot\b|number\b|bit\b)\w", _I)
_NOT_FIRST: Final = re.compile(
    r"^(?:we|you|they|it|this|that|there|these|those|here|what|which|who|how|most|many|some|several|other|to|for|in|on|by"
    r"|if|when|once|since|as|with|our|your|its|their|the|two|three|four|five|maintainers|contributors|developers|users|reviewers|people)\b",
    _I,
)
_LOOSE: Final = re.compile(
    r"\b(?:is|are)\s+(?:an?\s+)?(?:also|very|more|most|less|good|great|important|useful|helpful|nice|possible|available"
    r"|able|easy|hard|difficult|common|known|considered|appreciated|encouraged|welcome|fine|okay|ok|optional|likely"
    r"|supported|being|designed|meant|intended|based)\b|\bare\s+(?:the\s+)?[\w-]+(?:\s+[\w-]+)?\s+(?:that|which)\b|\b(?:has|have)\s+(?:been|to)\b|\b(?:can|could|will|would)\b",
    _I,
)
"""What praises, explains a word, or tells how things happen to be."""
_LEAST: Final = 5


def is_norm(text: str) -> bool:
    found = _NORM.match(text)
    if found is None or _NOT_FIRST.match(text) or _LOOSE.search(text) or len(text.split()) < _LEAST:
        return False
    words = found["subject"].split()
    verb = found["verb"].lower()
    if _ALL.match(text):
        return len(words) > 1 and (verb.endswith("s") or words[0].lower() == "no")
    return is_plural(words[-1]) and verb in _PLURAL


_PLURAL: Final = word_set(
    """
    are have use go come bring open say live belong take return get stay start begin end contain do mirror follow carry
    name read write import happen
    """
)
