"""Finds what a person explicitly asks to keep: turns that open with a cue of `cues.toml`, word for word.

Target: nine of ten are right, whatever is missed. So only a person's own words count, a cue has to open the turn or a
paragraph of it, and a question, a task or a sentence that points at something else is left to a reader.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from cairn.curate.candidates import SUMMARY_LONGEST, TITLE_LONGEST, one_line, origin_of
from cairn.curate.said import Said
from cairn.kernel.model.candidate import Candidate, Kind, Quote
from cairn.kernel.model.change import Taint
from cairn.kernel.text.instructions import marks
from cairn.kernel.text.mask import fences, without
from cairn.kernel.text.search import runs
from cairn.kernel.text.sentences import sentences

LONGEST_TURN: Final = 6_000
"""Characters of a turn; longer ones hold something that was pasted."""
LONGEST_MIXED: Final = 1_500
"""Characters of a turn in which a cue may open a later paragraph."""
LONGEST: Final = 1_000
"""Characters that are kept of one paragraph."""
_LEAST_WORDS: Final = 2
_LEAST_UNSPACED: Final = 4
_COLONS: Final = (":", "：")
_APART: Final = re.compile(r"\n[ \t]*\n")
_NOT_OWN: Final = re.compile(r"^[ \t]*(?:[>|$]|\[REDACTED)", re.MULTILINE)
"""Quoted lines, tables, commands, and what was taken out."""
_ASKS: Final = re.compile(r"[?？؟]")
_FORMS: Final = {"'": "['’]", ":": r"\s?[:：]", "：": r"\s?[:：]"}


class Row(NamedTuple):
    """One row of the table."""

    language: str
    words: str
    match: str
    other: str
    kind: Kind = "practice"
    """Of a cue only."""


class Kept(NamedTuple):
    """A passage that somebody asked to keep."""

    kind: Kind
    text: str
    """As it was typed."""
    statement: str
    """The same without a cue that ends with a colon."""
    start: int
    end: int
    """Characters of the message."""


def kept(said: Said) -> Iterator[Kept]:
    """In the order of the message; usually nothing."""
    text = said.text
    if said.role != "user" or len(text) > LONGEST_TURN or marks(text):
        return
    own = without(text, fences(text))
    paragraphs = list(_paragraphs(own))
    for at, (start, end) in enumerate(paragraphs):
        if at and (len(text) > LONGEST_MIXED or own[:start].rstrip().endswith(_COLONS)):
            return  # from here on it may be somebody else's text
        following = paragraphs[at + 1] if at + 1 < len(paragraphs) else None
        found = _opened(own, start, end, following)
        if found is not None and found.text == text[found.start : found.end]:  # else there is code inside
            yield found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in [*_APART.finditer(text), None]:
        end = gap.start() if gap else len(text)
        part = text[start:end]
        if part.strip():
            yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start = gap.end() if gap else end


def _opened(text: str, start: int, end: int, following: tuple[int, int] | None) -> Kept | None:
    row, behind = _cue_at(text, start)
    if row is None:
        return None
    whole = row.words.endswith(_COLONS)
    if whole and behind >= end and following is not None:
        behind, end = following  # the cue stands alone, above what it announces
    passage = text[start:end]
    first = end if whole else start + next((one.end for one in sentences(passage)), 0)
    return _judged(row, text, start, first, behind)


def _judged(row: Row, text: str, start: int, end: int, behind: int) -> Kept | None:
    end = start + len(text[start:end].rstrip())
    passage, rest = text[start:end], text[behind:end]
    if len(passage) > LONGEST or not _is_enough(rest) or passage.endswith(_COLONS):
        return None
    if _ASKS.search(passage) or _NOT_OWN.search(passage) or _limits(row.language).search(rest):
        return None
    return Kept(row.kind, passage, rest if row.words.endswith(_COLONS) else passage, start, end)


def _is_enough(rest: str) -> bool:
    return len(rest.split()) >= _LEAST_WORDS or sum(map(len, runs().findall(rest))) >= _LEAST_UNSPACED


def _cue_at(text: str, start: int) -> tuple[Row | None, int]:
    """The longest cue that the text has at this place, and where the words behind it begin."""
    found = [(row, match) for row, pattern in _cues() if (match := pattern.match(text, start))]
    if not found:
        return None, start
    row, match = max(found, key=lambda one: one[1].end())
    return row, len(text) - len(text[match.end() :].lstrip())


# --- candidates -------------------------------------------------------------------------------------------------------


def candidates(
    said: Sequence[Said], *, session: str, where: str, through: int = 0, said_at: str | None = None
) -> tuple[Candidate, ...]:
    """Of the messages from `through` on. Their places in the log are given when they are stored."""
    return tuple(
        verbatim(
            one.kind,
            one.text,
            statement=one.statement,
            origin=origin_of(session, one.kind, 0),
            quote=Quote(where, one.text, message.start + one.start, message.start + one.end),
            said_at=said_at,
        )
        for message in said
        if message.start >= through
        for one in kept(message)
    )


def verbatim(
    kind: Kind, text: str, *, origin: str, quote: Quote, statement: str = "", said_at: str | None = None
) -> Candidate:
    """A text as a candidate: nothing in it is reworded, and the title is as much of it as fits."""
    statement = statement or text
    first = next((one.text for one in sentences(statement)), statement)
    return Candidate(
        origin=origin,
        kind=kind,
        title=one_line(first, TITLE_LONGEST).rstrip(".。"),
        summary=one_line(first, SUMMARY_LONGEST),
        body=text,
        confidence="medium",
        taint=Taint.PERSON,
        derived_from=(quote.where,),
        quotes=(quote,),
        said_at=said_at,
    )


# --- the table --------------------------------------------------------------------------------------------------------


@cache
def table() -> dict[str, tuple[Row, ...]]:
    """The rows by what they are: `cue`, `limit` and `contrast`."""
    value: dict[str, list[dict[str, Any]]] = tomllib.loads((files("cairn.curate") / "cues.toml").read_text("utf-8"))
    return {name: tuple(_row(row) for row in rows) for name, rows in value.items()}


def _row(row: dict[str, Any]) -> Row:
    words = row.get("cue") or row["words"]
    return Row(row["language"], words, row["match"], row["other"], row.get("kind", "practice"))


@cache
def _cues() -> tuple[tuple[Row, "re.Pattern[str]"], ...]:
    return tuple((row, pattern_of(row.words)) for row in table()["cue"])


@cache
def _limits(language: str) -> "re.Pattern[str]":
    some = [pattern_of(row.words).pattern for row in table()["limit"] if row.language == language]
    return re.compile("|".join(some) or r"(?!)", re.IGNORECASE)


@cache
def contrasts() -> tuple["re.Pattern[str]", ...]:
    return tuple(pattern_of(row.words) for row in table()["contrast"])


def pattern_of(words: str) -> "re.Pattern[str]":
    """These words as whole words, whatever the case, the blanks between them and the form of an apostrophe."""
    spelled = r"\s+".join("".join(_FORMS.get(char, re.escape(char)) for char in word) for word in words.split())
    before = r"(?<!\w)" if _is_spaced(words[0]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1]) else ""
    return re.compile(f"{before}{spelled}{after}", re.IGNORECASE)


def _is_spaced(char: str) -> bool:
    return char.isalnum() and not runs().match(char)
