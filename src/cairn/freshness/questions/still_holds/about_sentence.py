"""Asks about one sentence: its paragraph, what it names in the code before and after a change, and the diff."""

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any, Final, NamedTuple

from cairn.core.model.change import Taint
from cairn.freshness.questions.still_holds.question import QUESTION
from cairn.jobs.ask import AskedQuestion
from cairn.lib.code.anchor import find_symbols
from cairn.lib.code.model import decode
from cairn.lib.code.read import outline
from cairn.lib.document.document import outline as outline_of_page

_LONGEST_PARAGRAPH: Final = 2_000
_LONGEST_CODE: Final = 3_000
"""Characters of a definition."""
_LONGEST_DIFF: Final = 6_000
_AROUND: Final = 6
"""Lines on each side of a name that nothing defines."""
_WORD: Final = re.compile(r"\w+")


class NamedSentence(NamedTuple):
    """A line of a document that names something in the code."""

    document: str
    text: str
    """Of the whole document."""
    line: int
    sentence: str
    named: str


class ChangedCode(NamedTuple):
    path: str
    before: bytes
    after: bytes
    """Each empty where there is no such file."""


def question_about(sentence: NamedSentence, code: ChangedCode, *, change: str) -> AskedQuestion:
    """`change` says which one: a commit, or that nothing is committed yet."""
    subject = f"change:{change}:{sentence.document}:{sentence.line}"
    return AskedQuestion(QUESTION, subject, input_about(sentence, code), Taint.REPOSITORY)


def input_about(sentence: NamedSentence, code: ChangedCode) -> dict[str, Any]:
    page = outline_of_page(sentence.document, sentence.text)
    diff = _diff(sentence.named, decode(code.before), decode(code.after))
    shown = _has(sentence.named, diff)
    return {
        "document": sentence.document,
        "heading": " > ".join(reversed(page.headings_above(sentence.line))),
        "sentence": sentence.sentence.strip(),
        "paragraph": _paragraph(sentence),
        "named": sentence.named,
        "code": {
            "path": code.path,
            "before": _definition(sentence.named, code.path, code.before, defined=shown),
            "after": _definition(sentence.named, code.path, code.after, defined=shown),
            "diff": diff,
        },
    }


def _paragraph(sentence: NamedSentence) -> str:
    """The lines around it, up to the next empty ones; of a long run those that are nearest."""
    lines = sentence.text.splitlines()
    start = end = min(max(sentence.line - 1, 0), max(len(lines) - 1, 0))
    while start > 0 and lines[start - 1].strip():
        start -= 1
    while end + 1 < len(lines) and lines[end + 1].strip():
        end += 1
    at = sentence.line - 1
    while start < end and sum(map(len, lines[start : end + 1])) > _LONGEST_PARAGRAPH:
        start, end = (start + 1, end) if at - start > end - at else (start, end - 1)
    return "\n".join(lines[start : end + 1])


# --- code -------------------------------------------------------------------------------------------------------------


def _definition(named: str, path: str, data: bytes, *, defined: bool) -> str:
    """Where it is defined; else, unless only a definition is wanted, the first place that has it."""
    lines = decode(data).splitlines()
    name = named if named.startswith("-") else (_WORD.findall(named) or [named])[-1]
    found = find_symbols(outline(path, data), name) if lines else ()
    if found:
        return _cut(lines[found[0].line - 1 : found[0].end_line])
    at = None if defined else next((number for number, line in enumerate(lines) if _has(named, line)), None)
    return "" if at is None else _cut(lines[max(0, at - _AROUND) : at + _AROUND + 1])


def _has(named: str, line: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(named)}(?!\w)", line) is not None


def _cut(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    return text if len(text) <= _LONGEST_CODE else f"{text[:_LONGEST_CODE].rpartition(chr(10))[0]}\n[…]"


def _diff(named: str, before: str, after: str) -> str:
    """The hunks that have the name, then others, as many as fit, in their order."""
    hunks = list(_hunks(before, after))
    chosen: set[int] = set()
    length = 0
    for number in sorted(range(len(hunks)), key=lambda number: not _has(named, hunks[number])):
        if chosen and length + len(hunks[number]) > _LONGEST_DIFF:
            continue
        chosen.add(number)
        length += len(hunks[number])
    shown = "\n".join(hunks[number] for number in sorted(chosen))
    return shown[: 2 * _LONGEST_DIFF]


def _hunks(before: str, after: str) -> Iterator[str]:
    hunk: list[str] = []
    for line in list(unified_diff(before.splitlines(), after.splitlines(), lineterm=""))[2:]:
        if line.startswith("@@") and hunk:
            yield "\n".join(hunk)
            hunk = []
        hunk.append(line)
    if hunk:
        yield "\n".join(hunk)
