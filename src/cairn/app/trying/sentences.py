"""Sentences of a document: where one begins, what it is about, and what it says in numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cairn.app.trying.ground import Page
from cairn.kernel.text.sentences import sentences as split_sentences


class Sentence(NamedTuple):
    page: Page
    line: int
    text: str


_LEAD = re.compile(r"^(?:[-*+]|\d+[.)]|>)?\s*(?:\[[ xX]\]\s+)?")
_DIRECTIVES = (":::", "!!!", "???")


def sentences(page: Page) -> Iterator[Sentence]:
    """The prose of a page, sentence by sentence, each with the line on which it begins. Headings are left out."""
    body = "\n".join("" if line.lstrip().startswith(_DIRECTIVES) else line for line in page.prose_lines)
    for found in split_sentences(body):
        if not found.text.startswith(("#", "|")):
            yield Sentence(page, found.line, _LEAD.sub("", found.text))
