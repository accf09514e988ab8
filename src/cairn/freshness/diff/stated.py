"""How documents write a value of the code: in digits or words, with a unit, or in another unit."""

import re
from collections.abc import Iterator

_NUMBER = re.compile(r"(-?\d[\d_]*)(?:\.(\d+))?([a-zA-Z%]{0,3})")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
KEYWORDS = frozenset(("true", "false", "null", "none", "nil"))
_MILLISECONDS = re.compile(r"(?i)milli|[a-z]Ms\b|_ms\b|\bms\b")
_TIME = ((86_400, "days?"), (3_600, "hours?|hrs?|h"), (60, "minutes?|mins?"), (1, "seconds?|secs?|s"))
"""Seconds of a unit, and how it is written."""
_SIZE = ((1024**3, "GiB|GB|G|gigabytes?"), (1024**2, "MiB|MB|M|megabytes?"), (1024, "KiB|KB|kB|K|kilobytes?"))
_SMALLEST = 60


def is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None or _VERSION.fullmatch(value) is not None


def written_value(value: str, code: str = "") -> re.Pattern[str]:
    """How a document may write a value. Text counts only where it is written as code. `code` is the line that has it,
    which may name its unit."""
    if found := _NUMBER.fullmatch(value):
        return re.compile("|".join(_as_number(found, code)), re.IGNORECASE)
    if _VERSION.fullmatch(value):
        return re.compile(rf"(?<![\w.-])v?{re.escape(value.removeprefix('v'))}(?![\w-]|\.\d)")
    if value.lower() in KEYWORDS:
        return re.compile(rf"(?<![\w.-])(?i:{re.escape(value)})(?![\w-])")
    return re.compile(
        rf"""(?<=[`"'*|]){re.escape(value)}(?=[`"'*|])|(?<=[=:]\s){re.escape(value)}(?![\w.-])|(?<==){re.escape(value)}(?![\w.-])"""
    )


def words_of(text: str) -> frozenset[str]:
    """The words and numbers of a text, for `may_state`."""
    return frozenset(_WORD.findall(text.lower()))


def may_state(value: str, code: str, words: frozenset[str]) -> bool:
    """Whether a text with these words can match the pattern of a value. Quicker than the pattern, which decides."""
    return any(some <= words for some in _hints(value, code))


_WORD = re.compile(r"[a-z]+|\d+")
_THOUSAND = 1000


def _hints(value: str, code: str) -> Iterator[set[str]]:
    """Sets of words, all words of one of which a text must have."""
    found = _NUMBER.fullmatch(value)
    if found is None:
        yield set(_WORD.findall(value.lower()))
        return
    whole = found[1].replace("_", "").lstrip("-")
    if int(whole) >= _THOUSAND:
        yield set(f"{int(whole):,}".split(","))
    for number in (int(whole), *(count for count, _ in _in_other_units(int(whole), code))):
        yield {str(number)}
        if word := in_words(number):
            yield set(_WORD.findall(word))


def _as_number(found: re.Match[str], code: str) -> Iterator[str]:
    whole, part, unit = found[1].replace("_", ""), (found[2] or "").rstrip("0"), found[3]
    grouped = rf"{int(whole):,}".replace(",", "[,_ ]?") if whole.lstrip("-").isdigit() else re.escape(whole)
    digits = grouped + (rf"\.{part}0*" if part else r"(?:\.0+)?")
    ends = rf"(?:{unit})?" if unit else r"(?:[a-zA-Z%]{1,3})?"
    yield rf"(?<![\w.,/-])(?:{digits}{ends})(?![\w-]|[.,/]\d)"
    if part or not whole.isdigit():
        return
    if int(whole) > 1 and (word := in_words(int(whole))):
        yield rf"\b{word}\b"
    if not unit:
        yield from (_counted(count, name) for count, name in _in_other_units(int(whole), code))


def in_words(number: int) -> str:
    """A pattern; empty for numbers that people write in digits."""
    if number < len(_ONES):
        return _ONES[number]
    if number in (100, 1000):
        return "hundred" if number == 100 else "thousand"
    ten, one = number // 10 * 10, number % 10
    return f"{_TENS[ten]}[- ]{_ONES[one]}" if ten in _TENS and one else _TENS.get(number, "")


def _in_other_units(number: int, code: str) -> Iterator[tuple[int, str]]:
    """`300` as "5 minutes", `5000` milliseconds as "5 seconds", `1048576` as "1 MB"."""
    milliseconds = _MILLISECONDS.search(code) is not None
    if number >= (1000 if milliseconds else _SMALLEST):
        scale = 1000 if milliseconds else 1
        for seconds, unit in _TIME:
            if number % (seconds * scale) == 0 and (milliseconds or seconds > 1):
                yield number // (seconds * scale), unit
    for size, unit in _SIZE:
        if number % size == 0 and number:
            yield number // size, unit


def _counted(count: int, unit: str) -> str:
    word = in_words(count)
    return rf"(?<![\w.,/-])(?:{count:d}{f'|{word}' if word else ''})[ -]?(?:{unit})(?![\w-])"
