"""Finds what a person explicitly asks to keep: turns that open with a cue of `cues.toml`, word for word.

Target: nine of ten are right, whatever is missed. So only a person's own words count. The turn has to be the cue with
one sentence or list and nothing else. A question, or a sentence that points at something else, is left to a reader.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from cairn.core.session_log import SpokenText
from cairn.lib.injection.marks import exact_marks
from cairn.lib.markdown.blocks import fences, sentences, without
from cairn.lib.text.search_words import runs

LONGEST: Final = 1_000
"""Characters that are kept."""
_LONGEST_TURN: Final = 2 * LONGEST
"""With the blank lines around them; nothing longer is looked at."""
_LEAST_WORDS: Final = 2
_LEAST_UNSPACED: Final = 4
_COLONS: Final = (":", "：")
_MARK: Final = r"(?:[-*+]|\d+[.)])[ \t]+"
_ITEM: Final = rf"[ \t]*{_MARK}\S[^\n]*(?:\n[ \t]+\S[^\n]*)*"
_LIST: Final = re.compile(rf"{_ITEM}(?:\s*\n{_ITEM})*")
_MORE: Final = re.compile(r"[.!][)\"'”’]*\s+\S|[。！]\S")
"""Between two sentences, also where the second one begins with a small letter."""
_NOT_OWN: Final = re.compile(r"^[ \t]*[>|$]|\[REDACTED", re.MULTILINE)
"""Quoted lines, tables, commands, and what was taken out."""
_ASKS: Final = re.compile(r"[?？؟]")
_FORMS: Final = {"'": "['’]", ":": r"\s?[:：]", "：": r"\s?[:：]"}


class CueRow(NamedTuple):
    """One row of the table."""

    language: str
    words: str
    match: str
    other: str


class CuedPassage(NamedTuple):
    """A passage that somebody asked to keep."""

    text: str
    """As it was typed."""
    statement: str
    """The same without the cue."""
    start: int
    end: int
    """Characters of the message."""


def kept(said: SpokenText) -> CuedPassage | None:
    """Of one message; usually nothing."""
    text = said.text
    if said.role != "user" or len(text) > _LONGEST_TURN or exact_marks(text):
        return None
    own = without(text, fences(text))
    start = len(own) - len(own.lstrip())
    row, behind = _cue_at(own, start)
    end = _end(own, behind)
    if row is None or own[end:].strip():
        return None  # a task behind it, or “the text above is a slide”: what the words are is for a reader to say
    found = CuedPassage(text[start:end], text[behind:end], start, end)
    is_code_inside = found.text != own[start:end]
    return None if is_code_inside or _is_doubtful(row, found) else found


def _end(text: str, behind: int) -> int:
    """Where the list, or the sentence in one line, ends that begins here."""
    if listed := _LIST.match(text, behind):
        return listed.end()
    line = text[behind:].partition("\n")[0]
    first = line[: next((one.end for one in sentences(line)), 0)].rstrip()
    more = _MORE.search(first)
    return behind + (more.start() + 1 if more else len(first))


def _is_doubtful(row: CueRow, found: CuedPassage) -> bool:
    if len(found.text) > LONGEST or not _is_enough(found.statement) or found.text.endswith(_COLONS):
        return True
    if _ASKS.search(found.text) or _NOT_OWN.search(found.text):
        return True
    return _limits(row.language).search(found.statement) is not None


def _is_enough(rest: str) -> bool:
    return len(rest.split()) >= _LEAST_WORDS or sum(map(len, runs().findall(rest))) >= _LEAST_UNSPACED


def behind_cue(text: str) -> str:
    """A sentence without the cue that it opens with, if it does."""
    return text[_cue_at(text, 0)[1] :]


def _cue_at(text: str, start: int) -> tuple[CueRow | None, int]:
    """The longest cue that the text has at this place, and where the words behind it begin."""
    found = [(row, match) for row, pattern in _cues() if (match := pattern.match(text, start))]
    if not found:
        return None, start
    row, match = max(found, key=lambda one: one[1].end())
    return row, len(text) - len(text[match.end() :].lstrip())


# --- the table --------------------------------------------------------------------------------------------------------


@cache
def table() -> dict[str, tuple[CueRow, ...]]:
    """The rows by what they are: `cue`, `limit`, `contrast`, `equals` and `count`."""
    value: dict[str, list[dict[str, Any]]] = tomllib.loads((files("cairn.core") / "cues.toml").read_text("utf-8"))
    return {name: tuple(_row(row) for row in rows) for name, rows in value.items()}


def _row(row: dict[str, Any]) -> CueRow:
    words = row.get("cue") or row["words"]
    return CueRow(row["language"], words, row["match"], row["other"])


@cache
def _cues() -> tuple[tuple[CueRow, "re.Pattern[str]"], ...]:
    return tuple((row, pattern_of(row.words)) for row in table()["cue"])


@cache
def _limits(language: str) -> "re.Pattern[str]":
    some = [pattern_of(row.words).pattern for row in table()["limit"] if row.language == language]
    return re.compile("|".join(some) or r"(?!)", re.IGNORECASE)


@cache
def contrasts() -> "re.Pattern[str]":
    return re.compile("|".join(pattern_of(row.words).pattern for row in table()["contrast"]), re.IGNORECASE)


@cache
def equals() -> frozenset[str]:
    """Words between a thing and its value, and the sign for them."""
    return frozenset(("=", *(row.words for row in table()["equals"])))


@cache
def counting() -> frozenset[str]:
    """Words in front of a number of things."""
    return frozenset(row.words for row in table()["count"])


def pattern_of(words: str) -> "re.Pattern[str]":
    """These words as whole words, whatever the case, the blanks between them and the form of an apostrophe."""
    spelled = r"\s+".join("".join(_FORMS.get(char, re.escape(char)) for char in word) for word in words.split())
    before = r"(?<!\w)" if _is_spaced(words[0]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1]) else ""
    return re.compile(f"{before}{spelled}{after}", re.IGNORECASE)


def _is_spaced(char: str) -> bool:
    return char.isalnum() and not runs().match(char)
