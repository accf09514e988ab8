"""Splits code into words, quickly: repositories have hundreds of megabytes of it."""

import re

_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_SPACED = bytes(byte if byte in _LETTERS else 32 for byte in range(256))
"""Every byte that is part of no name becomes a space; splitting at spaces is faster than a pattern."""
_HYPHENATED = bytes(byte if byte in _LETTERS or byte == 45 else 32 for byte in range(256))
_TOKEN = re.compile(rb"(?:--)?[A-Za-z]\w*(?:-\w+)*")
_DIGITS = b"0123456789"
_FLAG = re.compile(rb"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")


def words_in(data: bytes) -> set[bytes]:
    """Names as code spells them, without digits in front of them, and flags with their dashes."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    if b"--" in data:
        words.update(_FLAG.findall(data))
    return words


def tokens_in(data: bytes) -> set[bytes]:
    """Like `words_in`, and words with hyphens: `--dry-run`, `max-age`."""
    words = {word.lstrip(_DIGITS) for word in set(data.translate(_SPACED).split())}
    words.discard(b"")
    joined = {_without_dash(word) for word in set(data.translate(_HYPHENATED).split()) if b"-" in word}
    words.update(word for word in joined if _TOKEN.fullmatch(word))
    return words


def _without_dash(word: bytes) -> bytes:
    """Without hyphens at its end, and without the one that a flag may begin with: `-max-age`."""
    word = word.rstrip(b"-")
    return word[1:] if word[:1] == b"-" and word[1:2] != b"-" else word


def as_token(word: bytes) -> re.Pattern[bytes]:
    """Where a text has a word as one of its `tokens_in`: quicker than these if few words are looked for."""
    quoted = re.escape(word)
    if b"-" in word:
        return re.compile(rb"(?<!\w)(?<!\w-)(?<!--)" + quoted + rb"-*(?![\w-])") if _TOKEN.fullmatch(word) else _NOTHING
    return re.compile(rb"(?<!\w)[0-9]*" + quoted + rb"(?!\w)") if _NAME.fullmatch(word) else _NOTHING


_NAME = re.compile(rb"[A-Za-z_]\w*")
_NOTHING = re.compile(rb"(?!)")


def with_words(text: bytes, wanted: frozenset[bytes]) -> set[bytes]:
    """The lines of a text that have one of these words or flags, maybe as part of a longer word."""
    hits = wanted.intersection(text.translate(_SPACED).split())
    if b"--" in text:
        hits |= wanted.intersection(_FLAG.findall(text))
    found: set[bytes] = set()
    for word in hits:
        at = text.find(word)
        while at >= 0:
            end = text.find(b"\n", at)
            end = end if end >= 0 else len(text)
            found.add(text[text.rfind(b"\n", 0, at) + 1 : end])
            at = text.find(word, end)
    return found
