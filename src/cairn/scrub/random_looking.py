"""Does a string look drawn by lot, as keys are, or was it written by somebody as a name or an example?"""

import re
from collections import Counter
from math import log2

_SAID_TO_BE_NONE = re.compile(
    r"example|sample|placeholder|changeme|change[_-]me|redacted|dummy|fake|your[_-]?|insert|replace|todo|"
    r"x{4}|\*{3}|\.{3}|0{6}|1{6}|a{5}|0123456|1234567|7654321|abcdefg|qwerty|deadbeef|foobar|lorem|not[_-]a[_-]?real|JBSWY3DPEHPK3PXP|Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6|"
    r"remplac|ersetz|aendern|ändern|cambia|cámbia|sostitu|substitu|troque|vervang|wijzig|zmie[nń]|votre[_-]|dein[_-]|ihr[_-]",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^-_./:+=~!?#%&*^@]+")
_PLAIN_PIECE = re.compile(
    r"(?:[A-Z]{0,4}+[a-z]++)++\d{0,4}|[A-Z]++\d{0,4}|v?\d{1,4}|[a-z]{1,4}\d{1,4}[a-z]|\d{1,6}[a-z]{1,3}"
)
"""A word, words in camel case, a word with a small number, a version, `o200k`, `12ms`."""


def entropy(text: str) -> float:
    """Bits a character, by how often each occurs in it."""
    size = len(text)
    return -sum(count / size * log2(count / size) for count in Counter(text).values()) if size else 0.0


def is_placeholder(text: str) -> bool:
    """Whether it says itself that it stands for something else."""
    return bool(_SAID_TO_BE_NONE.search(text)) or len(set(text)) < 5


def is_name(text: str) -> bool:
    """Whether it is made of words, as `my-secret-v2` or `settings.apiKey` are."""
    pieces = _PIECE.findall(text)
    return all(_PLAIN_PIECE.fullmatch(piece) and not _scrambled(piece) for piece in pieces)


def _scrambled(piece: str) -> bool:
    """Letters alone may be a key as well: then capitals stand where no camel case would have them."""
    if len(piece) < 16 or piece.islower() or piece.isupper():
        return False
    humps = sum(after.isupper() for after in piece[1:])
    return humps * 4 > len(piece)


def looks_random(text: str, *, least: float = 3.0) -> bool:
    """What a generator would give: varied, no word for itself, no example."""
    return not is_placeholder(text) and entropy(text) >= least and not is_name(text)
