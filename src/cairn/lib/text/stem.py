"""Stems of English words, by Porter's rules of 1980: the same that the full-text indexes use."""

from functools import lru_cache

_SHORTEST, _LONGEST = 3, 64
"""Words outside of this stay as they are."""

_STEP_2_PAIRS = """
ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ization:ize
ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble
"""
_STEP_2 = dict(pair.split(":") for pair in _STEP_2_PAIRS.split())
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4_ENDINGS = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
_STEP_4 = tuple(_STEP_4_ENDINGS.split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Of a word in small letters."""
    if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii()):
        return word
    word = without_ending(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _final_letters(_without_suffix(word))


def without_ending(word: str) -> str:
    """Without the ending of a plural, a past or an -ing form."""
    return _past_and_progressive(_plural(word))


def _shape(word: str) -> str:
    """One letter for each: v for a vowel, c for a consonant. A `y` is a vowel behind a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a consonant follows a vowel: about the number of syllables."""
    return _shape(word).count("vc")


def _closed(word: str) -> bool:
    """Ends like `hop`: consonant, vowel, consonant that is not w, x or y."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _mended(rest) if "v" in _shape(rest) else word
    return word


def _mended(word: str) -> str:
    """What is left when an ending was taken away, as a word again."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _doubled(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _closed(word) else word


def _replaced(word: str, endings: dict[str, str]) -> str:
    ending = max((ending for ending in endings if word.endswith(ending)), key=len, default="")
    rest = word[: len(word) - len(ending)]
    return rest + endings[ending] if ending and _measure(rest) > 0 else word


def _without_suffix(word: str) -> str:
    ending = max((ending for ending in _STEP_4 if word.endswith(ending)), key=len, default="")
    rest = word[: len(word) - len(ending)]
    if not ending or _measure(rest) <= 1 or (ending == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _final_letters(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _closed(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
