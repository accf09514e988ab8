"""Sentences of a document: where one begins, what it is about, and what it says in numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.app.trying.ground import Page

_PAST = re.compile(
    r"\b(?:deprecated?|deprecation|removed?|removal|renamed?|replaced|formerly|previously|originally|used to|no longer|"
    r"not any ?more|legacy|obsolete|historical(?:ly)?|instead of|old(?:er)?|until|before|prior to|earlier|once|was|"
    r"were|had been|dropped|dropping|migrat\w+|upgrad\w+|breaking|changed in|since version|versionchanged|gone|"
    r"superseded|backport\w*|in favou?r of|will be|planned|future|TODO|not yet|proposed?|would|could|imagine|suppose|"
    r"for example|e\.g\.|hypothetical|your[-_ ]|my[-_])\b",
    re.IGNORECASE,
)


def about_the_past(text: str) -> bool:
    """Whether a text talks of what was, will be or might be, and so need not hold today."""
    return _PAST.search(text) is not None


class Sentence(NamedTuple):
    page: Page
    line: int
    text: str


_BLOCK_START = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s|:::|!!!|\?\?\?|$)")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])")
_LEAD = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#+|>)?\s*(?:\[[ xX]\]\s+)?")


def sentences(page: Page) -> Iterator[Sentence]:
    """The prose of a page, sentence by sentence, each with the line on which it begins. Headings are left out."""
    start, parts = 0, list[str]()
    for number, line in enumerate([*page.prose_lines, ""], 1):
        if parts and _BLOCK_START.match(line):
            yield from _split(page, start, parts)
            parts = []
        if line.strip() and not line.lstrip().startswith(("#", "|", ":::", "!!!", "???")):
            start = start if parts else number
            parts.append(line)


def _split(page: Page, start: int, lines: list[str]) -> Iterator[Sentence]:
    whole = "\n".join([_LEAD.sub("", lines[0]), *lines[1:]])
    position = 0
    for end in [*(found.end() for found in _END.finditer(whole)), len(whole)]:
        text = whole[position:end]
        if text.strip():
            yield Sentence(page, start + whole.count("\n", 0, position), " ".join(text.split()))
        position = end
