"""Sentences of a document: where one begins, what it is about, and what it says in numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.app.trying.ground import Page

_PAST = re.compile(
    r"\b(?:deprecated?|deprecation|removed?|removal|renam\w+|replac(?:ed|es)|formerly|previously|originally|used to|"
    r"no longer|any ?more|legacy|obsolete|historical(?:ly)?|instead of|old(?:er)?|prior to|earlier|was|were|had been|"
    r"dropped|dropping|migrat\w+|upgrad\w+|breaking|changed in|since version|versionchanged|gone|first version|"
    r"superseded|backport\w*|in favou?r of|will be|planned|not yet|proposed?|propos(?:al|es))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`]*`")
_PERHAPS = re.compile(
    r"\b(?:until|before|once|future|TODO|would|could|might|imagine|suppose|say,|for example|for instance|e\.g\.|"
    r"hypothetical|such as|your[-_ ]|my[-_])\b",
    re.IGNORECASE,
)


def about_the_past(text: str) -> bool:
    """Whether a text talks of what was or is to come, and so need not hold today."""
    return _PAST.search(_CODE.sub(" ", text)) is not None


def is_example(text: str) -> bool:
    """Whether a text only imagines something."""
    return _PERHAPS.search(_CODE.sub(" ", text)) is not None


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
