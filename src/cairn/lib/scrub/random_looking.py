"""Does a string look drawn by lot, as keys are, or was it written by somebody as a name or an example?"""

import re
from collections import Counter
from math import log2

_SAID_TO_BE_NONE = re.compile(
    r"example|sample|placeholder|changeme|change[_-]me|redacted|dummy|fake|your[_-]?|insert|replace|todo|"
    r"(?-i:x{4}|X{4})|\*{3}|\.{3}|0{6}|1{6}|a{6}|0123456|1234567|7654321|abcdefg|qwerty|deadbeef|foobar|lorem|not[_-]a[_-]?real|JBSWY3DPEHPK3PXP|sk_test_4eC39HqLyjWDarjtT1zdp7dc|sk_test_BQokikJOvBiI2HlWgH4olfQ2|Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6|"
    r"remplac|ersetz|aendern|ändern|cambia|cámbia|sostitu|substitu|troque|vervang|wijzig|zmie[nń]|votre[_-]|dein[_-]|ihr[_-]",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^-_./:+=~!?#%&*^@]+")
_PLAIN_PIECE = re.compile(
    r"(?:[A-Z]{0,4}+[a-z]++)++\d{0,4}|[a-z]{0,12}+(?:[A-Z][a-z]{2,}\d{0,2}|[A-Z]{1,4}\d{1,2}(?=[A-Z]))++|[A-Z]++\d{0,4}|v?\d{1,4}|[a-z]{1,4}\d{1,4}[a-z]|\d{1,6}[a-z]{1,3}"
)
"""A word, words in camel case, also with numbers inside, a word with a small number, a version, `o200k`, `12ms`."""


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
    """Letters alone may be a key as well: then capitals stand where no camel case would have them, or the letters
    follow each other as in no language."""
    if is_scrambled(piece):
        return True
    if len(piece) < 16 or piece.islower() or piece.isupper():
        return False
    humps = sum(after.isupper() for after in piece[1:])
    return humps * 4 > len(piece)


_PAIRS = frozenset(
    """
aa ab ac ad ag ai al am an ap ar as at au be bl ca ce ch ci cl co cr cs ct cu da de di do ds ea ec ed ee ef eg ei el em en ep
er es et ex fe fi fo ge gi gu ha he hi ho ht ia ic id ie if ig il im in io ir is it iv je ke ku la le li ll lo ls lt lu ma me
mi mo mp na nc nd ne nf ng ni no ns nt ob oc od ol om on oo op or os ot ou ow pa pe pi pl po pr qu ra rc rd re ri rm rn ro rs
rt ru rv sa sc se sh si so sp ss st su ta te th ti tl to tr ts tt tu ty ub ue ui ul um un ur us ut va ve vi vo wa we wi wo za
ze zi
""".split()
)
"""The commonest pairs of letters in eight languages. Nine tenths of the pairs of a word are here, and a quarter of those
of letters drawn by lot."""
FEWEST_LETTERS = 14


def is_scrambled(letters: str, least: int = FEWEST_LETTERS) -> bool:
    """Whether so many letters without a digit make no words."""
    if len(letters) < least or not (letters.isascii() and letters.isalpha()):
        return False
    low = letters.lower()
    return sum(low[at : at + 2] in _PAIRS for at in range(len(low) - 1)) * 2 < len(low) - 1


def looks_random(text: str, *, least: float = 3.0) -> bool:
    """What a generator would give: varied, no word for itself, no example."""
    return not is_placeholder(text) and entropy(text) >= least and not is_name(text)
