"""Decides whether a sentence says that something does not exist, so that its removal leaves the sentence true.

The words are rows of `denials.toml`. They have to stand right beside the name: "there is no limit on `x`" denies
something else.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from cairn.freshness.diff.code_forms import CODE_SPAN

_FAR = 300
"""Characters around a name."""
_MARKS = r"""[\s*_"'“”„«»()\[\]]*"""
_ROLE = r"(?::[\w:+-]+:)?"
"""A role of `.rst` before inline code."""
_ARTICLE = r"(?:(?:an?|the|la|le|el|il|lo|o|os|called|named|namens|like|as)\s+)?"
_SENTENCE = re.compile(r"[.!?;](?=\s)|[。！？；|]")
_UNSPACED = "\u2e80"
"""From here on, characters of scripts that put no blanks between words."""


class DenialRow(NamedTuple):
    language: str
    words: tuple[str, ...]
    match: str
    other: str


class _Denials(NamedTuple):
    """The patterns of one language."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    condition: re.Pattern[str]


def denies(text: str, start: int, end: int) -> bool:
    """Whether a text says of the name between two of its places that there is no such thing."""
    start, end = _piece_of_code(text, start, end)
    *_, before = _SENTENCE.split(text[max(0, start - _FAR) : start])
    after = text[end : end + _FAR]
    return any(
        (one.before.search(before) or one.after.match(after)) and not one.condition.search(before)
        for one in _languages()
    )


def _piece_of_code(text: str, start: int, end: int) -> tuple[int, int]:
    """The inline code that the name is in, or the word that it is a part of."""
    for span in CODE_SPAN.finditer(text):
        if span.start() <= start < span.end():
            return span.start(), span.end()
    start = min(start, len(text))
    while start > 0 and text[start - 1] in _WITHIN:
        start -= 1
    behind = _BEHIND.match(text, end)
    return start, behind.end() if behind else end


_BEHIND = re.compile(r"(?:[.:#>-]++\w++)*+(?:\(\))?")


_WITHIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:#>-$@"


# --- the table --------------------------------------------------------------------------------------------------------


@cache
def table() -> dict[str, tuple[DenialRow, ...]]:
    """The rows by what they are: `before`, `after`, `condition`, `thing` and `join`."""
    text = (files("cairn.freshness.diff") / "denials.toml").read_text("utf-8")
    value: dict[str, list[dict[str, Any]]] = tomllib.loads(text)
    return {name: tuple(map(_row, rows)) for name, rows in value.items()}


def _row(row: dict[str, Any]) -> DenialRow:
    return DenialRow(row["language"], tuple(row["words"]), row["match"], row["other"])


@cache
def _languages() -> tuple[_Denials, ...]:
    return tuple(_of_language(name) for name in sorted({row.language for row in table()["after"]}))


def _of_language(name: str) -> _Denials:
    before, after, condition, thing, join = (
        _one_of(word for row in table()[kind] if row.language == name for word in row.words)
        for kind in ("before", "after", "condition", "thing", "join")
    )
    code = rf"{_ROLE}`+[^`\n]+`+"
    names = rf"(?:{code}\s*(?:,|/|{join}|,\s*{join})\s*{_MARKS})*"
    others = rf"(?:{_MARKS}(?:,|/|{join}|,\s*{join})\s*{code})*"
    things = rf"(?:{_ARTICLE}{thing}\s*{_ARTICLE})?"
    return _Denials(
        re.compile(rf"{before}{_MARKS}{things}{_MARKS}{names}{_ROLE}$", re.IGNORECASE),
        re.compile(rf"{_MARKS}(?:{thing}\s*)?{others}{_MARKS}{after}", re.IGNORECASE),
        re.compile(condition, re.IGNORECASE),
    )


def _one_of(words: Iterable[str]) -> str:
    """A pattern of whole words; without any words, one that matches nothing."""
    return rf"(?:{'|'.join(map(_whole, sorted(words, key=len, reverse=True))) or '(?!)'})"


def _whole(words: str) -> str:
    spelled = r"\s+".join(re.escape(word).replace("'", "['’]") for word in words.split())
    before = r"(?<!\w)" if words[0] < _UNSPACED else ""
    return before + spelled + (r"(?!\w)" if words[-1].isalpha() and words[-1] < _UNSPACED else "")
