"""Topics: one spelling for what people and agents call by slightly different names."""

import re
import unicodedata

LONGEST = 80

_DROPPED = str.maketrans(dict.fromkeys("'\u2018\u2019\u200c\u200d"))
"""Apostrophes, and the invisible joiners that some scripts put inside of a word."""
_ASCII_GAP = re.compile(r"[^a-z0-9]+")
_GAP = re.compile(r"-+")


def normalize_topic(text: str) -> str:
    """Lower case, letters and digits of every script, everything between them one hyphen. Possibly empty."""
    if text.isascii():
        return ascii_topic(text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    spaced = "".join([char if _is_kept(char) else "-" for char in folded.translate(_DROPPED)])
    return _GAP.sub("-", spaced).strip("-")


def _is_kept(char: str) -> bool:
    """Letters, marks such as the vowels of Devanagari, and numbers."""
    return unicodedata.category(char)[0] in "LMN"


def ascii_topic(text: str) -> str:
    """The older spelling, which loses every letter beyond ASCII (`naïve` is `na-ve`); signals may still carry it."""
    return _ASCII_GAP.sub("-", text.lower().translate(_DROPPED)).strip("-")


def topic_forms(text: str) -> tuple[str, ...]:
    """Everything that a topic may be called by, the spelling we write first; none for a text without any word."""
    topic = normalize_topic(text)
    return tuple(dict.fromkeys(form for form in (topic, ascii_topic(text)) if form))


def is_topic(text: str) -> bool:
    """Whether a text is a topic as it should be written: normal, and not too long."""
    return 0 < len(text) <= LONGEST and normalize_topic(text) == text
